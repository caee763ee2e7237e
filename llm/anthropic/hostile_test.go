package anthropic_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/anthropic"
)

// Pieces of streams.
const (
	started   = `data: {"type":"message_start","message":{"usage":{"input_tokens":10,"cache_read_input_tokens":5,"cache_creation_input_tokens":3,"output_tokens":1}}}` + "\n\n"
	stopped   = `data: {"type":"message_stop"}` + "\n\n"
	halfATale = started + `data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Half a "}}` + "\n\n"
)

func because(reason string) string {
	return `data: {"type":"message_delta","delta":{"stop_reason":"` + reason + `"},"usage":{"output_tokens":7}}` + "\n\n"
}

func blockAt(index int, content string) string {
	return fmt.Sprintf(`data: {"type":"content_block_start","index":%d,"content_block":%s}`+"\n\n", index, content)
}

func deltaAt(index int, delta string) string {
	return fmt.Sprintf(`data: {"type":"content_block_delta","index":%d,"delta":%s}`+"\n\n", index, delta)
}

func stopAt(index int) string {
	return fmt.Sprintf(`data: {"type":"content_block_stop","index":%d}`+"\n\n", index)
}

func call(name string) string {
	return `{"type":"tool_use","id":"id_` + name + `","name":"` + name + `","input":{}}`
}

