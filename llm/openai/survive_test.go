package openai_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// serve starts a server with one handler and returns a client of it.
func serve(t *testing.T, config openai.Config, handler http.HandlerFunc) *openai.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	config.BaseURL = server.URL
	return newClient(t, config)
}

// serveBody answers every request with status 200 and this body.
func serveBody(t *testing.T, body string) *openai.Client {
	t.Helper()
	return serve(t, openai.Config{}, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, body)
	})
}

func ask(t *testing.T, client *openai.Client) (llm.Response, error) {
	t.Helper()
	return llm.Collect(client.Generate(t.Context(), hello()))
}

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}
}

// Short forms of events.
const (
	eventHi   = `data: {"choices":[{"index":0,"delta":{"content":"Hi, "}}]}` + "\n\n"
	eventYou  = `data: {"choices":[{"index":0,"delta":{"content":"you."}}]}` + "\n\n"
	eventStop = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	eventDone = "data: [DONE]\n\n"
)

// LL-02, LL-05, LL-07, LL-10: every stream here is a complete reply.
func TestCompleteStreams(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("龙", 2<<20/3)
	for name, test := range map[string]struct {
		body            string
		text, reasoning string
		finish          llm.FinishReason
	}{
		"plain": {body: eventHi + eventYou + eventStop + eventDone, text: "Hi, you."},
		"CRLF": {
			body: strings.ReplaceAll(eventHi+eventYou+eventStop+eventDone, "\n", "\r\n"),
			text: "Hi, you.",
		},
		"CR alone": {
			body: strings.ReplaceAll(eventHi+eventYou+eventStop+eventDone, "\n", "\r"),
			text: "Hi, you.",
		},
		"data without blank": {
			body: strings.ReplaceAll(eventHi+eventYou+eventStop+eventDone, "data: ", "data:"),
			text: "Hi, you.",
		},
		"one event over several data lines": {
			body: "data: {\"choices\":\ndata: [{\"index\":0,\ndata:\"delta\":{\"content\":\"Hi, \"}}]}\n\n" +
				eventYou + eventStop + eventDone,
			text: "Hi, you.",
		},
		"1000 comment lines": {
			body: strings.Repeat(": PROCESSING\n\n", 1000) + eventHi + eventYou + eventStop + eventDone,
			text: "Hi, you.",
		},
		"1000 comment lines without blank lines": {
			body: strings.Repeat(": PROCESSING\n", 1000) + eventHi + eventYou + eventStop + eventDone,
			text: "Hi, you.",
		},
		"2 MB event": {
			body: strings.Replace(eventHi, "Hi, ", long, 1) + eventYou + eventStop + eventDone,
			text: long + "you.",
		},
		"byte order mark and blank lines": {
			body: "\uFEFF\n\n" + eventHi + eventYou + eventStop + eventDone, text: "Hi, you.",
		},
		"named events": {
			body: "event: message\nid: 7\n" + eventHi + eventYou + eventStop + eventDone,
			text: "Hi, you.",
		},
		"no [DONE] but a finish_reason": {body: eventHi + eventYou + eventStop, text: "Hi, you."},
		"last event without blank line": {
			body: eventHi + eventYou + strings.TrimSpace(eventStop), text: "Hi, you.",
		},
		"finish_reason in the last text event": {
			body: eventHi + strings.Replace(eventYou, "}}]", `},"finish_reason":"stop"}]`, 1),
			text: "Hi, you.",
		},
		"finish_reason null until the end": {
			body: strings.ReplaceAll(eventHi+eventYou, "}}]", `},"finish_reason":null}]`) + eventStop,
			text: "Hi, you.",
		},
		"finish_reason length": {
			body: eventHi + strings.Replace(eventStop, `"stop"`, `"length"`, 1), text: "Hi, ",
			finish: llm.FinishLength,
		},
		"finish_reason content_filter": {
			body: eventHi + strings.Replace(eventStop, `"stop"`, `"content_filter"`, 1), text: "Hi, ",
			finish: llm.FinishContentFilter,
		},
		"finish_reason in the words of others": {
			body: eventHi + strings.Replace(eventStop, `"stop"`, `"eos_token"`, 1), text: "Hi, ",
		},
		"finish_reason unknown": {
			body: eventHi + strings.Replace(eventStop, `"stop"`, `"sunset"`, 1), text: "Hi, ",
			finish: "sunset",
		},
		"nothing after [DONE] counts": {
			body: eventHi + eventStop + eventDone + eventYou, text: "Hi, ",
		},
		"JSON completion": {
			body: `{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi, you.",` +
				`"reasoning_content":"greet"},"finish_reason":"stop"}]}`,
			text: "Hi, you.", reasoning: "greet",
		},
		"JSON completion, indented, without finish_reason": {
			body: "\n{\n \"choices\": [ { \"message\": { \"content\": \"Hi, you.\" } } ]\n}",
			text: "Hi, you.",
		},
		"a whole message in an event": {
			body: `data: {"choices":[{"message":{"content":"Hi, you."},"finish_reason":"stop"}]}` + "\n\n",
			text: "Hi, you.",
		},
		"the whole message after its deltas": {
			body: eventHi + eventYou +
				`data: {"choices":[{"message":{"content":"Hi, you."},"finish_reason":"stop"}]}` + "\n\n",
			text: "Hi, you.",
		},
		"reasoning_content": {
			body: `data: {"choices":[{"delta":{"reasoning_content":"think","content":null}}]}` + "\n\n" +
				eventHi + eventStop,
			text: "Hi, ", reasoning: "think",
		},
		"reasoning": {
			body: `data: {"choices":[{"delta":{"reasoning":"think","content":""}}]}` + "\n\n" +
				eventHi + eventStop,
			text: "Hi, ", reasoning: "think",
		},
		"both names, same text": {
			body: `data: {"choices":[{"delta":{"reasoning":"think","reasoning_content":"think"}}]}` +
				"\n\n" + eventHi + eventStop,
			text: "Hi, ", reasoning: "think",
		},
		"both null": {
			body: strings.Replace(eventHi, `"content"`,
				`"reasoning":null,"reasoning_content":null,"content"`, 1) + eventStop,
			text: "Hi, ",
		},
		"content in parts": {
			body: `data: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":` +
				`[{"type":"text","text":"think"}]},{"type":"text","text":"Hi, "}]}}]}` + "\n\n" + eventStop,
			text: "Hi, ", reasoning: "think",
		},
		"refusal": {
			body: `data: {"choices":[{"delta":{"refusal":"I cannot."}}]}` + "\n\n" + eventStop,
			text: "I cannot.",
		},
		"surrogate pair cut": {
			body: `data: {"choices":[{"delta":{"content":"a\ud83d"}}]}` + "\n\n" +
				`data: {"choices":[{"delta":{"content":"\udc09b"}}]}` + "\n\n" + eventStop,
			text: "a🐉b",
		},
		"surrogate pair whole": {
			body: `data: {"choices":[{"delta":{"content":"a\ud83d\udc09b"}}]}` + "\n\n" + eventStop,
			text: "a🐉b",
		},
		"surrogate alone": {
			body: `data: {"choices":[{"delta":{"content":"a\ud83d"}}]}` + "\n\n" +
				`data: {"choices":[{"delta":{"content":"b\udc09"}}]}` + "\n\n" + eventStop,
			text: "a\uFFFDb\uFFFD",
		},
		"surrogate at the end": {
			body: `data: {"choices":[{"delta":{"content":"a\ud83d"}}]}` + "\n\n" + eventStop,
			text: "a\uFFFD",
		},
		"multi-byte character cut": {
			body: "data: {\"choices\":[{\"delta\":{\"content\":\"a\xe9\xbe\"}}]}\n\n" +
				"data: {\"choices\":[{\"delta\":{\"content\":\"\x99b\"}}]}\n\n" + eventStop,
			text: "a龙b",
		},
		"multi-byte character cut in the reasoning": {
			body: "data: {\"choices\":[{\"delta\":{\"reasoning\":\"\xe9\"}}]}\n\n" +
				"data: {\"choices\":[{\"delta\":{\"reasoning\":\"\xbe\x99\"}}]}\n\n" + eventHi + eventStop,
			text: "Hi, ", reasoning: "龙",
		},
		"invalid bytes": {
			body: "data: {\"choices\":[{\"delta\":{\"content\":\"a\xff\xfeb\"}}]}\n\n" + eventStop,
			text: "a\uFFFD\uFFFDb",
		},
		"escapes": {
			body: `data: {"choices":[{"delta":{"content":"\"\\\/\b\f\n\r\t\u9F99\u00e9"}}]}` + "\n\n" + eventStop,
			text: "\"\\/\b\f\n\r\t龙é",
		},
		"several choices, only index 0": {
			body: `data: {"choices":[{"index":1,"delta":{"content":"no"}},` +
				`{"index":0,"delta":{"content":"Hi, "}}]}` + "\n\n" +
				`data: {"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"length"}]}` + "\n\n" +
				eventYou + eventStop,
			text: "Hi, you.",
		},
		"events without choices": {
			body: `data: {"id":"x","object":"chat.completion.chunk","choices":[],"error":null}` + "\n\n" +
				`data: {"choices":[],"error":{}}` + "\n\n" + `data: {"choices":[],"error":""}` + "\n\n" +
				"event: ping\ndata:\n\n" + eventHi + eventStop,
			text: "Hi, ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(t, serveBody(t, test.body))
			if err != nil {
				t.Fatal(err)
			}
			want := llm.Response{
				Message: llm.Message{Role: llm.Assistant, Text: test.text, Reasoning: test.reasoning},
				Finish:  test.finish,
			}
			if want.Finish == "" {
				want.Finish = llm.FinishStop
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("reply %.2000s,\nwant %.2000s", fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", want))
			}
		})
	}
}

