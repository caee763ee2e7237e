package gemini_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/gemini"
)

const halfATale = `data: {"candidates":[{"content":{"parts":[{"text":"Half a "}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":9}}` + "\n\n"

func because(reason string) string {
	return `data: {"candidates":[{"content":{"parts":[{"text":"tale."}],"role":"model"},"finishReason":"` + reason + `","index":0}],` +
		`"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":4,"thoughtsTokenCount":3,"cachedContentTokenCount":2,"trafficType":"ON_DEMAND"}}` + "\n\n"
}

func parts(parts string) string {
	return `data: {"candidates":[{"content":{"parts":[` + parts + `],"role":"model"}}]}` + "\n\n"
}

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hello."}}}
}

// ask reads the reply to a body.
func ask(t *testing.T, body string) (llm.Response, error) {
	t.Helper()
	return llm.Collect(serveBody(t, body).Generate(t.Context(), hello()))
}

var incomplete = llm.Error{Code: llm.CodeIncomplete, Retry: true}

func TestNoFinishReason(t *testing.T) {
	for reason, body := range map[string]string{
		"nothing behind the text":      halfATale,
		"a reason that is none":        halfATale + parts(`{"text":""}`) + `data: {"candidates":[{"finishReason":"FINISH_REASON_UNSPECIFIED"}]}` + "\n\n",
		"the last event is half there": halfATale + `data: {"candidates":[{"cont`,
		"closed like another dialect":  halfATale + "data: [DONE]\n\n",
	} {
		got, err := ask(t, body)
		if got.Message.Text != "Half a " {
			t.Errorf("%s: the text is %q", reason, got.Message.Text)
		}
		wiretest.Failure(t, err, incomplete)
	}
}

func TestPromptBlocked(t *testing.T) {
	for _, body := range []string{
		`data: {"candidates":[],"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":9}}` + "\n\n",
		`data: {"promptFeedback":{"blockReason":"SAFETY","safetyRatings":[]}}` + "\n\n",
		`{"promptFeedback":{"blockReason":"OTHER"}}`,
	} {
		_, err := ask(t, body)
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeFiltered})
	}
	if got, err := ask(t, `data: {"promptFeedback":{"blockReason":"BLOCKED_REASON_UNSPECIFIED"}}`+"\n\n"+halfATale+because("STOP")); err != nil {
		t.Errorf("a reason that is none: %+v, %v", got, err)
	}
}

func TestChunkWithoutCandidates(t *testing.T) {
	got, err := ask(t, `data: {"usageMetadata":{"promptTokenCount":1}}`+"\n\n"+halfATale+`data: {}`+"\n\n"+`data: {"candidates":[]}`+"\n\n"+
		`data: {"candidates":[{"index":1,"content":{"parts":[{"text":"another"}]},"finishReason":"SAFETY"}]}`+"\n\n"+
		`data: {"candidates":[{"index":0}]}`+"\n\n"+because("STOP"))
	if err != nil || got.Message.Text != "Half a tale." || got.Finish != llm.FinishStop {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = ask(t, `data: {"usageMetadata":{"promptTokenCount":1}}`+"\n\n")
	wiretest.Failure(t, err, incomplete)
}

func TestCallArgumentsThatAreNoObject(t *testing.T) {
	for _, args := range []string{`"{}"`, `[1]`, `17`, `true`} {
		_, err := ask(t, halfATale+parts(`{"functionCall":{"name":"roll","args":`+args+`}}`)+because("STOP"))
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeMalformed, Retry: true})
	}
	_, err := ask(t, parts(`{"functionCall":{"args":{}}}`)+because("STOP"))
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeMalformed, Retry: true})
}

// Calls arrive without ids, several with one name, in one event or in many.
func TestCalls(t *testing.T) {
	got, err := ask(t, parts(`{"functionCall":{"name":"roll","args":{"sides":20}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"roll","args":{"sides":6,"who":"\u6797"}}}`)+
		parts(`{"functionCall":{"id":"own","name":"look"}}`)+parts(`{"functionCall":{"name":"look","args":null}}`)+because("STOP"))
	want := []llm.ToolCall{
		{ID: "call_001", Name: "roll", Arguments: `{"sides":20}`, Signature: "c2ln"}, {ID: "call_002", Name: "roll", Arguments: `{"sides":6,"who":"\u6797"}`},
		{ID: "own", Name: "look", Arguments: "{}"}, {ID: "call_004", Name: "look", Arguments: "{}"},
	}
	if diff := cmp.Diff(want, got.Message.ToolCalls); diff != "" || err != nil || got.Finish != llm.FinishToolCalls {
		t.Errorf("%v, finish %q, (-want +got)\n%s", err, got.Finish, diff)
	}
}

