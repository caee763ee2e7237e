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

// TextToolsMode says when [TextTools] puts tools into the text.
type TextToolsMode int

// The modes of [TextTools].
const (
	// TextToolsAuto offers tools natively until the provider answers, with
	// llm.CodeNoTools, that the model has none; from then on in the text.
	TextToolsAuto TextToolsMode = iota
	TextToolsAlways
)

// The tags around a call and around a result in a text.
const (
	callOpen, callClose = "<tool_call>", "</tool_call>"
	resultTag           = "tool_result"
)

// TextTools returns a model that can call tools although m, or its server, cannot.
//
// The tools are described in the first system message, calls are asked for as
// `<tool_call>{"name": …, "arguments": …}</tool_call>`, and the calls of the reply become
// [llm.CallDelta] chunks apart from the text. A model that was trained on another frame
// may use that: <function=name>, [TOOL_CALLS], <|python_tag|> and the others of the common
// chat templates are read too. Former calls and results of the conversation are written in
// the first form. A call whose JSON is broken is repaired as [llm.Ask] does it; a frame that
// cannot be read stays in the text, so that nothing is lost. Results that the model writes
// itself are dropped. The finish reason of a reply with calls is llm.FinishToolCalls. Text
// that may be the start of a frame is held back until the next piece decides.
//
// Requests without tools, or with the choice "none", pass without a description, and
// their replies as they are. The cost of
// reading follows the length of the reply, and a call is held in memory until its end.
func TextTools(m llm.Model, mode TextToolsMode) llm.Model {
	var none atomic.Bool // the provider has said that there are no tools
	none.Store(mode == TextToolsAlways)
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			if !none.Load() && !native(m.Generate(ctx, req), yield) {
				return
			}
			none.Store(true)
			seq := m.Generate(ctx, withoutTools(req))
			if !offered(req) {
				seq(yield) // no calls were asked for: a tag is text
				return
			}
			readCalls(seq, yield)
		})
	})
}

// native hands on a reply, and reports whether there is none because the model knows
// no tools.
func native(seq iter.Seq2[llm.Chunk, error], yield func(llm.Chunk, error) bool) (noTools bool) {
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

// offered reports whether a request lets the model call tools.
func offered(req llm.Request) bool { return len(req.Tools) > 0 && req.Options.ToolChoice != "none" }

// withoutTools writes the tools, calls and results of a request as text.
func withoutTools(req llm.Request) llm.Request {
	tools, choice, offers := req.Tools, req.Options.ToolChoice, offered(req)
	req.Tools, req.Options.ToolChoice = nil, ""
	messages := make([]llm.Message, 0, len(req.Messages)+1)
	for _, m := range req.Messages {
		messages = append(messages, plainMessage(m))
	}
	if offers {
		messages = describeTools(messages, tools, choice)
	}
	req.Messages = messages
	return req
}

// plainMessage writes the calls or the result of a message as text.
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

// escaped is the JSON of a value, with the characters of tags escaped, so that no text
// within can close one.
func escaped(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return "null" // maps of texts and valid JSON have a form
	}
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
		if err != nil { // parameters that are no JSON
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

// readCalls hands on a reply with the calls in its text as calls.
func readCalls(seq iter.Seq2[llm.Chunk, error], yield func(llm.Chunk, error) bool) {
	var s modeltext.Splitter
	calls := 0
	chunks := func(parts []modeltext.Part) (out []llm.Chunk) {
		for _, p := range parts {
			if p.Text != "" {
				out = append(out, llm.TextDelta{Text: p.Text})
			}
			for _, c := range p.Calls {
				calls++
				id := cmp.Or(c.ID, fmt.Sprintf("call_%03d", calls))
				out = append(out, llm.CallDelta{Index: calls - 1, ID: id, Name: c.Name, Arguments: c.Arguments})
			}
		}
		return out
	}
	split := func(piece string) []llm.Chunk { return chunks(s.Write(piece)) }
	splitReply(seq, split, func() []llm.Chunk { return chunks(s.End()) }, func(done llm.Done) llm.Done {
		if calls > 0 && done.Reason == llm.FinishStop {
			done.Reason = llm.FinishToolCalls
		}
		return done
	}, yield)
}
