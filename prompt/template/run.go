package template

import (
	"maps"
	"strings"
)

// run runs a template of an entry, or of any other text with an empty origin. names are known in it. It
// panics with an *Error.
func (b *Build) run(t *Template, names map[string]value, of origin) string {
	if t.program == nil && t.needs == "" {
		return b.expand(t.src.written, "")
	}
	made := &struct { // one allocation
		frame
		out     strings.Builder
		origins [1]origin
	}{frame: frame{build: b, src: &t.src, names: names}, origins: [1]origin{of}}
	f := &made.frame
	f.out, f.origins = &made.out, made.origins[:]
	f.out.Grow(len(t.src.text) / 2)
	b.runFrame(t, f)
	return mend(f.out.String())
}

// runFrame runs a template in its frame. It panics with an *Error.
func (b *Build) runFrame(t *Template, f *frame) {
	if b.depth++; b.depth > maxCalls+1 {
		f.limit("depth", "entries call each other more than 16 deep: take a call out")
	}
	calls := b.calls
	b.calls = 0
	defer func() { b.depth--; b.calls = calls }()
	if t.needs != "" {
		f.runEngine(t.needs)
		return
	}
	for _, m := range t.macros {
		result := b.expand(m, "")
		f.chargeMemory(len(result))
		f.macroResults = append(f.macroResults, result)
	}
	f.execBlock(t.program, nil)
}

// Run runs the template as a text of the build, and returns its output. The error is an [*Error]. A
// text that fails prints nothing, and its writes are undone.
func (t *Template) Run(b *Build) (string, error) {
	return b.try(func() string { return b.run(t, nil, origin{}) })
}

// try runs a text. If it fails, its writes and definitions are undone.
func (b *Build) try(f func() string) (out string, err error) {
	stores, writes, defined, active, args := b.stores, len(b.writes), b.defined, b.activated, len(b.args)
	b.definedIsShared = true
	b.activated = maps.Clone(active)
	defer func() {
		if e := errorOf(recover()); e != nil {
			b.stores, b.writes, b.defined, b.activated = stores, b.writes[:writes:writes], defined, active
			b.depth, b.calls, b.level, b.args = 0, 0, 0, b.args[:args]
			out, err = "", e
		}
	}()
	return clean(f()), nil
}
