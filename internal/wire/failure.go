package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/talewright/talewright/llm"
)

// maxErrorBody is the number of bytes of an error's body that are read.
const maxErrorBody = 64 << 10

// Refusal returns the error for a response whose status is not 2xx.
func Refusal(response *http.Response) error {
	// An interrupted body may still contain the message.
	body, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorBody))
	d := readDetail(body)
	status := response.StatusCode
	if status/100 == 3 {
		d.message = fmt.Sprintf("the server redirects to %q; give that address as BaseURL",
			response.Header.Get("Location"))
	}
	code, retry := classify(status, d)
	return &llm.Error{
		Code:       code,
		Status:     status,
		Message:    cmp.Or(d.message, http.StatusText(status)),
		Body:       keptBody(body),
		RetryAfter: cmp.Or(retryAfterOf(response.Header, time.Now()), d.wait),
		Retry:      retry,
	}
}

// Reported returns the error for a failure that the server reports instead of a reply or within
// one. Its status is the number in the failure, if there is one.
func Reported(data []byte) error {
	d := readDetail(data)
	code, retry := classify(d.status(), d)
	return &llm.Error{
		Code:       code,
		Status:     d.status(),
		Message:    cmp.Or(d.message, "the server reports an error without a message"),
		Body:       keptBody(data),
		RetryAfter: d.wait,
		Retry:      retry,
	}
}

// maxKept is the number of bytes of a server's text that an error keeps.
const maxKept = 4096

// keptBody returns the part of a body that an error keeps, as valid UTF-8.
func keptBody(body []byte) string {
	body = bytes.TrimSpace(body)
	if len(body) > maxKept {
		body = body[:maxKept]
	}
	return strings.ToValidUTF8(string(body), "\uFFFD")
}

// detail is a server's description of a failure. kind is a word for its class; wait is the
// requested wait.
type detail struct {
	code, kind, message string
	wait                time.Duration
}

// readDetail finds the detail in a body or an event: in an object, in its "error" member, in the
// first element of a list, or in plain text.
func readDetail(data []byte) detail {
	data = trim(data)
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && len(list) > 0 {
		data = list[0]
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(data, &object) != nil {
		if len(data) == 0 {
			return detail{}
		}
		return detail{message: Begin(plain(data))}
	}
	if inner := object["error"]; Failing(string(inner)) {
		if inner[0] != '{' {
			return detail{code: word(object["code"]), message: word(inner)}
		}
		clear(object)
		if json.Unmarshal(inner, &object) != nil {
			return detail{}
		}
	}
	return detail{
		code:    cmp.Or(word(object["code"]), word(object["status"])),
		kind:    cmp.Or(word(object["type"]), word(object["status"])),
		message: cmp.Or(word(object["message"]), word(object["detail"]), word(object["msg"])),
		wait:    retryDelay(object["details"]),
	}
}

// retryDelay reads the wait that Google's servers write into the details of a failure, such as "7s"
// or "3.5s".
func retryDelay(details json.RawMessage) time.Duration {
	var list []struct {
		RetryDelay json.RawMessage `json:"retryDelay"`
	}
	if json.Unmarshal(details, &list) != nil {
		return 0
	}
	for _, entry := range list {
		wait, ok := strings.CutSuffix(word(entry.RetryDelay), "s")
		if seconds, err := strconv.ParseFloat(wait, 64); ok && err == nil {
			return clampWait(seconds * float64(time.Second))
		}
	}
	return 0
}

// word returns a member as text, whether it is a string, a number or a different value.
func word(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// plain returns data as text for a message, with its white space reduced to single blanks.
func plain(data []byte) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(data), "\uFFFD")), " ")
}

// status returns the HTTP status in the detail, or 0.
func (d detail) status() int {
	if n, err := strconv.Atoi(d.code); err == nil && n >= 400 && n < 600 {
		return n
	}
	return 0
}

// class is the meaning of a failure for the caller.
type class struct {
	code  llm.ErrorCode
	retry bool
}