// LL-07: a stream without its end mark is an error, never a short success.
func TestIncompleteStreams(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ body, text string }{
		"neither [DONE] nor finish_reason": {eventHi + eventYou, "Hi, you."},
		"[DONE] without finish_reason":     {eventHi + eventYou + eventDone, "Hi, you."},
		"only [DONE]":                      {eventDone, ""},
		"only comments":                    {": PROCESSING\n\n: PROCESSING\n\n", ""},
		"cut within an event":              {eventHi + eventYou[:30], "Hi, "},
		"cut within a JSON completion":     {`{"choices":[{"index":0,"message":{"content":"Hi`, ""},
		"HTML":                             {"<!DOCTYPE html><html><body>Bad gateway</body></html>", ""},
		"plain text":                       {"upstream connect error\n", ""},
		"empty body":                       {"", ""},
		"blank body":                       {" \r\n\r\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(t, serveBody(t, test.body))
			expectIncomplete(t, err)
			if got.Message.Text != test.text {
				t.Errorf("before the error came %q, want %q", got.Message.Text, test.text)
			}
		})
	}
}

func expectIncomplete(t *testing.T, err error) {
	t.Helper()
	failure, ok := errors.AsType[*llm.Error](err)
	if !ok || failure.Code != llm.CodeIncomplete || !failure.Retryable() ||
		!errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "retry may help") {
		t.Errorf("the error is %v, want an incomplete one", err)
	}
}

