// Package answer parses the output of a model: prose, tool calls in any of the forms that models
// write, or both. It reports the parts that cannot be parsed.
package answer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/internal/modeltext"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// Answer is a parsed answer of a model: narration, proposed calls, and the other members of a
// structured answer.
type Answer struct {
	Raw string // the original text, for the next request and the audit
	// Native are the calls of the provider. They are the last ones of Calls.
	Native       []llm.ToolCall
	Text         string // the narration, trimmed
	Calls        []RawCall
	Extra        tree.Value    // other top-level members, an object or absent
	otherMembers []tree.Member // the members of Extra, during parsing
	// Structured reports whether the answer had a JSON part.
	Structured bool
	// Broken is malformed_output or empty_output, "" for a readable answer.
	Broken string
}

// RawCall is a call that is not checked yet.
type RawCall struct {
	ID     string
	Tool   string
	Args   tree.Value
	Reason string
	Form   state.CallCode // the error of its form, or "" if there is none
}

// Value returns the call in the form {tool, args, reason, id}. An absent member is left out.
func (c RawCall) Value() tree.Value {
	members := []tree.Member{{Key: "tool", Value: tree.Text(c.Tool)}, {Key: "args", Value: c.Args}}
	if c.Reason != "" {
		members = append(members, tree.Member{Key: "reason", Value: tree.Text(c.Reason)})
	}
	return tree.Object(append(members, tree.Member{Key: "id", Value: tree.Text(c.ID)})...)
}

// The errors of the form of a call. The refusal has the code invalid_call, and the text of one of
// these.
const (
	NoObject  state.CallCode = "invalid_call.object"
	WrongID   state.CallCode = "invalid_call.id"
	LongID    state.CallCode = "invalid_call.long_id"
	NoTool    state.CallCode = "invalid_call.tool"
	LongTool  state.CallCode = "invalid_call.long_tool"
	NoJSON    state.CallCode = "invalid_call.json"
	WrongArgs state.CallCode = "invalid_call.args"
)

// Read parses an answer, in any of the forms that models use:
//
//   - prose;
//   - a JSON object {text, tool_calls, …}, or only calls: a list of them, or one;
//   - either of the two with prose around it, with or without a code fence. The narration is the
//     text of the object, or the prose if the object has no text;
//   - calls in the frame of a chat template, such as <tool_call>…</tool_call>, see package
//     modeltext. The frame is not part of the narration.
//
// JSON with grammar errors (a trailing comma, single quotes, a comment) is repaired if it is
// complete. The reasoning of a model (<think>…</think>) is not part of the answer. An answer that
// begins with { and is neither such an object nor a macro is malformed, and so is one whose calls cannot be parsed.
// Native tool calls of the provider are added to the calls of the text.
func Read(text string, native []llm.ToolCall) Answer {
	out := Answer{Raw: text, Native: native}
	body := strings.TrimSpace(text)
	if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") {
		body = strings.TrimSpace(withoutThoughts(body))
	}
	body = unfence(body)
	if calls, ok := modeltext.PythonCalls(body); ok {
		out.addCalls(calls)
		body = ""
	}
	if !strings.HasPrefix(body, "{") {
		body, _ = out.takeFrames(body) // a frame that cannot be parsed may be inside a text of JSON
	}
	out.Text = body
	if out.readForms(body) {
		out.Text = strings.TrimSpace(withoutThoughts(out.Text))
		for _, c := range native {
			out.Calls = append(out.Calls, readNative(c))
		}
	} else {
		out.Broken = conflict.MalformedOutput
	}
	for i := range out.Calls {
		if out.Calls[i].ID == "" {
			out.Calls[i].ID = fmt.Sprintf("call_%03d", i+1)
		}
	}
	if out.Broken == "" && out.Text == "" && len(out.Calls) == 0 {
		out.Broken = conflict.EmptyOutput
	}
	return out
}

// macroNext is a macro, such as a name, at the beginning of a narration.
var macroAtStart = regexp.MustCompile(`^\{\{[\pL_]`)