// wordClasses map parts of the words that servers use for codes and kinds to classes. They are
// checked in this order.
var wordClasses = [...]struct {
	parts string
	class
}{
	{"context_length context_size context_window too_large", class{llm.CodeContextLength, false}},
	{"insufficient_quota billing insufficient_balance", class{llm.CodeAuth, false}},
	{"rate_limit too_many_requests throttl resource_exhausted", class{llm.CodeRateLimit, true}},
	{"overload unavailable busy notready", class{llm.CodeOverloaded, true}},
	{"api_key auth permission accessdenied", class{llm.CodeAuth, false}},
	{"not_found notfound", class{llm.CodeNotFound, false}},
	{"content_policy content_filter moderation data_inspection", class{llm.CodeFiltered, false}},
	{"validation invalid bad_request", class{llm.CodeInvalidRequest, false}},
	{"server_error internal api_error streamerror", class{llm.CodeServer, true}},
	{"timeout timed_out", class{llm.CodeTimeout, true}},
	{"bad_gateway", class{llm.CodeServer, true}},
}

// statusClasses are the classes of HTTP statuses with a meaning of their own; for all
// others, the first digit of the status has a class.
var statusClasses = map[int]class{
	401: {llm.CodeAuth, false}, 402: {llm.CodeAuth, false}, 403: {llm.CodeAuth, false},
	404: {llm.CodeNotFound, false}, 410: {llm.CodeNotFound, false},
	408: {llm.CodeTimeout, true}, 504: {llm.CodeTimeout, true}, 524: {llm.CodeTimeout, true}, // 524 comes from a proxy
	409: {llm.CodeServer, true}, 425: {llm.CodeServer, true}, // conflict, too early
	413: {llm.CodeContextLength, false}, // the whole request is too large; this is not the model's limit
	429: {llm.CodeRateLimit, true},
	501: {llm.CodeServer, false}, 505: {llm.CodeServer, false},
	503: {llm.CodeOverloaded, true}, 529: {llm.CodeOverloaded, true},
	3: {llm.CodeNotFound, false}, 4: {llm.CodeInvalidRequest, false}, 5: {llm.CodeServer, true},
}

// lengthPhrases are phrases in the messages of servers without a code for a prompt that is too
// long.
var lengthPhrases = [...]string{
	"context length", "context_length", "context window", "context size",
	"maximum context", "prompt is too long", "too many tokens", "input is too long",
	"exceeds the maximum number of tokens",
}

// keyPhrases are phrases in the messages of servers that report a bad key or missing credit as a bad
// request.
var keyPhrases = [...]string{"api key not valid", "api key expired", "api_key_invalid", "credit balance is too low"}

// noToolsPhrases are phrases in the messages of servers when the model or the server does not
// support tools.
var noToolsPhrases = [...]string{
	"not support tool", "not support function", "support tool use", "tools are not supported",
	"tool use is not supported", "tool calling is not supported", "function calling is not supported",
	"tools param requires", "--jinja", "--enable-auto-tool-choice",
}

// classify returns the code of a failure and whether a retry may help.
//
//  1. The first known one of these counts: the server's code, the status, the server's kind.
//  2. A kind about credit corrects a rate limit. A kind about the context length corrects
//     everything.
//  3. A failure without any code, status or kind is a server failure, because the request had been
//     accepted. If its code or kind is unknown, the failure is unknown.
//  4. A message that says that the key is not valid or that credit is missing decides. Otherwise, a
//     message that says that there are no tools decides.
//  5. Otherwise, a message about the context length decides. Rules 4 and 5 do not apply if the
//     failure is about the rate or the key.
func classify(status int, d detail) (llm.ErrorCode, bool) {
	c, known := classOfWord(d.code)
	if !known {
		c, known = classOfStatus(status)
	}
	if kind, ok := classOfWord(d.kind); ok {
		// Missing credit is reported with the status of a rate limit.
		noCredit := c.code == llm.CodeRateLimit && kind.code == llm.CodeAuth
		if !known || noCredit || kind.code == llm.CodeContextLength {
			c, known = kind, true
		}
	}
	if !known {
		c = class{llm.CodeServer, true}
		if d.code != "" || d.kind != "" {
			c = class{llm.CodeUnknown, false}
		}
	}
	if c.code != llm.CodeRateLimit && c.code != llm.CodeAuth {
		switch {
		case speaksOf(d.message, keyPhrases[:]):
			c = class{llm.CodeAuth, false}
		case speaksOf(d.message, noToolsPhrases[:]):
			c = class{llm.CodeNoTools, false}
		case speaksOf(d.message, lengthPhrases[:]):
			c = class{llm.CodeContextLength, false}
		}
	}
	return c.code, c.retry
}