func TestErrorObjectInTheMiddle(t *testing.T) {
	const busy = `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`
	for _, form := range []string{"data: %s\n\n", "data: [%s]\n\n", "event: error\ndata: %s\n\n", "%s\n\n", "[%s]\n\n", "[%s\n,\r\n%[1]s]\n\n"} {
		got, err := ask(t, halfATale+fmt.Sprintf(form, busy)+because("STOP"))
		if got.Message.Text != "Half a " {
			t.Errorf("the text is %q", got.Message.Text)
		}
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeOverloaded, Status: 503, Retry: true})
	}
	for _, body := range []string{"[" + busy + "]", busy} {
		_, err := ask(t, body)
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeOverloaded, Status: 503, Retry: true})
	}
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		reason string
		status int
		body   string
		want   llm.Error
	}{
		{"429 with RetryInfo in its details", 429, `{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[
			{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"37.5s"}]}}`,
			llm.Error{Code: llm.CodeRateLimit, Status: 429, Retry: true, RetryAfter: 37500 * time.Millisecond}},
		{"the same in a list", 429, `[{"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"2s"}]}}]`,
			llm.Error{Code: llm.CodeRateLimit, Status: 429, Retry: true, RetryAfter: 2 * time.Second}},
		{"a delay that is none", 429, `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"soon"}]}}`,
			llm.Error{Code: llm.CodeRateLimit, Status: 429, Retry: true}},
		{"a bad key answers like a bad request", 400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}`,
			llm.Error{Code: llm.CodeAuth, Status: 400}},
		{"too long", 400, `{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}`,
			llm.Error{Code: llm.CodeContextLength, Status: 400}},
		{"a bad request", 400, `{"error":{"code":400,"message":"Unknown name","status":"INVALID_ARGUMENT"}}`, llm.Error{Code: llm.CodeInvalidRequest, Status: 400}},
		{"no rights", 403, `{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}`, llm.Error{Code: llm.CodeAuth, Status: 403}},
		{"no model", 404, `{"error":{"code":404,"message":"models/x is not found","status":"NOT_FOUND"}}`, llm.Error{Code: llm.CodeNotFound, Status: 404}},
		{"broken", 500, `{"error":{"code":500,"message":"An internal error has occurred.","status":"INTERNAL"}}`, llm.Error{Code: llm.CodeServer, Status: 500, Retry: true}},
		{"too late", 504, `{"error":{"code":504,"message":"Deadline expired","status":"DEADLINE_EXCEEDED"}}`, llm.Error{Code: llm.CodeTimeout, Status: 504, Retry: true}},
		{"a page", 502, "<html>Bad gateway</html>", llm.Error{Code: llm.CodeServer, Status: 502, Retry: true}},
		{"nothing", 503, "", llm.Error{Code: llm.CodeOverloaded, Status: 503, Retry: true}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			sent := 0
			client := serve(t, gemini.Config{}, func(w http.ResponseWriter, r *http.Request) {
				sent++
				io.Copy(io.Discard, r.Body)
				w.WriteHeader(test.status)
				io.WriteString(w, test.body)
			})
			_, err := llm.Collect(client.Generate(t.Context(), hello()))
			wiretest.Failure(t, err, test.want)
			if sent != 1 {
				t.Errorf("sent %d times; the SDK retries by itself", sent)
			}
		})
	}
}

// An error with an endless body is read up to the limit.
func TestRefusalWithoutEnd(t *testing.T) {
	client := serve(t, gemini.Config{}, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(500)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat("no ", 1000)); err != nil {
				return
			}
		}
	})
	_, err := llm.Collect(client.Generate(t.Context(), hello()))
	if failure := wiretest.Failure(t, err, llm.Error{Code: llm.CodeServer, Status: 500, Retry: true}); len(failure.Body) > 4096 {
		t.Errorf("%d bytes are kept", len(failure.Body))
	}
}

func TestOKWithOtherBodies(t *testing.T) {
	for _, test := range []struct {
		reason, body string
		want         llm.Error
	}{
		{"HTML", "\n<!DOCTYPE html><title>Sign in</title>", incomplete},
		{"nothing", "", incomplete},
		{"half a list", `[{"candidates":[{"content":`, incomplete},
		{"an empty list", `[]`, incomplete},
		{"some other object", `{"hello":"world"}`, incomplete},
		{"prose", "Sign in to go on.\n\n", incomplete},
		{"broken JSON in the middle", halfATale + "data: {\"candidates\":\n\n" + because("STOP"), llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"nonsense", halfATale + "data: nonsense\n\n" + because("STOP"), llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"a number", halfATale + "data: 17\n\n" + because("STOP"), llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"a text that is none", parts(`{"text":17}`) + because("STOP"), llm.Error{Code: llm.CodeMalformed, Retry: true}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			_, err := ask(t, test.body)
			wiretest.Failure(t, err, test.want)
		})
	}
	// A list of events, as the server sends them without alt=sse, is also accepted.
	list := "[" + strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(halfATale+because("STOP"), "data: "), "\n\n"), "\n\ndata: ", ",\n") + "]"
	if got, err := ask(t, list); err != nil || got.Message.Text != "Half a tale." {
		t.Errorf("%s: %+v, %v", list, got, err)
	}
}

func TestFinishReasons(t *testing.T) {
	for word, want := range map[string]llm.FinishReason{
		"STOP": llm.FinishStop, "MAX_TOKENS": llm.FinishLength, "SAFETY": llm.FinishContentFilter, "RECITATION": llm.FinishContentFilter,
		"PROHIBITED_CONTENT": llm.FinishContentFilter, "BLOCKLIST": llm.FinishContentFilter, "SPII": llm.FinishContentFilter, "OTHER": "OTHER",
	} {
		if got, err := ask(t, halfATale+because(word)); err != nil || got.Finish != want {
			t.Errorf("%s is %q, %v, want %q", word, got.Finish, err, want)
		}
	}
	for _, word := range []string{"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"} {
		_, err := ask(t, halfATale+because(word))
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeMalformed, Retry: true})
	}
}

// The last report counts; the thinking is part of the reply.
func TestUsage(t *testing.T) {
	got, err := ask(t, halfATale+because("STOP"))
	want := &llm.Usage{PromptTokens: 10, CompletionTokens: 7, CachedTokens: 2, ReasoningTokens: 3, Extra: map[string]json.RawMessage{"trafficType": json.RawMessage(`"ON_DEMAND"`)}}
	if diff := cmp.Diff(want, got.Usage); diff != "" || err != nil {
		t.Errorf("%v, (-want +got)\n%s", err, diff)
	}
	got, err = ask(t, because("STOP")+`data: {"usageMetadata":{"promptTokenCount":"many"}}`+"\n\n")
	if err != nil || got.Usage != nil || len(got.Warnings) != 1 || got.Warnings[0].Code != "usage_unreadable" {
		t.Errorf("counts that cannot be read: %+v, %v", got, err)
	}
}

// Thoughts are separate from the text; signatures and unknown parts are kept and recorded.
func TestThoughts(t *testing.T) {
	got, err := ask(t, parts(`{"text":"The door ","thought":true}`)+parts(`{"text":"is a trap.","thought":true}`)+
		parts(`{"text":"It stands open \ud83d"}`)+parts(`{"text":"\udeaa.","thoughtSignature":"c2ln"}`)+parts(`{"text":"","thoughtSignature":"bW9yZQ=="}`)+
		parts(`{"inlineData":{"mimeType":"image/png","data":"AQI="}},{"inlineData":{}},{"executableCode":{}}`)+
		`data: {"candidates":[{"finishReason":"STOP"}]}`+"\n\n")
	want := llm.Message{Role: llm.Assistant, Text: "It stands open 🚪.", Reasoning: "The door is a trap.",
		Thoughts: []llm.Thought{{Provider: "gemini", Text: "The door is a trap.", Signature: "c2ln"}, {Provider: "gemini", Signature: "bW9yZQ=="}}}
	if diff := cmp.Diff(want, got.Message); diff != "" || err != nil {
		t.Errorf("%v, (-want +got)\n%s", err, diff)
	}
	if diff := cmp.Diff([]llm.Warning{{Code: "unknown_part", Detail: `part "inlineData"`}, {Code: "unknown_part", Detail: `part "executableCode"`}}, got.Warnings); diff != "" {
		t.Errorf("warnings (-want +got)\n%s", diff)
	}
}

// A redirect is refused, and the key is not sent to its address.
func TestRedirectIsRefused(t *testing.T) {
	elsewhere := 0
	other := scriptServer(t, nil)
	other.Config.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ })
	client := serve(t, gemini.Config{Key: "AIza-secret"}, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/v1beta", http.StatusTemporaryRedirect)
	})
	_, err := llm.Collect(client.Generate(t.Context(), hello()))
	failure := wiretest.Failure(t, err, llm.Error{Code: llm.CodeNotFound, Status: 307})
	if elsewhere != 0 || !strings.Contains(failure.Message, other.URL) {
		t.Errorf("asked elsewhere %d times; %v", elsewhere, failure)
	}
}

// No server can make the client show its key.
func TestKeyStaysSecret(t *testing.T) {
	const key = "AIza-REDACTED"
	client := serve(t, gemini.Config{Key: key, Header: http.Header{"X-Gateway-Auth": {"gate-4711-open"}}}, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(401)
		fmt.Fprintf(w, `{"error":{"code":401,"message":"no key %s, no gate %s"}}`, r.Header.Get("X-Goog-Api-Key"), r.Header.Get("X-Gateway-Auth"))
	})
	_, err := llm.Collect(client.Generate(t.Context(), hello()))
	failure := wiretest.Failure(t, err, llm.Error{Code: llm.CodeAuth, Status: 401})
	if !strings.Contains(failure.Message, "[key]") {
		t.Errorf("the server was not shown the key: %s", failure.Message)
	}
	for _, shown := range []string{err.Error(), failure.Body, fmt.Sprintf("%v %+v %#v", client, client, *client),
		fmt.Sprintf("%+v", gemini.Config{Key: key, BaseURL: "http://user:" + key + "@host/v1"})} {
		if strings.Contains(shown, key[5:]) || strings.Contains(shown, "gate-4711") {
			t.Errorf("shows a secret: %s", shown)
		}
	}
}

// A server that sends nothing, that never ends, or that sends a reply above the limits.
func TestBounds(t *testing.T) {
	client := serve(t, gemini.Config{Limits: llm.Limits{First: 30 * time.Millisecond}}, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	_, err := llm.Collect(client.Generate(t.Context(), hello()))
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeTimeout, Retry: true})
	for _, piece := range []string{": busy\n", "data: {}\n\n", "data: " + strings.Repeat("x", 1000)} {
		client := serve(t, gemini.Config{MaxStream: 1 << 20}, func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, piece); err != nil {
					return
				}
			}
		})
		_, err := llm.Collect(client.Generate(t.Context(), hello()))
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeTooLarge})
	}
	calls := strings.Repeat(`{"functionCall":{"name":"roll"}},`, 2000)
	got, err := ask(t, parts(calls+`{"text":""}`)+because("STOP"))
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeTooLarge})
	if len(got.Message.ToolCalls) != 1024 {
		t.Errorf("%d calls came", len(got.Message.ToolCalls))
	}
}

// A reply with its finishReason is complete. If a server then leaves the connection open, the
// client stops when the grace is over. Neither the idle limit nor the end of the connection makes
// the reply an error. A usage report within the grace is read, and comments do not extend the wait.
func TestConnectionStaysOpen(t *testing.T) {
	t.Parallel()
	const second = time.Second
	for _, test := range []struct {
		limits      llm.Limits
		pause, took time.Duration
	}{
		{llm.Limits{}, 9 * second, (9 + 10) * second},
		{llm.Limits{Idle: 8 * second}, 3 * second, (3 + 4) * second}, // half of the idle limit
	} {
		synctest.Test(t, func(t *testing.T) {
			client, err := gemini.New(gemini.Config{BaseURL: "http://host", Key: "none", Model: "m", Limits: test.limits, HTTPClient: &http.Client{Transport: wiretest.StaysOpen(
				test.pause, halfATale+because("STOP"), `data: {"usageMetadata":{"promptTokenCount":11}}`+"\n\n", ": still here\n\n")}})
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			got, err := llm.Collect(client.Generate(t.Context(), hello()))
			if err != nil || got.Message.Text != "Half a tale." || got.Finish != llm.FinishStop || got.Usage == nil || got.Usage.PromptTokens != 11 {
				t.Errorf("%+v, %v", got, err)
			}
			if took := time.Since(start); took != test.took {
				t.Errorf("the connection was left after %v, want %v", took, test.took)
			}
		})
	}
}

// The server refuses a request with more than five stop texts. The text is cut at the others.
func TestMoreStopTextsThanTheServerAccepts(t *testing.T) {
	var sent string
	client := serve(t, gemini.Config{}, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent = string(body)
		io.WriteString(w, halfATale+because("STOP"))
	})
	req := hello()
	req.Options.Stop = []string{"a1", "b2", "c3", "d4", "e5", "a t"}
	got, err := llm.Collect(client.Generate(t.Context(), req))
	if err != nil || got.Message.Text != "Half " || got.Finish != llm.FinishStop {
		t.Errorf("%q, %v, %v", got.Message.Text, got.Finish, err)
	}
	if !strings.Contains(sent, `"stopSequences":["a1","b2","c3","d4","e5"]`) {
		t.Errorf("sent %s", sent)
	}
}

// Characters that are split between reads and between events arrive whole.
func TestSplitCharacters(t *testing.T) {
	wiretest.SplitCharacters(t, func(t *testing.T, address string) llm.Model {
		return newClient(t, gemini.Config{BaseURL: address})
	}, parts(`{"text":"HALF","thought":true}`), parts(`{"text":"HALF"}`),
		parts(`{"functionCall":{"name":"look","args":{"at":"WHOLE"}}}`), `data: {"candidates":[{"finishReason":"STOP","index":0}]}`+"\n\n")
}
