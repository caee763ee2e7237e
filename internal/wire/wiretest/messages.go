package wiretest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// Messages serves a scripted model with the Messages API of Anthropic, which clouds offer in their
// own stream formats.
func Messages(script []llmtest.Reply) http.Handler {
	model := llmtest.NewScripted(script...)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The server notices a client that has disconnected only after the body is read.
		io.Copy(io.Discard, r.Body)
		out := messageWriter{ResponseWriter: w, block: -1}
		for chunk, err := range model.Generate(r.Context(), llm.Request{}) {
			switch failure, _ := errors.AsType[*llm.Error](err); {
			case err == nil:
				out.chunk(chunk)
			case failure == nil || failure.Code == llm.CodeIncomplete:
				out.open()
				panic(http.ErrAbortHandler) // the connection drops
			default:
				out.failure(failure)
			}
		}
	})
}

// messageWriter writes chunks as events.
type messageWriter struct {
	http.ResponseWriter
	opened bool
	block  int    // the index of the open block
	kind   string // kind of the open block
	call   int    // the call in the open block
	usage  string
}

func (w *messageWriter) event(name, format string, args ...any) {
	fmt.Fprintf(w, "event: %s\ndata: {\"type\":%q%s}\n\n", name, name, fmt.Sprintf(format, args...))
	http.NewResponseController(w.ResponseWriter).Flush()
}

func (w *messageWriter) open() {
	if !w.opened {
		w.opened, w.usage = true, `{"input_tokens":1,"output_tokens":1}`
		w.Header().Set("Content-Type", "text/event-stream")
		w.event("message_start", `,"message":{"id":"msg_1","type":"message","role":"assistant","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}`)
		w.event("ping", "")
	}
}

// in opens a block of this kind, unless it is already open.
func (w *messageWriter) in(kind string, call int, begin string) {
	w.open()
	if w.kind == kind && w.call == call {
		return
	}
	w.close()
	w.block++
	w.kind, w.call = kind, call
	w.event("content_block_start", `,"index":%d,"content_block":%s`, w.block, begin)
}

func (w *messageWriter) close() {
	if w.kind != "" {
		w.event("content_block_stop", `,"index":%d`, w.block)
		w.kind = ""
	}
}

func (w *messageWriter) delta(format string, args ...any) {
	w.event("content_block_delta", `,"index":%d,"delta":{%s}`, w.block, fmt.Sprintf(format, args...))
}

func (w *messageWriter) chunk(chunk llm.Chunk) {
	switch c := chunk.(type) {
	case llm.TextDelta:
		w.in("text", 0, `{"type":"text","text":""}`)
		w.delta(`"type":"text_delta","text":%s`, quote(c.Text))
	case llm.ReasoningDelta:
		w.in("thinking", 0, `{"type":"thinking","thinking":"","signature":""}`)
		w.delta(`"type":"thinking_delta","thinking":%s`, quote(c.Text))
	case llm.Seal:
		if c.Redacted != "" {
			w.in("redacted", 0, fmt.Sprintf(`{"type":"redacted_thinking","data":%s}`, quote(c.Redacted)))
		} else {
			w.delta(`"type":"signature_delta","signature":%s`, quote(c.Signature))
		}
		w.close()
	case llm.CallDelta:
		w.in("call", c.Index, fmt.Sprintf(`{"type":"tool_use","id":%s,"name":%s,"input":{}}`, quote(c.ID), quote(c.Name)))
		w.delta(`"type":"input_json_delta","partial_json":""`)
		w.delta(`"type":"input_json_delta","partial_json":%s`, quote(c.Arguments))
	case llm.UsageReport:
		w.open()
		w.usage = fmt.Sprintf(`{"input_tokens":%d,"output_tokens":%d}`, c.Usage.PromptTokens, c.Usage.CompletionTokens)
	case llm.Done:
		w.open()
		w.close()
		w.event("message_delta", `,"delta":{"stop_reason":%q,"stop_sequence":null},"usage":%s`, stopReason(c.Reason), w.usage)
		w.event("message_stop", "")
	}
}

func stopReason(reason llm.FinishReason) string {
	switch reason {
	case llm.FinishStop:
		return "end_turn"
	case llm.FinishLength:
		return "max_tokens"
	case llm.FinishToolCalls:
		return "tool_use"
	case llm.FinishContentFilter:
		return "refusal"
	}
	return string(reason)
}

func (w *messageWriter) failure(e *llm.Error) {
	kind := map[llm.ErrorCode]string{
		llm.CodeAuth: "authentication_error", llm.CodeRateLimit: "rate_limit_error", llm.CodeContextLength: "invalid_request_error",
		llm.CodeNotFound: "not_found_error", llm.CodeServer: "api_error", llm.CodeOverloaded: "overloaded_error",
	}[e.Code]
	body := fmt.Sprintf(`"error":{"type":%q,"message":%s}`, kind, quote(e.Message))
	if w.opened {
		w.event("error", ",%s", body)
		return
	}
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.RetryAfter.Seconds())))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.Status)
	fmt.Fprintf(w, `{"type":"error",%s}`, body)
}

func quote(text string) string {
	literal, _ := json.Marshal(text)
	return string(literal)
}