func arguments(piece string) string {
	return `{"type":"input_json_delta","partial_json":` + quote(piece) + `}`
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

func TestStreamWithoutMessageStop(t *testing.T) {
	for reason, body := range map[string]string{
		"nothing behind the text":      halfATale,
		"a stop_reason, but no end":    halfATale + stopAt(0) + because("end_turn"),
		"the last event is half there": halfATale + `data: {"type":"message_de`,
	} {
		got, err := ask(t, body)
		if got.Message.Text != "Half a " {
			t.Errorf("%s: the text is %q", reason, got.Message.Text)
		}
		wiretest.Failure(t, err, incomplete)
	}
}

func TestMessageStopWithoutStopReason(t *testing.T) {
	for _, body := range []string{halfATale + stopAt(0) + stopped, started + stopped, halfATale + `data: {"type":"message_delta","delta":{"stop_reason":null}}` + "\n\n" + stopped} {
		_, err := ask(t, body)
		wiretest.Failure(t, err, incomplete)
	}
}

func TestErrorEventAfterText(t *testing.T) {
	for _, test := range []struct {
		kind string
		want llm.Error
	}{
		{"overloaded_error", llm.Error{Code: llm.CodeOverloaded, Retry: true}},
		{"api_error", llm.Error{Code: llm.CodeServer, Retry: true}},
		{"rate_limit_error", llm.Error{Code: llm.CodeRateLimit, Retry: true}},
		{"invalid_request_error", llm.Error{Code: llm.CodeInvalidRequest}},
		{"billing_error", llm.Error{Code: llm.CodeAuth}},
	} {
		for _, name := range []string{"event: error\ndata: ", "data: ", ""} {
			got, err := ask(t, halfATale+name+`{"type":"error","error":{"type":"`+test.kind+`","message":"Sorry."}}`+"\n\n"+stopped)
			if got.Message.Text != "Half a " {
				t.Errorf("the text is %q", got.Message.Text)
			}
			if failure := wiretest.Failure(t, err, test.want); failure.Message != "Sorry." {
				t.Errorf("the words are %q", failure.Message)
			}
		}
	}
}

func TestBlockIndexesOutOfOrderOrRepeated(t *testing.T) {
	calls := func(names ...string) []llm.ToolCall {
		var out []llm.ToolCall
		for _, name := range names {
			out = append(out, llm.ToolCall{ID: "id_" + name, Name: name, Arguments: `{"a":"` + name + `"}`})
		}
		return out
	}
	end := because("tool_use") + stopped
	for _, test := range []struct {
		reason, body string
		want         []llm.ToolCall
	}{
		{"the later index first", started + blockAt(5, call("x")) + blockAt(1, call("y")) + deltaAt(1, arguments(`{"a":"y"}`)) +
			deltaAt(5, arguments(`{"a":"x"}`)) + stopAt(1) + stopAt(5) + end, calls("x", "y")},
		{"parts by turns", started + blockAt(0, call("x")) + blockAt(1, call("y")) + deltaAt(0, arguments(`{"a":`)) + deltaAt(1, arguments(`{"a":`)) +
			deltaAt(1, arguments(`"y"}`)) + deltaAt(0, arguments(`"x"}`)) + stopAt(0) + stopAt(1) + end, calls("x", "y")},
		{"one index for two calls", started + blockAt(0, call("x")) + deltaAt(0, arguments(`{"a":"x"}`)) + stopAt(0) +
			blockAt(0, call("y")) + deltaAt(0, arguments(`{"a":"y"}`)) + stopAt(0) + end, calls("x", "y")},
		{"one index again without a stop", started + blockAt(0, call("x")) + deltaAt(0, arguments(`{"a":"x"}`)) +
			blockAt(0, call("y")) + deltaAt(0, arguments(`{"a":"y"}`)) + end, calls("x", "y")},
		{"a stop for nothing", started + stopAt(7) + blockAt(0, call("x")) + deltaAt(0, arguments(`{"a":"x"}`)) + stopAt(0) + stopAt(0) + end, calls("x")},
		{"arguments in the begin", started + blockAt(0, `{"type":"tool_use","id":"id_x","name":"x","input":{"a":"x"}}`) + stopAt(0) + end, calls("x")},
		{"no id", started + blockAt(0, `{"type":"tool_use","name":"x","input":{}}`) + stopAt(0) + end,
			[]llm.ToolCall{{ID: "call_001", Name: "x", Arguments: "{}"}}},
	} {
		got, err := ask(t, test.body)
		if err != nil || got.Finish != llm.FinishToolCalls {
			t.Errorf("%s: %v, finish %q", test.reason, err, got.Finish)
		}
		if diff := cmp.Diff(test.want, got.Message.ToolCalls); diff != "" {
			t.Errorf("%s: calls (-want +got)\n%s", test.reason, diff)
		}
	}
	for reason, index := range map[string]string{"negative": "-1", "huge": "1e9", "a text": `"x"`, "an object": "{}"} {
		_, err := ask(t, started+`data: {"type":"content_block_start","index":`+index+`,"content_block":`+call("x")+"}\n\n"+end)
		if failure, ok := errors.AsType[*llm.Error](err); !ok || failure.Code != llm.CodeMalformed {
			t.Errorf("an index that is %s: %v", reason, err)
		}
	}
}

func TestInputThatNeverBecomesJSON(t *testing.T) {
	body := started + blockAt(0, call("x")) + deltaAt(0, arguments(`{"target":`)) + deltaAt(0, arguments(`"gob`)) + stopAt(0)
	_, err := ask(t, body+because("tool_use")+stopped)
	if failure := wiretest.Failure(t, err, llm.Error{Code: llm.CodeMalformed, Retry: true}); !strings.Contains(failure.Message, `{\"target\":\"gob`) {
		t.Errorf("the message shows no beginning: %s", failure.Message)
	}
	// The token limit truncates calls: that is not a mistake of the model.
	got, err := ask(t, body+because("max_tokens")+stopped)
	if err != nil || got.Finish != llm.FinishLength || got.Message.ToolCalls[0].Arguments != `{"target":"gob` {
		t.Errorf("cut by the limit: %+v, %v", got, err)
	}
	_, err = ask(t, started+deltaAt(3, arguments("{}"))+because("tool_use")+stopped)
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeMalformed, Retry: true})
}

func TestPingFlood(t *testing.T) {
	flood := strings.Repeat("event: ping\ndata: {\"type\": \"ping\"}\n\n", 5000)
	got, err := ask(t, flood+halfATale+flood+stopAt(0)+because("end_turn")+flood+stopped)
	if err != nil || got.Message.Text != "Half a " {
		t.Errorf("%q, %v", got.Message.Text, err)
	}
	// Pings do not count as chunks of the model.
	client := serve(t, anthropic.Config{Limits: llm.Limits{First: 30 * time.Millisecond}}, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		for r.Context().Err() == nil {
			io.WriteString(w, "event: ping\ndata: {\"type\": \"ping\"}\n\n")
			http.NewResponseController(w).Flush()
		}
	})
	_, err = llm.Collect(client.Generate(t.Context(), hello()))
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeTimeout, Retry: true})
	// Endless pings are not allowed either.
	client = serve(t, anthropic.Config{MaxStream: 1 << 20}, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			io.WriteString(w, flood)
		}
	})
	_, err = llm.Collect(client.Generate(t.Context(), hello()))
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeTooLarge})
}

