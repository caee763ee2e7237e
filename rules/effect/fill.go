package effect

import (
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/internal/report"
)

// filler inserts the parameters of an event into the texts of an effect. Effects are values, so the
// program's own effect does not change.
type filler struct {
	params tree.Value
	found  bool // a text has a token
	prompt bool // the filled text goes into prompts, where parameters are data
}

// fillable is implemented by effects that have texts with parameters of events: only top-level
// texts, none inside structures.
type fillable interface{ fill(with *filler) Effect }

// HasTokens reports whether an effect has parameters of events to fill in. It is called once for
// each effect, at compile time.
func HasTokens(e Effect) bool {
	var with filler
	if f, ok := e.(fillable); ok {
		f.fill(&with)
	}
	return with.found
}

// Fill returns the effect with the parameters of an event filled in.
func Fill(e Effect, params tree.Value) Effect {
	if f, ok := e.(fillable); ok {
		return f.fill(&filler{params: params})
	}
	return e
}

// texts inserts parameters into texts.
func (f *filler) texts(list ...*string) {
	for _, s := range list {
		f.found = f.found || report.HasToken(*s)
		*s = report.Print(*s, f.params)
	}
}

// template inserts parameters into a text that is a prompt template.
func (f *filler) template(s *string) {
	f.found = f.found || report.HasToken(*s)
	*s = report.PrintWith(*s, f.params, utf8text.Escape)
}

// value fills a value; a text that consists of one token becomes the parameter itself.
func (f *filler) value(v *tree.Value) {
	text, isText := v.AsText()
	f.found = f.found || isText && report.HasToken(text)
	if f.prompt && isText {
		f.template(&text)
		*v = tree.Text(text)
		return
	}
	*v = report.Fill(*v, f.params)
}

// ref replaces a value by the parameter that a reference names. It reports whether ref names a
// parameter.
func (f *filler) ref(ref *string, v *tree.Value) bool {
	key, isParam := report.Key(*ref)
	if !isParam {
		return false
	}
	f.found, *ref = true, ""
	if *v = report.Value(f.params, key); f.prompt {
		*v = asData(f.params.Get(key))
	}
	return true
}
