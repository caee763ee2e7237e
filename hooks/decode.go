package hooks

import (
	"errors"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Parse reads hooks from JSON: a list of hook objects, or an object whose member "hooks" is such a
// list. It returns all hooks and all mistakes together. A member of the wrong type gets its
// default.
//
// No mistake makes a hook more powerful than its author meant. [Compile] rejects a scope that is
// not a string. An id that is not a string is read as its JSON text. Permissions with a mistake
// deny every channel. A list element that is not an object becomes an empty hook, which Compile
// rejects. So the indexes in Compile's paths are the indexes of the list. Data that is not a list
// at all is a fatal problem.
func Parse(data []byte) ([]Hook, talewright.Problems) {
	v, err := authorjson.File(data)
	if err != nil {
		p := problem("hooks", "not JSON: %v", err)
		p.Code, p.Severity = codeRejected, talewright.Fatal
		return nil, talewright.Problems{p}
	}
	if list := v.Get("hooks"); list.Exists() {
		v = list
	}
	if !v.IsArray() {
		return nil, talewright.Problems{{
			Path: "hooks", Code: codeRejected, Severity: talewright.Fatal, Text: "must be a list of hooks"}}
	}
	var hooks []Hook
	var problems talewright.Problems
	for i, e := range v.Elements() {
		r := read(e, condition.Place("hooks").At(i))
		if !e.IsObject() {
			r.report("", "a hook must be an object, not %s", condition.Named(e.Kind()))
			r.problems[0].Code = codeRejected
		}
		hooks = append(hooks, r.hook())
		problems = append(problems, r.problems...)
	}
	return hooks, problems
}

// MarshalJSON writes the known fields first, then the unknown fields.
func (h Hook) MarshalJSON() ([]byte, error) { return openjson.Write(h) }

// UnmarshalJSON reads a hook object. Members of the wrong type are an error that
// wraps the [talewright.Problems] of all of them.
func (h *Hook) UnmarshalJSON(data []byte) error {
	v, err := tree.ParseValue(data)
	if err != nil {
		return err
	}
	if !v.IsObject() {
		return errors.New("hooks: a hook must be an object, not " + condition.Named(v.Kind()))
	}
	r := read(v, "")
	got := r.hook()
	if err := r.err(); err != nil {
		return err
	}
	*h = got
	return nil
}

// MarshalJSON writes the known fields first, then the unknown fields.
func (p Permissions) MarshalJSON() ([]byte, error) { return openjson.Write(p) }

// IsZero reports whether the permissions neither restrict the hook nor hold unknown members.
func (p Permissions) IsZero() bool {
	return len(p.Channels)+len(p.DenyChannels)+len(p.Actions)+len(p.Extra) == 0
}

// UnmarshalJSON reads lists of strings; each may also be a single string.
func (p *Permissions) UnmarshalJSON(data []byte) error {
	v, err := tree.ParseValue(data)
	if err != nil {
		return err
	}
	r := read(tree.Object(tree.Member{Key: "permissions", Value: v}), "")
	got := r.permissions("permissions")
	if err := r.err(); err != nil {
		return err
	}
	*p = got
	return nil
}

// UnmarshalJSON reads a string or a list of strings.
func (p *Patterns) UnmarshalJSON(data []byte) error {
	v, err := tree.ParseValue(data)
	if err != nil {
		return err
	}
	r := read(tree.Object(tree.Member{Key: "event", Value: v}), "")
	got := r.list("event")
	if err := r.err(); err != nil {
		return err
	}
	*p = got
	return nil
}

// MarshalJSON writes one pattern as a string and several as a list.
func (p Patterns) MarshalJSON() ([]byte, error) {
	if len(p) == 1 {
		return openjson.Marshal(p[0])
	}
	return openjson.Marshal([]string(p))
}
