package effect

import (
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/internal/report"
)

// filler inserts the parameters of an event into the texts of an effect, or only checks for tokens.
// Effects are values, so the program's own effect does not change.
type filler struct {
	params tree.Value // absent: only check
	found  *bool      // the result of a check
	prompt bool       // the filled text goes into prompts, where parameters are data
}

// fillable is implemented by effects that have texts with parameters of events: only top-level
// texts, none inside structures.
type fillable interface{ fill(with filler) Effect }

// HasTokens reports whether an effect has parameters of events to fill in. It is called once for
// each effect, at compile time.
func HasTokens(e Effect) bool {
	found := false
	if f, ok := e.(fillable); ok {
		f.fill(filler{found: &found})
	}
	return found
}

// Fill returns the effect with the parameters of an event filled in.
func Fill(e Effect, params tree.Value) Effect {
	if f, ok := e.(fillable); ok {
		return f.fill(filler{params: params})
	}
	return e
}

// filling reports whether the filler inserts parameters and does not only check.
func (f *filler) filling() bool { return f.found == nil }

// noteToken records whether a text has a token.
func (f *filler) noteToken(has bool) { *f.found = *f.found || has }

// texts inserts parameters into texts.
func (f *filler) texts(list ...*string) {
	for _, s := range list {
		if !f.filling() {
			f.noteToken(report.HasToken(*s))
			continue
		}
		*s = report.Print(*s, f.params)
	}
}

// template inserts parameters into a text that is a prompt template.
func (f *filler) template(s *string) {
	if !f.filling() {
		f.noteToken(report.HasToken(*s))
		return
	}
	*s = report.PrintWith(*s, f.params, utf8text.Escape)
}

// value fills a value; a text that consists of one token becomes the parameter itself.
func (f *filler) value(v *tree.Value) {
	text, isText := v.AsText()
	switch {
	case !f.filling():
		f.noteToken(isText && report.HasToken(text))
	case f.prompt && isText:
		*v = tree.Text(report.PrintWith(text, f.params, utf8text.Escape))
	default:
		*v = report.Fill(*v, f.params)
	}
}

// ref replaces a value by the parameter that a reference names. It reports whether ref names a
// parameter.
func (f *filler) ref(ref *string, v *tree.Value) bool {
	key, isParam := report.Key(*ref)
	switch {
	case !isParam:
		return false
	case !f.filling():
		f.noteToken(true)
	case f.prompt:
		*v, *ref = asData(f.params.Get(key)), ""
	default:
		*v, *ref = report.Value(f.params, key), ""
	}
	return true
}
