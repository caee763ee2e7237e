package effect

import (
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/internal/report"
)

// filler fills the parameters of an event into the texts of an effect, or only looks whether
// there are tokens to fill. Effects are values, so that the program's own stays as the author
// wrote it.
type filler struct {
	params tree.Value // absent: look
	found  *bool      // of a look
	prompt bool       // what is filled gets into prompts, where parameters are data
}

// filled effects have texts in which parameters of events are filled in: top-level ones
// of their own, none inside of structures.
type filled interface{ fill(with filler) Effect }

// HasTokens reports whether an effect has parameters of events to fill in. It is asked of each
// effect once, at compile time.
func HasTokens(e Effect) bool {
	found := false
	if f, ok := e.(filled); ok {
		f.fill(filler{found: &found})
	}
	return found
}

// Fill returns the effect with the parameters of an event filled in.
func Fill(e Effect, params tree.Value) Effect {
	if f, ok := e.(filled); ok {
		return f.fill(filler{params: params})
	}
	return e
}

// filling reports whether this is no mere look.
func (f *filler) filling() bool { return f.found == nil }

// look notes a token.
func (f *filler) look(has bool) { *f.found = *f.found || has }

// texts prints parameters into texts.
func (f *filler) texts(list ...*string) {
	for _, s := range list {
		if !f.filling() {
			f.look(report.HasToken(*s))
			continue
		}
		*s = report.Print(*s, f.params)
	}
}

// template prints parameters into a text that is a template of prompts.
func (f *filler) template(s *string) {
	if !f.filling() {
		f.look(report.HasToken(*s))
		return
	}
	*s = report.PrintWith(*s, f.params, utf8text.Escape)
}

// value fills a value; a text that is one token and nothing else becomes the parameter itself.
func (f *filler) value(v *tree.Value) {
	text, isText := v.AsText()
	switch {
	case !f.filling():
		f.look(isText && report.HasToken(text))
	case f.prompt && isText:
		*v = tree.Text(report.PrintWith(text, f.params, utf8text.Escape))
	default:
		*v = report.Fill(*v, f.params)
	}
}

// ref puts the parameter that a reference names in the place of a value, and reports whether it
// names one.
func (f *filler) ref(ref *string, v *tree.Value) bool {
	key, isParam := report.Key(*ref)
	switch {
	case !isParam:
		return false
	case !f.filling():
		f.look(true)
	case f.prompt:
		*v, *ref = asData(f.params.Get(key)), ""
	default:
		*v, *ref = report.Value(f.params, key), ""
	}
	return true
}