// readForms finds the structured parts of an answer, and reports whether all of them can be parsed.
func (o *Answer) readForms(body string) bool {
	isJSON := strings.HasPrefix(body, "{") && !macroAtStart.MatchString(body)
	var prose strings.Builder
	at := 0
	var texts []string
	for from, tries := 0, 0; tries < maxForms; {
		start, ok := formAt(body, from)
		if isJSON && from == 0 {
			start, ok = 0, true
		}
		if !ok {
			break
		}
		v, end, err := decodeAt(body, start)
		switch {
		case err == nil && (isJSON && start == 0 || isAnswer(v)):
			if !o.readForm(v) {
				return false
			}
			if o.Text != "" {
				texts = append(texts, o.Text)
			}
			before, fenced := cutFence(body[at:start])
			prose.WriteString(withoutLabel(before))
			if fenced {
				end = afterFence(body, end)
			}
			at, from = end, end
			o.Structured = true
		case isJSON && start == 0, err != nil && callsIntended.MatchString(head(body[start:])):
			return false
		default:
			from = start + 1
			tries++
		}
	}
	prose.WriteString(body[at:])
	if len(o.otherMembers) > 0 {
		o.Extra = tree.Object(o.otherMembers...)
	}
	if isJSON && secondObject.MatchString(prose.String()) {
		return false // a second object, which is not an answer and not for players
	}
	prosePart, readable := o.takeFrames(prose.String())
	o.Text = strings.Join(texts, "\n")
	if o.Text == "" {
		o.Text = prosePart
		return readable
	}
	text, ok := o.takeFrames(o.Text)
	o.Text = text
	return readable && ok
}

// takeFrames removes the calls in the frames of chat templates from a text, and reports whether all
// frames can be parsed. A frame that cannot be parsed stays in the text.
func (o *Answer) takeFrames(text string) (rest string, readable bool) {
	if !strings.ContainsAny(text, "<[`") { // every frame mark begins with one of these
		return strings.TrimSpace(text), true
	}
	readable = true
	var b strings.Builder
	for _, part := range modeltext.Split(text) {
		b.WriteString(part.Text)
		readable = readable && !part.Unreadable
		o.addCalls(part.Calls)
	}
	if rest = b.String(); readable {
		rest = modeltext.WithoutFrameMarks(rest)
	}
	return strings.TrimSpace(rest), readable
}

// addCalls adds calls from the text.
func (o *Answer) addCalls(calls []modeltext.Call) {
	for _, c := range calls {
		o.Structured = true
		o.Calls = append(o.Calls, readNative(llm.ToolCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments}))
	}
}

// withoutLabel removes a label before a structured part, such as "assistant_structured:".
func withoutLabel(text string) string {
	if text == "" {
		return ""
	}
	tail := text[max(0, len(text)-maxLabel):]
	return text[:len(text)-len(tail)] + label.ReplaceAllString(tail, "")
}

// maxLabel is the maximum length of a label, in bytes.
const maxLabel = 80

var label = regexp.MustCompile("(?i)(?:^|\\n)[ \\t>#*`\"_-]*(?:assistant_structured(?:\\.tool_calls)?|tool[_ ]?calls?|function[_ ]?calls?|actions?|工具调用|结构化结果)" +
	"[ \\t*`\"_]*[:：][ \\t*`\"_]*\\s*$")

// maxForms is the maximum number of places that are tried although they only look like a structured
// part.
const maxForms = 16

// callsMeant matches the beginning of a part that was intended to have calls.
var callsIntended = regexp.MustCompile(`"(?:tool_calls|assistant_structured)"`)

// head returns the part of a text that is used to recognize a structured part.
func head(text string) string { return utf8text.Cut(text, 64) }

// formStart matches the beginning of a structured part: an object whose first member belongs to an
// answer or a call, or a list of such objects.
var formStart = regexp.MustCompile(`[\[{]\s*(?:\{\s*)?"(?:text|narration|narrative|content|role|assistant_output_text|assistant_structured|tool_calls|tool_call|function_call|tool|tool_name|name|function|id|type|args|arguments|parameters|reason)"\s*:`)

// objectNext matches a second object after an answer.
var secondObject = regexp.MustCompile(`^[\s,]*\{\s*["}]`)

// formAt returns the next place, at or after from, where a structured part may begin. Places inside
// a different value or inside the arguments of a variable command do not count.
func formAt(text string, from int) (int, bool) {
	for {
		loc := formStart.FindStringIndex(text[from:])
		if loc == nil {
			return 0, false
		}
		from += loc[0]
		before := strings.TrimRight(text[max(0, from-16):from], " \t\r\n")
		if before == "" || !strings.ContainsRune(`(,=[{"'`, rune(before[len(before)-1])) &&
			!strings.HasSuffix(before, `":`) {
			return from, true
		}
		from++
	}
}

// decodeAt decodes the JSON value at a place, repaired if necessary, and returns its end. A
// truncated value is an error: the missing part may be important.
func decodeAt(text string, start int) (v tree.Value, end int, err error) {
	d := json.NewDecoder(strings.NewReader(text[start:]))
	var data json.RawMessage
	if err = d.Decode(&data); err == nil {
		v, err = tree.ParseValue(data)
		return v, start + int(d.InputOffset()), err
	}
	if mended, n, complete := modeltext.First(text[start:]); complete && json.Valid([]byte(mended)) {
		v, err = tree.ParseValue([]byte(mended))
		return v, start + n, err
	}
	return v, start, err
}

