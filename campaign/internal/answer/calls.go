package answer

import (
	"cmp"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

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

// isCall reports whether a value names a tool and arguments, in one of the forms of [ReadCall].
func isCall(v tree.Value) bool {
	if v.Get("text").Exists() || v.Get("tool_calls").Exists() {
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
	_, hasName := v.Get("name").AsText()
	return hasName && argsOf(v).Exists()
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
		args, err := parseJSON(text)
		if err != nil {
			c.Form = NoJSON
			return c
		}
		c.Args = args
	}
	c.normalize()
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

// readNative reads a call of the provider, or of a frame.
func readNative(n llm.ToolCall) RawCall {
	c := RawCall{ID: n.ID, Tool: n.Name}
	if strings.TrimSpace(n.Arguments) != "" {
		v, err := parseJSON(n.Arguments)
		if err != nil {
			c.Form = NoJSON
			return c
		}
		c.Args = v
	}
	c.normalize()
	return c
}

// normalize truncates long names, replaces absent arguments by an empty object, and sets the error of the
// form unless there is one.
func (c *RawCall) normalize() {
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

// truncateName truncates a name from a model that is too long, and reports whether it did.
func truncateName(text string) (string, bool) {
	if len(text) <= tool.MaxName {
		return text, false
	}
	return strings.ToValidUTF8(utf8text.Cut(text, tool.MaxName), ""), true
}
