package wire

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/llm"
)

// Servers repeat keys in their messages, and messages end up in logs. So secrets are removed from
// every error before it leaves this package.

// minSecret is the shortest length of a credential that counts as secret; users give local servers
// placeholders such as "x".
const minSecret = 4

// minOther is the shortest length of a secret value whose name does not show that it is a
// credential.
const minOther = 8

// gram is the number of consecutive characters of a secret that reveal it: messages are truncated
// and may show a part.
const gram = 8

// harmless are the headers and query members whose values are not secret. All other values in a
// configuration may be secret, because credentials have many names.
var harmless = []string{
	"accept", "accept-encoding", "accept-language", "anthropic-beta", "anthropic-version", "api-version",
	"cache-control", "connection", "content-type", "http-referer", "openai-beta",
	"origin", "referer", "stainless-lang", "user-agent", "version", "x-title",
}

// credentialWords are parts of the names of credentials.
var credentialWords = []string{
	"auth", "cookie", "credential", "key", "pass", "secret", "session", "sig", "token",
}

// Secrets are texts that must not be shown, the longest first.
type Secrets []string

// Secrets lists the texts that must not be shown. They are the key, and the values of headers and
// query members that are not known to be harmless. They are also the user and password of the
// address, and the values of members of the body with a credential's name.
func (a Access) Secrets() Secrets {
	var s Secrets
	s.add(a.Key, minSecret)
	for name, values := range a.Header {
		for _, value := range values {
			s.addNamed(name, value)
		}
	}
	if u, err := url.Parse(strings.TrimSpace(a.BaseURL)); err == nil {
		s.addURL(u)
	}
	for name, raw := range a.Body {
		s.addJSON(name, raw)
	}
	slices.SortFunc(s, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(s)
}

// and returns the secrets together with the credentials in a request's headers. The signature of a
// client or an SDK is not in the configuration.
func (s Secrets) and(request *http.Request) Secrets {
	if request == nil {
		return s
	}
	signed := http.Header{}
	for name, values := range request.Header {
		if isCredential(strings.ToLower(name)) {
			signed[name] = values
		}
	}
	if len(signed) == 0 {
		return s
	}
	return slices.Concat(s, Access{Header: signed}.Secrets())
}

// add adds a secret of at least the given length, in the forms in which texts contain it.
func (s *Secrets) add(secret string, least int) {
	secret = strings.TrimSpace(secret)
	if len(secret) < least {
		return
	}
	quoted := strconv.Quote(secret)
	for _, form := range []string{
		secret, strings.Join(strings.Fields(secret), " "), quoted[1 : len(quoted)-1],
		url.QueryEscape(secret), url.PathEscape(secret), html.EscapeString(secret),
		base64.StdEncoding.EncodeToString([]byte(secret)),
	} {
		if !slices.Contains(*s, form) {
			*s = append(*s, form)
		}
	}
}

// addNamed adds the value of a header or query member, as a whole and in its parts: "Scheme
// credential", "a=1; b=2" (cookies) and `a="1", b="2"` (Digest).
func (s *Secrets) addNamed(name, value string) {
	name = strings.ToLower(name)
	if slices.Contains(harmless, name) {
		return
	}
	least := minOther
	if isCredential(name) {
		least = minSecret
	}
	s.add(value, least)
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ';' || r == ',' }) {
		if scheme, rest, ok := strings.Cut(strings.TrimSpace(part), " "); ok && isScheme(scheme) {
			s.addBasic(scheme, rest)
			part = rest
		}
		s.add(part, least)
		if left, right, ok := strings.Cut(part, "="); ok && !strings.ContainsAny(strings.TrimSpace(left), ` "`) {
			s.add(strings.Trim(strings.TrimSpace(right), `"`), least)
		}
		for field := range strings.FieldsSeq(part) {
			s.add(field, max(least, minOther))
		}
	}
}

// addBasic adds the user and password in a Basic credential.
func (s *Secrets) addBasic(scheme, credential string) {
	if !strings.EqualFold(scheme, "basic") {
		return
	}
	plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(credential))
	if err != nil {
		return
	}
	_, password, _ := strings.Cut(string(plain), ":")
	s.add(string(plain), minSecret)
	s.add(password, minSecret)
}