func TestUnknownEventsAndBlocks(t *testing.T) {
	got, err := ask(t, halfATale+
		`data: {"type":"message_thought","x":1}`+"\n\n"+`data: {"type":"message_thought","x":2}`+"\n\n"+
		blockAt(1, `{"type":"server_tool_use","id":"s","name":"web_search","input":{}}`)+deltaAt(1, arguments(`{"query":`))+stopAt(1)+
		deltaAt(0, `{"type":"smell_delta","smell":"smoke"}`)+deltaAt(0, `{"type":"citations_delta","citation":{}}`)+
		deltaAt(0, `{"type":"text_delta","text":"tale."}`)+stopAt(0)+because("end_turn")+"data: [DONE]\n\n"+stopped)
	if err != nil || got.Message.Text != "Half a tale." || len(got.Message.ToolCalls) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	want := []llm.Warning{
		{Code: "unknown_part", Detail: `event "message_thought"`}, {Code: "unknown_part", Detail: `block "server_tool_use"`},
		{Code: "unknown_part", Detail: `delta "smell_delta"`},
	}
	if diff := cmp.Diff(want, got.Warnings); diff != "" {
		t.Errorf("warnings (-want +got)\n%s", diff)
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "data: {\"type\":\"new_%d\"}\n\n", i)
	}
	if got, err = ask(t, many.String()+halfATale+because("end_turn")+stopped); err != nil || len(got.Warnings) != 16 {
		t.Errorf("%d warnings of a thousand kinds, %v", len(got.Warnings), err)
	}
}