// parse parses a complete JSON text, repaired if necessary.
func parse(text string) (tree.Value, error) {
	v, err := tree.ParseValue([]byte(text))
	if err == nil {
		return v, nil
	}
	text = strings.TrimSpace(text)
	if v, end, mended := decodeAt(text, 0); mended == nil && end == len(text) {
		return v, nil
	}
	return v, err
}

// isAnswer reports whether a value is an answer, a call, or a list of calls.
func isAnswer(v tree.Value) bool {
	if v.IsArray() {
		for _, c := range v.Elements() {
			if !isCall(c) {
				return false
			}
		}
		return v.Len() > 0
	}
	text, _ := textOf(v)
	_, hasText := v.Get(text).AsText()
	return v.Get("tool_calls").IsArray() || isCall(v) || hasText && onlyAnswer(v) ||
		len(callsOf(v)) > 0 && (hasText || v.Get("assistant_structured").Exists())
}

// onlyAnswer reports whether an object without calls has no other members. An object {"text": …}
// with more members, in the middle of prose, may be anything.
func onlyAnswer(v tree.Value) bool { return v.Len() == 1 }

// isCall reports whether a value names a tool and arguments, in one of the forms of [ReadCall].
func isCall(v tree.Value) bool {
	if !v.IsObject() || v.Get("text").Exists() || v.Get("tool_calls").Exists() {
		return false
	}
	if _, ok := v.Get("tool").AsText(); ok {
		return true
	}
	if _, ok := v.Get("tool_name").AsText(); ok {
		return true
	}
	if _, ok := v.Lookup(tree.Path{"function", "name"}).AsText(); ok {
		return true
	}
	_, named := v.Get("name").AsText()
	return named && argsOf(v).Exists()
}

// cutFence removes the line that opens a code fence at the end of a text, and reports whether there
// is one.
func cutFence(text string) (string, bool) {
	tail := text[max(0, len(text)-32):]
	at := strings.LastIndex(tail, "```")
	if at < 0 || len(strings.Fields(tail[at+3:])) > 1 {
		return text, false
	}
	return text[:len(text)-len(tail)+at], true
}

// afterFence returns the place after the ticks that close a fence.
func afterFence(text string, end int) int {
	rest := strings.TrimLeft(text[end:min(len(text), end+32)], " \t\r\n")
	if i := strings.Index(text[end:], rest); strings.HasPrefix(rest, "```") {
		return end + i + 3
	}
	return end
}

// withoutThoughts removes the reasoning of a model. A closing tag alone ends reasoning that began
// before the text. An opening tag alone begins reasoning that extends to the end.
func withoutThoughts(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var b strings.Builder
	for {
		tag := thoughtTag.FindStringIndex(text)
		if tag == nil {
			return b.String() + text
		}
		if text[tag[0]+1] == '/' {
			b.Reset() // everything before it was reasoning
			text = text[tag[1]:]
			continue
		}
		b.WriteString(text[:tag[0]])
		text = text[tag[1]:]
		end := thoughtEnd.FindStringIndex(text)
		if end == nil {
			return b.String()
		}
		text = text[end[1]:]
	}
}

var (
	thoughtTag = regexp.MustCompile(`(?i)</?think(?:ing)?>`)
	thoughtEnd = regexp.MustCompile(`(?i)</think(?:ing)?>`)
)

// readForm reads an object {text, tool_calls, …}, a call or a list of calls.
func (o *Answer) readForm(v tree.Value) bool {
	o.Text = ""
	switch {
	case v.IsArray():
		for _, c := range v.Elements() {
			o.Calls = append(o.Calls, ReadCall(c))
		}
		return true
	case isCall(v):
		o.Calls = append(o.Calls, ReadCall(v))
		return true
	}
	return o.readObject(v)
}

// readObject reads the structured form and reports whether v has it.
func (o *Answer) readObject(v tree.Value) bool {
	key, ok := textOf(v)
	text, _ := v.Get(key).AsText()
	o.Text = strings.TrimSpace(text)
	calls := v.Get("tool_calls")
	if !ok || calls.Exists() && !calls.IsNull() && !calls.IsArray() {
		return false
	}
	for _, c := range callsOf(v) {
		o.Calls = append(o.Calls, ReadCall(c))
	}
	for name, m := range v.Members() {
		switch {
		case name == key, name == "tool_calls", isOneCall(name, m):
		case name == structured && m.IsArray() && isAnswer(m):
		case name == structured && m.IsObject():
			for inner, value := range m.Members() {
				if inner != "tool_calls" || !value.IsArray() {
					o.otherMembers = append(o.otherMembers, tree.Member{Key: inner, Value: value})
				}
			}
		default:
			o.otherMembers = append(o.otherMembers, tree.Member{Key: name, Value: m})
		}
	}
	return true
}

// structured is the member that contains the calls if a model writes the whole turn as JSON.
const structured = "assistant_structured"

