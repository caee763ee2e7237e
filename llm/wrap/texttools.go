package wrap

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/talewright/talewright/internal/modeltext"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
)

// TextToolsMode says when [TextTools] writes tools into the text.
type TextToolsMode int

// The modes of [TextTools].
const (
	// TextToolsAuto sends tools natively until the provider returns llm.CodeNoTools. After that it
	// always writes them into the text.
	TextToolsAuto TextToolsMode = iota
	TextToolsAlways
)

// The tags around a call and around a result in a text.
const (
	callOpen, callClose = "<tool_call>", "</tool_call>"
	resultTag           = "tool_result"
)

// TextTools returns a model that can call tools even if m, or its server, does not support tools.
//
// The first system message describes the tools and asks for calls in the form `<tool_call>{"name":
// …, "arguments": …}</tool_call>`. The calls of the reply become [llm.CallDelta] chunks, separate
// from the text. A model may also use the frame that it was trained on: <function=name>,
// [TOOL_CALLS], <|python_tag|> and the other frames of common chat templates are read too. Earlier
// calls and results of the conversation are written in the first form. Broken JSON in a call is
// repaired as in [llm.Ask]. A frame that cannot be read stays in the text, so that nothing is lost.
// Results that the model writes itself are dropped. The finish reason of a reply with calls is
// llm.FinishToolCalls. Text that may be the start of a frame is buffered until the next chunk
// decides.
//
// Requests without tools, or with the choice "none", get no description, and their replies pass
// unchanged. The cost of reading is linear in the length of the reply, and a call is held in memory
// until its end.
func TextTools(m llm.Model, mode TextToolsMode) llm.Model {
	var inText atomic.Bool // tools are written into the text, as the provider does not support them
	inText.Store(mode == TextToolsAlways)
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			if !inText.Load() && !passNative(m.Generate(ctx, req), yield) {
				return
			}
			inText.Store(true)
			seq := m.Generate(ctx, withoutTools(req))
			if !offered(req) {
				seq(yield) // no calls were requested: a tag is text
				return
			}
			readCalls(seq, yield)
		})
	})
}

// passNative passes a reply on. It reports whether there is no reply because the model does not support
// tools.
func passNative(seq iter.Seq2[llm.Chunk, error], yield func(llm.Chunk, error) bool) (noTools bool) {
	begun := false
	for chunk, err := range seq {
		failure, ok := errors.AsType[*llm.Error](err)
		if !begun && ok && failure.Code == llm.CodeNoTools {
			return true
		}
		begun = true
		if !yield(chunk, err) {
			return false
		}
	}
	return false
}

// offered reports whether the model may call tools in its reply to the request.
func offered(req llm.Request) bool { return len(req.Tools) > 0 && req.Options.ToolChoice != "none" }

// withoutTools converts the tools, calls and results of a request to text.
func withoutTools(req llm.Request) llm.Request {
	out := req
	out.Tools, out.Options.ToolChoice, out.Messages = nil, "", nil
	for _, m := range req.Messages {
		out.Messages = append(out.Messages, plainMessage(m))
	}
	if offered(req) {
		out.Messages = describeTools(out.Messages, req.Tools, req.Options.ToolChoice)
	}
	return out
}

// plainMessage converts the calls or the result of a message to text.
func plainMessage(m llm.Message) llm.Message {
	switch {
	case m.Role == llm.Tool:
		m.Role = llm.User
		m.Text = "<" + resultTag + ">" + escaped(map[string]string{"id": m.ToolCallID, "content": m.Text}) + "</" + resultTag + ">"
		m.ToolCallID = ""
	case len(m.ToolCalls) > 0:
		lines := []string{}
		if m.Text != "" {
			lines = append(lines, m.Text)
		}
		for _, c := range m.ToolCalls {
			var arguments any = json.RawMessage(c.Arguments)
			if !json.Valid([]byte(c.Arguments)) {
				arguments = c.Arguments
			}
			lines = append(lines, callOpen+escaped(map[string]any{"name": c.Name, "arguments": arguments})+callClose)
		}
		m.Text, m.ToolCalls = strings.Join(lines, "\n"), nil
	}
	return m
}

// escaped returns the JSON of a value with the characters of tags escaped, so that no text in it
// can close a tag.
func escaped(value any) string {
	data, _ := json.Marshal(value) // maps of texts and valid JSON can be encoded
	return string(data)
}

// describeTools adds the description of the tools to the first system message.
func describeTools(messages []llm.Message, tools []llm.ToolSpec, choice string) []llm.Message {
	var b strings.Builder
	b.WriteString("# Tools\nYou can call the tools listed below. A call is written on a line of its own:\n" +
		callOpen + `{"name": "…", "arguments": {…}}` + callClose + "\n" +
		"Results come back as <" + resultTag + ">; never write those yourself.\n")
	switch choice {
	case "", "auto":
	case "required":
		b.WriteString("Your answer has to call at least one tool.\n")
	default:
		b.WriteString("Your answer has to call the tool " + choice + ".\n")
	}
	for _, tool := range tools {
		line, err := openjson.Marshal(llm.ToolSpec{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters})
		if err != nil { // parameters that are not JSON
			line, _ = openjson.Marshal(llm.ToolSpec{Name: tool.Name, Description: tool.Description})
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	text := strings.TrimSuffix(b.String(), "\n")
	i := slices.IndexFunc(messages, func(m llm.Message) bool { return m.Role == llm.System })
	if i < 0 {
		return slices.Insert(messages, 0, llm.Message{Role: llm.System, Text: text})
	}
	messages[i].Text += "\n\n" + text
	return messages
}

// readCalls passes a reply on and converts the calls in its text to call chunks.
func readCalls(seq iter.Seq2[llm.Chunk, error], yield func(llm.Chunk, error) bool) {
	var r callReader
	splitReply(seq, &r, func(chunk llm.Chunk, err error) bool {
		if done, ok := chunk.(llm.Done); ok && r.calls > 0 && done.Reason == llm.FinishStop {
			done.Reason = llm.FinishToolCalls
			chunk = done
		}
		return yield(chunk, err)
	})
}

// callReader divides the text of a reply into text and calls.
type callReader struct {
	splitter modeltext.Splitter
	calls    int // so far
}

func (r *callReader) Split(text string) []llm.Chunk { return r.chunks(r.splitter.Write(text)) }
func (r *callReader) End() []llm.Chunk              { return r.chunks(r.splitter.End()) }

// chunks numbers the calls. A call without an id gets one.
func (r *callReader) chunks(parts []modeltext.Part) (out []llm.Chunk) {
	for _, p := range parts {
		if p.Text != "" {
			out = append(out, llm.TextDelta{Text: p.Text})
		}
		for _, c := range p.Calls {
			r.calls++
			id := cmp.Or(c.ID, fmt.Sprintf("call_%03d", r.calls))
			out = append(out, llm.CallDelta{Index: r.calls - 1, ID: id, Name: c.Name, Arguments: c.Arguments})
		}
	}
	return out
}