func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		reason string
		status int
		header http.Header
		body   string
		want   llm.Error
	}{
		{"529 is busy", 529, nil, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
			llm.Error{Code: llm.CodeOverloaded, Status: 529, Retry: true}},
		{"529 without words", 529, nil, "", llm.Error{Code: llm.CodeOverloaded, Status: 529, Retry: true}},
		{"413 is a request that is too long", 413, nil, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`,
			llm.Error{Code: llm.CodeContextLength, Status: 413}},
		{"413 of a gateway", 413, nil, "<html>413 Request Entity Too Large</html>", llm.Error{Code: llm.CodeContextLength, Status: 413}},
		{"a prompt that is too long", 400, nil, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`,
			llm.Error{Code: llm.CodeContextLength, Status: 400}},
		{"no credit", 400, nil, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`,
			llm.Error{Code: llm.CodeAuth, Status: 400}},
		{"401", 401, nil, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, llm.Error{Code: llm.CodeAuth, Status: 401}},
		{"429 with seconds", 429, http.Header{"Retry-After": {"12"}}, `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`,
			llm.Error{Code: llm.CodeRateLimit, Status: 429, Retry: true, RetryAfter: 12 * time.Second}},
		{"429 with milliseconds", 429, http.Header{"Retry-After-Ms": {"1500"}}, `{}`,
			llm.Error{Code: llm.CodeRateLimit, Status: 429, Retry: true, RetryAfter: 1500 * time.Millisecond}},
		{"500 with a page", 500, nil, "<html>oops</html>", llm.Error{Code: llm.CodeServer, Status: 500, Retry: true}},
		{"404", 404, nil, `{"type":"error","error":{"type":"not_found_error","message":"model: x"}}`, llm.Error{Code: llm.CodeNotFound, Status: 404}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			sent := 0
			client := serve(t, anthropic.Config{}, func(w http.ResponseWriter, r *http.Request) {
				sent++
				io.Copy(io.Discard, r.Body)
				maps.Copy(w.Header(), test.header)
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
	client := serve(t, anthropic.Config{}, func(w http.ResponseWriter, r *http.Request) {
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
		{"blank lines", "\n\n\n", incomplete},
		{"an error object", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, llm.Error{Code: llm.CodeOverloaded, Retry: true}},
		{"half a message", `{"type":"message","content":[{"type":"te`, incomplete},
		{"a message without a stop_reason", `{"type":"message","content":[{"type":"text","text":"Hi."}]}`, incomplete},
		{"some other object", `{"hello":"world"}`, llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"prose", "Sign in to go on.\n\n", incomplete},
		{"broken JSON in the middle", started + "data: {\"type\":\n\n" + stopped, llm.Error{Code: llm.CodeMalformed, Retry: true}},
		{"nonsense", started + "data: nonsense\n\n" + stopped, llm.Error{Code: llm.CodeMalformed, Retry: true}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			_, err := ask(t, test.body)
			wiretest.Failure(t, err, test.want)
		})
	}
}

// A whole message is accepted instead of a stream.
func TestWholeMessage(t *testing.T) {
	got, err := ask(t, `{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"sig"},
		{"type":"text","text":"I roll."},{"type":"tool_use","id":"t1","name":"roll","input":{"sides":20}}],
		"stop_reason":"tool_use","usage":{"input_tokens":10,"output_tokens":5}}`)
	want := llm.Response{Finish: llm.FinishToolCalls, Usage: &llm.Usage{PromptTokens: 10, CompletionTokens: 5},
		Message: llm.Message{Role: llm.Assistant, Text: "I roll.", Reasoning: "Hm.",
			Thoughts:  []llm.Thought{{Provider: anthropic.Provider, Text: "Hm.", Signature: "sig"}},
			ToolCalls: []llm.ToolCall{{ID: "t1", Name: "roll", Arguments: `{"sides":20}`}}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, (-want +got)\n%s", err, diff)
	}
}

func TestStopReasons(t *testing.T) {
	for word, want := range map[string]llm.FinishReason{
		"end_turn": llm.FinishStop, "stop_sequence": llm.FinishStop, "max_tokens": llm.FinishLength,
		"model_context_window_exceeded": llm.FinishLength, "tool_use": llm.FinishToolCalls,
		"refusal": llm.FinishContentFilter, "pause_turn": "pause_turn",
	} {
		if got, err := ask(t, halfATale+because(word)+stopped); err != nil || got.Finish != want {
			t.Errorf("%s is %q, %v, want %q", word, got.Finish, err, want)
		}
	}
}

// Both counts of the cache are part of the prompt.
func TestUsage(t *testing.T) {
	got, err := ask(t, halfATale+because("end_turn")+stopped)
	want := &llm.Usage{PromptTokens: 18, CompletionTokens: 7, CachedTokens: 5, CacheWriteTokens: 3}
	if diff := cmp.Diff(want, got.Usage); diff != "" || err != nil {
		t.Errorf("%v, (-want +got)\n%s", err, diff)
	}
	got, err = ask(t, halfATale+`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":"many"}}`+"\n\n"+stopped)
	if err != nil || got.Usage != nil || len(got.Warnings) != 1 || got.Warnings[0].Code != "usage_unreadable" || got.Message.Text != "Half a " {
		t.Errorf("counts that cannot be read: %+v, %v", got, err)
	}
	members := `"service_tier":"standard"`
	for i := range 10_000 {
		members += fmt.Sprintf(`,"m%d":1`, i)
	}
	got, err = ask(t, halfATale+`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{`+members+`}}`+"\n\n"+stopped)
	if err != nil || len(got.Usage.Extra) != 64 || string(got.Usage.Extra["service_tier"]) != `"standard"` {
		t.Errorf("%d unknown members are kept, %v", len(got.Usage.Extra), err)
	}
}

// Thinking is separate from the text, with its signatures, and so is thinking that only the
// provider can read.
func TestThinking(t *testing.T) {
	got, err := ask(t, started+
		blockAt(0, `{"type":"thinking","thinking":"","signature":""}`)+deltaAt(0, `{"type":"thinking_delta","thinking":"The door "}`)+
		deltaAt(0, `{"type":"thinking_delta","thinking":"is a trap."}`)+deltaAt(0, `{"type":"signature_delta","signature":"EqQ"}`)+
		deltaAt(0, `{"type":"signature_delta","signature":"BCg=="}`)+stopAt(0)+
		blockAt(1, `{"type":"redacted_thinking","data":"EmwK"}`)+stopAt(1)+
		blockAt(2, `{"type":"text","text":"The door "}`)+deltaAt(2, `{"type":"text_delta","text":"stands open \ud83d"}`)+
		deltaAt(2, `{"type":"text_delta","text":"\udeaa."}`)+stopAt(2)+because("end_turn")+stopped)
	want := llm.Message{Role: llm.Assistant, Text: "The door stands open 🚪.", Reasoning: "The door is a trap.",
		Thoughts: []llm.Thought{
			{Provider: anthropic.Provider, Text: "The door is a trap.", Signature: "EqQBCg=="}, {Provider: anthropic.Provider, Redacted: "EmwK"},
		}}
	if diff := cmp.Diff(want, got.Message); diff != "" || err != nil {
		t.Errorf("%v, (-want +got)\n%s", err, diff)
	}
}

// A redirect is refused, and the key is not sent to its address.
func TestRedirectIsRefused(t *testing.T) {
	elsewhere := 0
	other := scriptServer(t, nil)
	other.Config.Handler = http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ })
	client := serve(t, anthropic.Config{Key: "sk-ant-secret"}, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/v1/messages", http.StatusTemporaryRedirect)
	})
	_, err := llm.Collect(client.Generate(t.Context(), hello()))
	failure := wiretest.Failure(t, err, llm.Error{Code: llm.CodeNotFound, Status: 307})
	if elsewhere != 0 || !strings.Contains(failure.Message, other.URL) {
		t.Errorf("asked elsewhere %d times; %v", elsewhere, failure)
	}
}