func TestConnectionDropped(t *testing.T) {
	t.Parallel()
	drop := func(events string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, events)
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
	}
	t.Run("within the text", func(t *testing.T) {
		got, err := ask(t, serve(t, openai.Config{}, drop(eventHi+eventYou[:40])))
		expectIncomplete(t, err)
		if got.Message.Text != "Hi, " {
			t.Errorf("text %q", got.Message.Text)
		}
	})
	t.Run("after the finish_reason", func(t *testing.T) {
		got, err := ask(t, serve(t, openai.Config{}, drop(eventHi+eventStop)))
		if err != nil || got.Message.Text != "Hi, " {
			t.Errorf("got %q, %v; the finish_reason is the end mark", got.Message.Text, err)
		}
	})
	t.Run("before the status", func(t *testing.T) {
		_, err := ask(t, serve(t, openai.Config{}, func(http.ResponseWriter, *http.Request) {
			panic(http.ErrAbortHandler)
		}))
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeNetwork, Retry: true})
	})
	t.Run("nobody listens", func(t *testing.T) {
		server := httptest.NewServer(nil)
		server.Close()
		_, err := ask(t, newClient(t, openai.Config{BaseURL: server.URL}))
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeNetwork, Retry: true})
		if !strings.Contains(err.Error(), server.URL) {
			t.Errorf("%q does not name the server", err)
		}
	})
}

func TestBrokenJSON(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ body, text, quoted string }{
		"garbage":               {eventHi + "data: {\"choices\":oops\n\n" + eventYou, "Hi, ", `oops`},
		"event cut by a server": {eventHi + "data: {\"choices\":[{\n\n" + eventYou + eventStop, "Hi, ", `choices`},
		"not an object":         {eventHi + "data: 17\n\n", "Hi, ", "17"},
		"text of a wrong type":  {`data: {"choices":[{"delta":{"content":5}}]}` + "\n\n", "", "5"},
		"choices of a wrong type": {
			`data: {"choices":"none"}` + "\n\n", "", "none",
		},
		"completion without a message": {`{"id":"x"}`, "", "there is no message"},
		"completion of a wrong type":   {`{"choices":[{"message":{"content":{}}}]}`, "", "{}"},
		"content part of a wrong type": {
			`data: {"choices":[{"delta":{"content":[{"type":"text","text":1}]}}]}` + "\n\n", "", "1",
		},
		"reasoning of a wrong type": {
			`data: {"choices":[{"delta":{"reasoning":1}}]}` + "\n\n", "", "1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(t, serveBody(t, test.body))
			wiretest.Failure(t, err, llm.Error{Code: llm.CodeMalformed, Retry: true})
			if got.Message.Text != test.text || !strings.Contains(err.Error(), test.quoted) {
				t.Errorf("text %q, error %q; the error has to show %q",
					got.Message.Text, err, test.quoted)
			}
		})
	}
	t.Run("event too long", func(t *testing.T) {
		t.Parallel()
		_, err := ask(t, serveBody(t, eventHi+"data: "+strings.Repeat("x", 17<<20)))
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeTooLarge})
	})
	t.Run("completion too long", func(t *testing.T) {
		t.Parallel()
		_, err := ask(t, serveBody(t, `{"choices":"`+strings.Repeat("x", 17<<20)))
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeTooLarge})
	})
}