// addURL adds the secrets of an address: user and password, which are sent too, the members of its
// query, and long parts of its path with digits.
func (s *Secrets) addURL(u *url.URL) {
	if user := u.User; user != nil {
		password, ok := user.Password()
		s.add(password, minSecret)
		s.add(user.String(), minSecret)
		s.add(user.Username()+":"+password, minSecret) // sent in its base64 form
		if !ok {
			s.add(user.Username(), minSecret)
		}
	}
	for name, values := range u.Query() {
		for _, value := range values {
			s.addNamed(name, value)
		}
	}
	for part := range strings.SplitSeq(u.Path, "/") {
		if len(part) >= 20 && strings.ContainsAny(part, "0123456789") {
			s.add(part, minOther)
		}
	}
}

// addJSON adds the texts in a member whose name is the name of a credential.
func (s *Secrets) addJSON(name string, raw json.RawMessage) {
	var value any
	if json.Unmarshal(raw, &value) == nil {
		s.addValue(isCredential(strings.ToLower(name)), value)
	}
}

func (s *Secrets) addValue(secret bool, value any) {
	switch v := value.(type) {
	case string:
		if secret {
			s.add(v, minSecret)
		}
	case []any:
		for _, element := range v {
			s.addValue(secret, element)
		}
	case map[string]any:
		for name, member := range v {
			s.addValue(secret || isCredential(strings.ToLower(name)), member)
		}
	}
}

// isCredential reports whether a name, in lower case, is the name of a credential. Counts of tokens
// are not credentials.
func isCredential(name string) bool {
	if strings.HasSuffix(name, "tokens") || strings.HasSuffix(name, "tokens_field") {
		return false
	}
	return slices.ContainsFunc(credentialWords, func(word string) bool {
		return strings.Contains(name, word)
	})
}

// isScheme reports whether a word is a scheme before a credential.
func isScheme(word string) bool {
	switch strings.ToLower(word) {
	case "basic", "bearer", "digest", "token", "apikey", "api-key", "key", "negotiate", "hmac", "signature":
		return true
	}
	return strings.HasPrefix(word, "AWS4-")
}

// Hide replaces the secrets in a text, and every part of a secret that is long enough to reveal it.
// Its cost is linear in the text for each secret.
func (s Secrets) Hide(text string) string {
	for _, secret := range s {
		text = strings.ReplaceAll(text, secret, "[key]")
	}
	for _, secret := range s {
		if len(secret) > gram {
			text = hideParts(text, secret)
		}
	}
	return text
}

// hideParts replaces the parts of one secret.
func hideParts(text, secret string) string {
	if len(text) < gram {
		return text
	}
	known := make(map[string]struct{}, len(secret))
	for i := range len(secret) - gram + 1 {
		known[secret[i:i+gram]] = struct{}{}
	}
	var out strings.Builder
	end := 0 // the text before this position is written or hidden
	for i := range len(text) - gram + 1 {
		if _, ok := known[text[i:i+gram]]; !ok {
			continue
		}
		if i > end || out.Len() == 0 {
			out.WriteString(text[end:i])
			out.WriteString("[key]")
		}
		end = i + gram
	}
	out.WriteString(text[end:])
	return out.String()
}

// Redact returns err without secrets in its text. An error without secrets is returned unchanged.
// Otherwise the cause is reduced to its text and to the errors that errors.Is must find.
func (s Secrets) Redact(err error) error {
	failure, ok := errors.AsType[*llm.Error](err)
	if !ok {
		if s.Hide(err.Error()) == err.Error() {
			return err
		}
		return s.cause(err)
	}
	if s.Hide(err.Error()) == err.Error() && s.Hide(failure.Body) == failure.Body {
		return err
	}
	clean := *failure
	clean.Message, clean.Body = s.Hide(clean.Message), s.Hide(clean.Body)
	if clean.Err != nil {
		clean.Err = s.cause(clean.Err)
	}
	return &clean
}

// hidden is a cause without its secrets.
type hidden struct {
	text string
	is   error
}

// Error implements error.
func (h hidden) Error() string { return h.text }

// Unwrap lets errors.Is find the kept part of the original error.
func (h hidden) Unwrap() error { return h.is }

// cause keeps the text of a cause, without secrets, and which of the errors that callers check it
// is. The cause itself is dropped, because unwrapping it would show the secret again.
func (s Secrets) cause(err error) error {
	out := hidden{text: s.Hide(err.Error())}
	for _, known := range []error{io.ErrUnexpectedEOF, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			out.is = known
		}
	}
	return out
}