// classOfWord returns the class of a code or kind, in any spelling: "Rate-Limit exceeded" is
// rate_limit_exceeded.
func classOfWord(word string) (class, bool) {
	word = strings.NewReplacer(" ", "_", "-", "_").Replace(word)
	for _, entry := range wordClasses {
		if speaksOf(word, strings.Fields(entry.parts)) {
			return entry.class, true
		}
	}
	return class{}, false
}

// classOfStatus returns the class of an HTTP status, if the status is a failure.
func classOfStatus(status int) (class, bool) {
	c, known := statusClasses[status]
	if !known {
		c, known = statusClasses[status/100]
	}
	return c, known
}

// speaksOf reports whether a message contains one of the phrases.
func speaksOf(message string, phrases []string) bool {
	message = strings.ToLower(message)
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(message, phrase) })
}

// maxWait is the longest wait that a server can request, so that no number overflows.
const maxWait = 365 * 24 * time.Hour

// retryAfterOf reads the wait that a server requests: retry-after-ms, otherwise Retry-After in
// seconds or as a date. A date is compared with the server's own clock if the server sends it,
// otherwise with now. A past date or an unreadable value gives 0.
func retryAfterOf(header http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil {
		return clampWait(ms * float64(time.Millisecond))
	}
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return clampWait(seconds * float64(time.Second))
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if sent, err := http.ParseTime(header.Get("Date")); err == nil {
		now = sent
	}
	return clampWait(float64(date.Sub(now)))
}

// clampWait converts nanoseconds to a wait between 0 and maxWait.
func clampWait(d float64) time.Duration {
	if !(d > 0) { // true also for NaN
		return 0
	}
	return time.Duration(min(d, float64(maxWait)))
}

// Failing reports whether the JSON of an error member contains an error. Some servers send an empty
// error with every event.
func Failing(raw string) bool {
	switch raw {
	case "", "null", `""`, "{}", "false":
		return false
	}
	return true
}

// Malformed returns the error for data that cannot be read. The error shows the beginning of the
// data.
func Malformed(data []byte, cause error) error {
	return &llm.Error{
		Code:    llm.CodeMalformed,
		Message: "cannot read " + Begin(data),
		Retry:   true,
		Err:     cause,
	}
}

// Broken returns the error for a body that could not be read to its end.
func Broken(err error) error {
	switch {
	case errors.Is(err, ErrEventTooLong):
		return &llm.Error{Code: llm.CodeTooLarge, Message: fmt.Sprintf("an event is longer than %d bytes", MaxEvent)}
	case errors.Is(err, errBody):
		return &llm.Error{Code: llm.CodeTooLarge, Message: "the body has no end within its limit"}
	}
	failure := llm.Incomplete("the connection was lost")
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		failure.Err = fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, err)
	}
	return failure
}

// unreached returns the error for a request that got no response. It shows only scheme and host of
// the address, because paths and queries may contain keys.
func unreached(err error, address string) error {
	where := cmp.Or(origin(address), "the server")
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return &llm.Error{
		Code:    llm.CodeNetwork,
		Message: "no answer from " + where,
		Retry:   true,
		Err:     err,
	}
}

// Begin quotes the beginning of a text for an error message.
func Begin[T ~string | ~[]byte](text T) string {
	const limit = 120 // characters
	head := string(text[:min(len(text), (limit+1)*utf8.UTFMax)])
	count := 0
	for i := range head {
		if count == limit {
			return fmt.Sprintf("%q…", head[:i])
		}
		count++
	}
	return fmt.Sprintf("%q", head)
}
