package hooks

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/hooks/trace"
	"github.com/talewright/talewright/memvars/tree"
)

// params reads the parameters of one action and keeps the first failure. Methods
// return a zero value where they fail, so that a prepare function reads all it
// wants and looks at the failure once, at the end.
type params struct {
	action Action
	fail   *Failure
}

// refuse keeps the failure, unless there was one before it.
func (p *params) refuse(f *Failure) {
	if p.fail == nil {
		p.fail = f
	}
}

// get returns a parameter, absent if it is missing or null: forms and models write
// null for what they leave out.
func (p *params) get(name string) tree.Value {
	v := p.action.Get(name)
	if v.IsNull() {
		return tree.Value{}
	}
	return v
}

// text reads a string; the empty string counts as missing, because it is what is left
// of a form that nobody filled in.
func (p *params) text(name, otherwise string) string {
	v := p.get(name)
	s, ok := v.AsText()
	if v.Exists() && !ok {
		p.refuse(invalid(name, "must be a text, not %s", named(v.Kind())))
	}
	if s == "" {
		return otherwise
	}
	return s
}

// required reads a string that must not be missing or empty.
func (p *params) required(name string) string {
	s := p.text(name, "")
	if s == "" {
		p.refuse(missing(name))
	}
	return s
}

// integer reads a whole number. 5.0 is one, "5" is not: only deltas take texts
// for numbers.
func (p *params) integer(name string, otherwise int) int {
	v := p.get(name)
	if !v.Exists() {
		return otherwise
	}
	i, ok := wholeNumber(v)
	if !ok {
		p.refuse(invalid(name, "must be a whole number, not %s", brief(v)))
	}
	return i
}

// wholeNumber reads a number without a fraction that fits into an int on this machine.
func wholeNumber(v tree.Value) (int, bool) {
	n, ok := v.AsNumber()
	i, whole := n.Int64()
	return int(i), ok && whole && int64(int(i)) == i
}

// boolean reads true or false; missing is false.
func (p *params) boolean(name string) bool {
	v := p.get(name)
	b, ok := v.AsBool()
	if v.Exists() && !ok {
		p.refuse(invalid(name, "must be true or false, not %s", named(v.Kind())))
	}
	return b
}

// texts reads a list of strings.
func (p *params) texts(name string) []string {
	v := p.get(name)
	if v.Exists() && !v.IsArray() {
		p.refuse(invalid(name, "must be a list of texts, not %s", named(v.Kind())))
	}
	var out []string
	for i, e := range v.Elements() {
		s, ok := e.AsText()
		if !ok {
			p.refuse(&Failure{trace.CodeInvalidValue, fmt.Sprintf("%s[%d] must be a text, not %s",
				name, i, named(e.Kind())), name})
		}
		out = append(out, s)
	}
	return out
}

// keywords reads a list of strings, or one string that is cut at commas and semicolons
// of both widths. It is not cut at spaces: "old mill" is one keyword.
func (p *params) keywords(name string) []string {
	s, ok := p.get(name).AsText()
	if !ok {
		return p.texts(name)
	}
	cut := strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(",，、;；", c) })
	var out []string
	for _, k := range cut {
		if k = strings.TrimSpace(k); k != "" {
			out = append(out, k)
		}
	}
	return out
}

// missing is the failure of a required parameter.
func missing(param string) *Failure {
	return &Failure{trace.CodeMissingParams, param + " is required", param}
}

// invalid is the failure of a parameter of the wrong type or range.
func invalid(param, format string, args ...any) *Failure {
	return &Failure{trace.CodeInvalidValue, param + " " + fmt.Sprintf(format, args...), param}
}
