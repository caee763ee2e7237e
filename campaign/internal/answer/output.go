// Package answer parses the output of a model: prose, tool calls in any of the forms that models
// write, or both. It reports the parts that cannot be parsed.
package answer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
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
// begins with { and is neither such an object nor a macro is malformed, and so is one whose calls
// cannot be parsed. Native tool calls of the provider are added to the calls of the text.
func Read(text string, native []llm.ToolCall) Answer {
	out := Answer{Raw: text, Native: native}
	body := strings.TrimSpace(text)
	if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") {
		body = strings.TrimSpace(withoutThoughts(body))
	}
	body = withoutFence(body)
	if calls, ok := modeltext.PythonCalls(body); ok {
		out.addCalls(calls)
		body = ""
	}
	if !strings.HasPrefix(body, "{") {
		body, _ = out.cutFrames(body) // a frame that cannot be parsed may be inside a text of JSON
	}
	out.Text = body
	if out.readParts(body) {
		out.Text = strings.TrimSpace(withoutThoughts(out.Text))
		for _, c := range native {
			out.Calls = append(out.Calls, readNative(c))
		}
	} else {
		out.Broken = conflict.MalformedOutput
	}
	for i := range out.Calls {
		out.Calls[i].ID = cmp.Or(out.Calls[i].ID, fmt.Sprintf("call_%03d", i+1))
	}
	if out.Broken == "" && out.Text == "" && len(out.Calls) == 0 {
		out.Broken = conflict.EmptyOutput
	}
	return out
}

// macroAtStart matches a macro, such as a name, at the beginning of a narration.
var macroAtStart = regexp.MustCompile(`^\{\{[\pL_]`)

// readParts reads the structured parts of an answer, and the prose around them. It reports whether all
// parts can be parsed.
func (o *Answer) readParts(body string) bool {
	isJSON := strings.HasPrefix(body, "{") && !macroAtStart.MatchString(body)
	var prose strings.Builder // the text outside the parts
	var texts []string        // the narration inside the parts
	at := 0                   // the end of the last part
	for from, tries := 0, 0; tries < maxFalseStarts; {
		start, ok := nextPartAt(body, from)
		if isJSON && from == 0 {
			start, ok = 0, true
		}
		if !ok {
			break
		}
		v, end, err := decodeAt(body, start)
		switch {
		case err == nil && (isJSON && start == 0 || isAnswer(v)):
			if !o.readPart(v) {
				return false
			}
			if o.Text != "" {
				texts = append(texts, o.Text)
			}
			before, fenced := cutFence(body[at:start])
			prose.WriteString(withoutPartLabel(before))
			if fenced {
				end = afterFence(body, end)
			}
			at, from = end, end
			o.Structured = true
		case isJSON && start == 0, err != nil && callsIntended.MatchString(partHead(body[start:])):
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
	prosePart, readable := o.cutFrames(prose.String())
	o.Text = strings.Join(texts, "\n")
	if o.Text == "" {
		o.Text = prosePart
		return readable
	}
	text, ok := o.cutFrames(o.Text)
	o.Text = text
	return readable && ok
}

// cutFrames adds the calls in the frames of chat templates to the answer, and returns the text without
// the frames. It reports whether all frames can be parsed. A frame that cannot be parsed stays in the
// text.
func (o *Answer) cutFrames(text string) (rest string, readable bool) {
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

// maxFalseStarts is the maximum number of places that look like a structured part and are none. Further
// parts are not searched: they count as prose.
const maxFalseStarts = 16

// callsIntended matches the beginning of a part that the model intended as calls.
var callsIntended = regexp.MustCompile(`"(?:tool_calls|assistant_structured)"`)

// partHead returns the beginning of a text, in which callsIntended is searched.
func partHead(text string) string { return utf8text.Cut(text, 64) }

// partStart matches the beginning of a structured part: an object whose first member belongs to an
// answer or a call, or a list of such objects.
var partStart = regexp.MustCompile(`[\[{]\s*(?:\{\s*)?"(?:text|narration|narrative|content|role|assistant_output_text|assistant_structured|tool_calls|tool_call|function_call|tool|tool_name|name|function|id|type|args|arguments|parameters|reason)"\s*:`)

// secondObject matches a second object after an answer.
var secondObject = regexp.MustCompile(`^[\s,]*\{\s*["}]`)

// nextPartAt returns the next place, at or after from, where a structured part may begin. A place inside
// a different value, or inside the arguments of a variable command, does not count.
func nextPartAt(text string, from int) (int, bool) {
	for {
		loc := partStart.FindStringIndex(text[from:])
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
	if repaired, n, complete := modeltext.First(text[start:]); complete && json.Valid([]byte(repaired)) {
		v, err = tree.ParseValue([]byte(repaired))
		return v, start + n, err
	}
	return v, start, err
}

// parseJSON parses a complete JSON text, repaired if necessary.
func parseJSON(text string) (tree.Value, error) {
	v, err := tree.ParseValue([]byte(text))
	if err == nil {
		return v, nil
	}
	text = strings.TrimSpace(text)
	if repaired, end, repairErr := decodeAt(text, 0); repairErr == nil && end == len(text) {
		return repaired, nil
	}
	return v, err
}

// isAnswer reports whether a value is an answer, a call, or a list of calls.
func isAnswer(v tree.Value) bool {
	if v.IsArray() {
		return v.Len() > 0 && !slices.ContainsFunc(v.List(), func(c tree.Value) bool { return !isCall(c) })
	}
	textMember, _ := textOf(v)
	_, hasText := v.Get(textMember).AsText()
	isOnlyText := hasText && v.Len() == 1 // a text with other members, in the middle of prose, may be anything
	return v.Get("tool_calls").IsArray() || isCall(v) || isOnlyText ||
		len(callsOf(v)) > 0 && (hasText || v.Get(structuredMember).Exists())
}

// readPart reads a structured part: an object {text, tool_calls, …}, a call or a list of calls. It
// reports whether v has one of these forms.
func (o *Answer) readPart(v tree.Value) bool {
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
		case name == structuredMember && m.IsArray() && isAnswer(m):
		case name == structuredMember && m.IsObject():
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

// structuredMember is the member that contains the calls if a model writes the whole turn as JSON.
const structuredMember = "assistant_structured"

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
		calls = append(calls, list.List()...)
	}
	add(v.Get("tool_calls"))
	if inner := v.Get(structuredMember); inner.IsArray() {
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