// textOf returns the name of the member with the narration: text, or a different name that models
// use for it. The result ok is false if text is not a string. Ambiguous names count only next to
// calls.
func textOf(v tree.Value) (key string, ok bool) {
	if t := v.Get("text"); t.Exists() {
		_, isText := t.AsText()
		return "text", isText || t.IsNull()
	}
	names := []string{"narration", "assistant_output_text"}
	if len(callsOf(v)) > 0 {
		names = append(names, "narrative", "content")
	}
	for _, name := range names {
		if _, isText := v.Get(name).AsText(); isText {
			return name, true
		}
	}
	return "text", true
}

// callsOf returns the calls of an answer: the calls of tool_calls, of assistant_structured, and a
// single one.
func callsOf(v tree.Value) (calls []tree.Value) {
	add := func(list tree.Value) {
		for _, c := range list.Elements() {
			calls = append(calls, c)
		}
	}
	add(v.Get("tool_calls"))
	if inner := v.Get(structured); inner.IsArray() {
		if isAnswer(inner) {
			add(inner)
		}
	} else {
		add(inner.Get("tool_calls"))
	}
	for name, m := range v.Members() {
		if isOneCall(name, m) {
			calls = append(calls, m)
		}
	}
	return calls
}

// isOneCall reports whether a member of an answer is a single call.
func isOneCall(name string, m tree.Value) bool {
	return (name == "tool_call" || name == "function_call") && isCall(m)
}

// ReadCall reads {tool, args, reason, id}. Many models write name instead of tool, and arguments,
// parameters or input instead of args. Some put both into a member function, or write the arguments
// as a JSON string.
func ReadCall(v tree.Value) RawCall {
	var c RawCall
	if !v.IsObject() {
		c.Form = NoObject
		return c
	}
	c.Args = argsOf(v)
	c.Tool, _ = toolOf(v).AsText()
	c.Reason, _ = v.Get("reason").AsText()
	if id := v.Get("id"); id.Exists() && !id.IsNull() {
		text, ok := id.AsText()
		if !ok {
			c.Form = WrongID
		}
		c.ID = text
	}
	if text, ok := c.Args.AsText(); ok && strings.HasPrefix(strings.TrimSpace(text), "{") {
		args, err := parse(text)
		if err != nil {
			c.Form = NoJSON
			return c
		}
		c.Args = args
	}
	c.checkForm()
	return c
}

// toolOf returns the name of a call's tool.
func toolOf(v tree.Value) tree.Value {
	for _, name := range []tree.Path{{"tool"}, {"name"}, {"tool_name"}, {"function", "name"}} {
		if found := v.Lookup(name); found.Exists() && !found.IsNull() {
			return found
		}
	}
	return tree.Value{}
}

// argsOf returns the arguments of a call.
func argsOf(v tree.Value) tree.Value {
	for _, name := range []tree.Path{
		{"args"}, {"arguments"}, {"parameters"}, {"input"}, {"function", "arguments"},
	} {
		if found := v.Lookup(name); found.Exists() && !found.IsNull() {
			return found
		}
	}
	return v.Get("args")
}

func readNative(n llm.ToolCall) RawCall {
	c := RawCall{ID: n.ID, Tool: n.Name}
	if strings.TrimSpace(n.Arguments) != "" {
		v, err := parse(n.Arguments)
		if err != nil {
			c.Form = NoJSON
			return c
		}
		c.Args = v
	}
	c.checkForm()
	return c
}

func (c *RawCall) checkForm() {
	var long bool
	if c.ID, long = truncateName(c.ID); long {
		c.Form = LongID
	}
	if c.Tool, long = truncateName(c.Tool); long {
		c.Form = LongTool
	}
	if c.Args.Deeper(tree.MaxDepth) { // a turn stores the arguments inside other values
		c.Args, c.Form = tree.Value{}, cmp.Or(c.Form, NoJSON)
	}
	switch {
	case c.Form != "":
	case strings.TrimSpace(c.Tool) == "":
		c.Form = NoTool
	case !c.Args.Exists() || c.Args.IsNull():
		c.Args = tree.Object()
	case !c.Args.IsObject():
		c.Form = WrongArgs
	}
}

// unfence removes one code fence around the whole text.
func unfence(text string) string {
	if !strings.HasPrefix(text, "```") || !strings.HasSuffix(text, "```") {
		return text
	}
	_, inner, ok := strings.Cut(text[:len(text)-len("```")], "\n")
	if !ok || strings.Contains(inner, "```") {
		return text
	}
	return strings.TrimSpace(inner)
}

// truncateName truncates a name from a model that is too long, and reports whether it did.
func truncateName(text string) (string, bool) {
	if len(text) <= tool.MaxName {
		return text, false
	}
	return strings.ToValidUTF8(utf8text.Cut(text, tool.MaxName), ""), true
}
