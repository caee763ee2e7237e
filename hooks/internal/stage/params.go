package stage

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/memvars/tree"
)

// params reads the parameters of one action and keeps the first failure. Methods return a zero
// value if they fail. So a prepare function can read all parameters and check the failure once, at
// the end.
type params struct {
	action act.Action
	fail   *act.Failure
}

// refuse records the failure, unless there is one already.
func (p *params) refuse(f *act.Failure) {
	if p.fail == nil {
		p.fail = f
	}
}

// get returns a parameter, absent if it is missing or null: forms and models write null for omitted
// values.
func (p *params) get(name string) tree.Value {
	v := p.action.Get(name)
	if v.IsNull() {
		return tree.Value{}
	}
	return v
}

// text reads a string. The empty string counts as missing, because unfilled forms send it.
func (p *params) text(name, otherwise string) string {
	v := p.get(name)
	s, ok := v.AsText()
	if v.Exists() && !ok {
		p.refuse(act.Invalid(name, "must be a text, not %s", condition.Named(v.Kind())))
	}
	return cmp.Or(s, otherwise)
}

// required reads a string that must not be missing or empty.
func (p *params) required(name string) string {
	s := p.text(name, "")
	if s == "" {
		p.refuse(act.Missing(name))
	}
	return s
}

// integer reads a whole number. 5.0 is a whole number, "5" is not: only deltas accept texts as
// numbers.
func (p *params) integer(name string, otherwise int) int {
	v := p.get(name)
	if !v.Exists() {
		return otherwise
	}
	i, ok := condition.Whole(v)
	if !ok {
		p.refuse(act.Invalid(name, "must be a whole number, not %s", condition.Brief(v)))
	}
	return i
}

// boolean reads true or false; missing is false.
func (p *params) boolean(name string) bool {
	v := p.get(name)
	b, ok := v.AsBool()
	if v.Exists() && !ok {
		p.refuse(act.Invalid(name, "must be true or false, not %s", condition.Named(v.Kind())))
	}
	return b
}

// texts reads a list of strings.
func (p *params) texts(name string) []string {
	v := p.get(name)
	if v.Exists() && !v.IsArray() {
		p.refuse(act.Invalid(name, "must be a list of texts, not %s", condition.Named(v.Kind())))
	}
	var out []string
	for i, e := range v.Elements() {
		s, ok := e.AsText()
		if !ok {
			fail := act.Invalid(fmt.Sprintf("%s[%d]", name, i), "must be a text, not %s", condition.Named(e.Kind()))
			fail.Param = name
			p.refuse(fail)
		}
		out = append(out, s)
	}
	return out
}

// keywords reads a list of strings, or one string that is split at commas and semicolons, ASCII and
// full-width. It is not split at spaces: "old mill" is one keyword.
func (p *params) keywords(name string) []string {
	s, ok := p.get(name).AsText()
	if !ok {
		return p.texts(name)
	}
	pieces := strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(",，、;；", c) })
	var out []string
	for _, k := range pieces {
		if k = strings.TrimSpace(k); k != "" {
			out = append(out, k)
		}
	}
	return out
}

// Check returns the failure of the first parameter that the schema of a custom action refuses, or
// nil.
func Check(t act.Type, a act.Action) *act.Failure {
	for _, p := range t.Params {
		v := a.Get(p.Name)
		if text, ok := v.AsText(); !v.Exists() || v.IsNull() || ok && text == "" {
			if p.Required {
				return act.Missing(p.Name)
			}
			continue
		}
		if p.Kind != tree.Absent && v.Kind() != p.Kind {
			return act.Invalid(p.Name, "must be %s, not %s", condition.Named(p.Kind), condition.Named(v.Kind()))
		}
	}
	return nil
}
