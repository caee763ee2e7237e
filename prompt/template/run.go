package template

import (
	"maps"
	"strings"

	"github.com/talewright/talewright/worldbook"
)

// run runs a template in the build. It panics with an *Error.
func (b *Build) run(t *Template, data map[string]value, book *worldbook.Book, entry *worldbook.Entry) string {
	if t.program == nil && t.needs == "" {
		return b.expand(t.src.written, "")
	}
	made := &struct {
		frame
		out    strings.Builder
		origin [1]origin
	}{frame: frame{build: b, src: &t.src, data: data}, origin: [1]origin{{book, entry}}}
	f := &made.frame
	f.out, f.origins = &made.out, made.origin[:]
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
		f.keep(len(result))
		f.macros = append(f.macros, result)
	}
	f.runBlock(t.program, nil)
}

// Run runs the template as a text of the build, and returns its output. The error is an [*Error]. A
// text that fails prints nothing, and its writes are undone.
func (t *Template) Run(b *Build) (string, error) {
	out, err := b.try(func() string { return b.run(t, nil, nil, nil) })
	if err != nil {
		return "", err
	}
	return out, nil
}

// try runs a text. If it fails, its writes and definitions are undone.
func (b *Build) try(f func() string) (out string, err error) {
	stores, writes, defined, active, args := b.stores, len(b.writes), b.defined, b.active, len(b.args)
	b.shared = true
	b.active = maps.Clone(active)
	defer func() {
		if r := recover(); r != nil {
			e, ours := r.(*Error)
			if !ours {
				panic(r)
			}
			b.stores, b.writes, b.defined, b.active = stores, b.writes[:writes:writes], defined, active
			b.depth, b.calls, b.level, b.args = 0, 0, 0, b.args[:args]
			out, err = "", e
		}
	}()
	return strings.ToValidUTF8(f(), "\uFFFD"), nil
}