// No server can make the client show its key.
func TestKeyStaysSecret(t *testing.T) {
	const key = "sk-ant-REDACTED"
	client := serve(t, anthropic.Config{Key: key, Header: http.Header{"X-Gateway-Auth": {"gate-4711-open"}}}, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(401)
		fmt.Fprintf(w, `{"type":"error","error":{"type":"authentication_error","message":"no key %s, no gate %s"}}`,
			r.Header.Get("X-Api-Key"), r.Header.Get("X-Gateway-Auth"))
	})
	_, err := llm.Collect(client.Generate(t.Context(), hello()))
	failure := wiretest.Failure(t, err, llm.Error{Code: llm.CodeAuth, Status: 401})
	for _, shown := range []string{err.Error(), failure.Body, fmt.Sprintf("%v %+v %#v", client, client, *client),
		fmt.Sprintf("%+v", anthropic.Config{Key: key, BaseURL: "http://user:" + key + "@host/v1"})} {
		if strings.Contains(shown, key[4:14]) || strings.Contains(shown, "gate-4711") {
			t.Errorf("shows a secret: %s", shown)
		}
	}
}

// More calls than the limit end the reply.
func TestMoreCallsThanTheLimit(t *testing.T) {
	var body strings.Builder
	body.WriteString(started)
	for i := range 2000 {
		body.WriteString(blockAt(i, call("x")) + stopAt(i))
	}
	got, err := ask(t, body.String()+because("tool_use")+stopped)
	wiretest.Failure(t, err, llm.Error{Code: llm.CodeTooLarge})
	if len(got.Message.ToolCalls) != 1024 {
		t.Errorf("%d calls came", len(got.Message.ToolCalls))
	}
}

// Characters that are split between reads and between events arrive whole.
func TestSplitCharacters(t *testing.T) {
	piece := func(index int, kind, member string) string {
		return deltaAt(index, `{"type":"`+kind+`","`+member+`":"HALF"}`)
	}
	wiretest.SplitCharacters(t, func(t *testing.T, address string) llm.Model {
		return newClient(t, anthropic.Config{BaseURL: address})
	}, started,
		blockAt(0, `{"type":"thinking","thinking":""}`), piece(0, "thinking_delta", "thinking"), stopAt(0),
		blockAt(1, `{"type":"text","text":""}`), piece(1, "text_delta", "text"), stopAt(1),
		blockAt(2, call("look")), deltaAt(2, arguments(`{"at":"`)), piece(2, "input_json_delta", "partial_json"), deltaAt(2, arguments(`"}`)), stopAt(2),
		blockAt(3, `{"type":"tool_use","id":"b","name":"look","input":{"at":"WHOLE"}}`), stopAt(3),
		because("tool_use"), stopped)
}

// Arguments at the beginning of a block are valid UTF-8, as arguments in pieces are.
func TestBrokenCharacterInWholeArguments(t *testing.T) {
	got, err := wiretest.Drain(t, serveBody(t, started+blockAt(0, `{"type":"tool_use","id":"a","name":"look","input":{"at":"`+"\xff"+`"}}`)+
		stopAt(0)+because("tool_use")+stopped).Generate(t.Context(), hello()))
	if err != nil || got.Message.ToolCalls[0].Arguments != `{"at":"`+"\uFFFD"+`"}` {
		t.Errorf("%+v, %v", got.Message.ToolCalls, err)
	}
}