// LL-08: the error object, wherever it is in a 200 response.
func TestReportedErrors(t *testing.T) {
	t.Parallel()
	event := func(data string) string { return "data: " + data + "\n\n" }
	for name, test := range map[string]struct {
		body, text string
		want       llm.Error
	}{
		"alone": {
			eventHi + event(`{"error":{"message":"busy","code":"overloaded"}}`), "Hi, ",
			llm.Error{Code: llm.CodeOverloaded, Retry: true, Message: "busy"},
		},
		"before other members": {
			event(`{"error":{"message":"m","code":502},"id":"1","choices":[]}`), "",
			llm.Error{Code: llm.CodeServer, Status: 502, Retry: true, Message: "m"},
		},
		"after other members": {
			event(`{"id":"1","choices":[{"delta":{"content":""}}],"error":{"code":"502","message":"m"}}`),
			"", llm.Error{Code: llm.CodeServer, Status: 502, Retry: true, Message: "m"},
		},
		"with finish_reason error": {
			eventHi + event(`{"choices":[{"delta":{"content":""},"finish_reason":"error"}],`+
				`"error":{"code":429,"message":"slow"}}`), "Hi, ",
			llm.Error{Code: llm.CodeRateLimit, Status: 429, Retry: true, Message: "slow"},
		},
		"only finish_reason error": {
			eventHi + event(`{"choices":[{"delta":{},"finish_reason":"error"}]}`), "Hi, ",
			llm.Error{Code: llm.CodeServer, Retry: true},
		},
		"within the choice": {
			event(`{"choices":[{"index":0,"error":{"code":401,"message":"m"}}]}`), "",
			llm.Error{Code: llm.CodeAuth, Status: 401, Message: "m"},
		},
		"event named error": {
			eventHi + "event: error\n" + event(`{"message":"m","type":"invalid_request_error"}`), "Hi, ",
			llm.Error{Code: llm.CodeInvalidRequest, Message: "m"},
		},
		"event named error with text": {
			"event: error\n" + event("out of memory"), "",
			llm.Error{Code: llm.CodeServer, Retry: true, Message: `"out of memory"`},
		},
		"event named error with an error object": {
			"event: error\n" + event(`{"error":{"message":"m","code":503}}`), "",
			llm.Error{Code: llm.CodeOverloaded, Status: 503, Retry: true, Message: "m"},
		},
		"no field name before the JSON": {
			eventHi + `{"error":{"message":"m","code":400}}` + "\n\n", "Hi, ",
			llm.Error{Code: llm.CodeInvalidRequest, Status: 400, Message: "m"},
		},
		"in a list": {
			eventHi + "[{\n  \"error\": {\n    \"code\": 429,\n    \"message\": \"m\"\n  }\n}]", "Hi, ",
			llm.Error{Code: llm.CodeRateLimit, Status: 429, Retry: true, Message: "m"},
		},
		"text": {
			event(`{"error":"model is gone"}`), "",
			llm.Error{Code: llm.CodeServer, Retry: true, Message: "model is gone"},
		},
		"flat object": {
			event(`{"object":"error","message":"m","type":"BadRequestError","code":400}`), "",
			llm.Error{Code: llm.CodeInvalidRequest, Status: 400, Message: "m"},
		},
		"unknown code": {
			event(`{"error":{"message":"m","code":"moon_phase"}}`), "",
			llm.Error{Code: llm.CodeUnknown, Message: "m"},
		},
		"context length": {
			event(`{"error":{"message":"m","code":"context_length_exceeded"}}`), "",
			llm.Error{Code: llm.CodeContextLength, Message: "m"},
		},
		"whole body": {
			`{"error":{"message":"m","type":"server_error","code":null}}`, "",
			llm.Error{Code: llm.CodeServer, Retry: true, Message: "m"},
		},
		"whole body, in a list": {
			`[{"error":{"message":"m","code":404,"status":"NOT_FOUND"}}]`, "",
			llm.Error{Code: llm.CodeNotFound, Status: 404, Message: "m"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(t, serveBody(t, test.body))
			failure := wiretest.Failure(t, err, test.want)
			if test.want.Message != "" && failure.Message != test.want.Message {
				t.Errorf("message %q, want %q", failure.Message, test.want.Message)
			}
			if got.Message.Text != test.text {
				t.Errorf("text %q, want %q", got.Message.Text, test.text)
			}
		})
	}
}
