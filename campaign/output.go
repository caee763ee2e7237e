package campaign

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars"
)

// output is a model's answer after reading: narration, proposed calls, and the
// other members of a structured answer.
type output struct {
	raw   string // as it came, for the next request and the audit
	text  string // the narration, trimmed
	calls []rawCall
	extra memvars.Value // other top-level members, an object or absent
	// broken is malformed_output or empty_output, "" for a readable answer.
	broken string
}

// rawCall is a call before anything about it is known to be right.
type rawCall struct {
	id     string
	tool   string
	args   memvars.Value
	reason string
	form   string // what is wrong with its form, "" if nothing is
}

const (
	malformedOutput = "malformed_output"
	emptyOutput     = "empty_output"
)

// readOutput reads an answer: a JSON object {text, tool_calls, …}, with or
// without a code fence around it, or plain narration. Native tool calls of the
// provider join the calls of the text.
func readOutput(text string, native []llm.ToolCall) output {
	out := output{raw: text}
	body := unfence(strings.TrimSpace(text))
	out.text = body
	if strings.HasPrefix(body, "{") {
		v, err := memvars.ParseValue([]byte(body))
		if err != nil || !out.readObject(v) {
			out.broken = malformedOutput
			return out
		}
	}
	for _, c := range native {
		out.calls = append(out.calls, readNative(c))
	}
	for i := range out.calls {
		if out.calls[i].id == "" {
			out.calls[i].id = fmt.Sprintf("call_%03d", i+1)
		}
	}
	if out.text == "" && len(out.calls) == 0 {
		out.broken = emptyOutput
	}
	return out
}

// readObject reads the structured form and reports whether v has it.
func (o *output) readObject(v memvars.Value) bool {
	o.text = ""
	if t := v.Get("text"); t.Exists() && !t.IsNull() {
		text, ok := t.AsText()
		if !ok {
			return false
		}
		o.text = strings.TrimSpace(text)
	}
	calls := v.Get("tool_calls")
	if calls.Exists() && !calls.IsNull() && !calls.IsArray() {
		return false
	}
	for _, c := range calls.Elements() {
		o.calls = append(o.calls, readCall(c))
	}
	var extra []memvars.Member
	for key, m := range v.Members() {
		if key != "text" && key != "tool_calls" {
			extra = append(extra, memvars.Member{Key: key, Value: m})
		}
	}
	if len(extra) > 0 {
		o.extra = memvars.Object(extra...)
	}
	return true
}

func readCall(v memvars.Value) rawCall {
	c := rawCall{args: v.Get("args")}
	if !v.IsObject() {
		c.form = "a call is an object {tool, args}"
		return c
	}
	c.tool, _ = v.Get("tool").AsText()
	c.reason, _ = v.Get("reason").AsText()
	if id := v.Get("id"); id.Exists() && !id.IsNull() {
		text, ok := id.AsText()
		if !ok {
			c.form = "the id of a call is a text"
		}
		c.id = text
	}
	c.checkForm()
	return c
}

func readNative(n llm.ToolCall) rawCall {
	c := rawCall{id: n.ID, tool: n.Name}
	if strings.TrimSpace(n.Arguments) != "" {
		v, err := memvars.ParseValue([]byte(n.Arguments))
		if err != nil {
			c.form = "the arguments are not valid JSON"
			return c
		}
		c.args = v
	}
	c.checkForm()
	return c
}

func (c *rawCall) checkForm() {
	var long string
	if c.id, long = named("id", c.id); long != "" {
		c.form = long
	}
	if c.tool, long = named("tool", c.tool); long != "" {
		c.form = long
	}
	switch {
	case c.form != "":
	case strings.TrimSpace(c.tool) == "":
		c.form = "a call names its tool"
	case !c.args.Exists() || c.args.IsNull():
		c.args = memvars.Object()
	case !c.args.IsObject():
		c.form = "the arguments of a call are an object"
	}
}

// unfence removes one code fence around the whole text.
func unfence(text string) string {
	if !strings.HasPrefix(text, "```") || !strings.HasSuffix(text, "```") || len(text) < 6 {
		return text
	}
	_, inner, ok := strings.Cut(text[:len(text)-3], "\n")
	if !ok || strings.Contains(inner, "```") {
		return text
	}
	return strings.TrimSpace(inner)
}
