package macro

import "github.com/talewright/talewright"

// Limits of one run.
const (
	maxResult = maxText  // bytes of one expanded text
	maxWork   = 16 << 20 // bytes that macros may return or store, in total
)

// Run is the state of one build: the variables, the expanded card fields, and the trace. Expand the
// texts of a build with one Run, in order, so that each text sees what the texts before it stored.
// A Run is for one goroutine.
type Run struct {
	env         Env
	vars        *store
	globals     *store
	buildMacros map[string]string // of Env.Macros, by lower-case name
	fields      map[string]*field
	storeRoots  map[string]any // of Env.Stores, decoded
	// shownBytes is the size of the values that macros of stores have shown.
	shownBytes int
	depth      int
	spentBytes int
	cbsSteps   int // of texts in the language of RisuAI
	trace      Trace
	trying     bool // see Try
}

// Locals are macros for one text, in addition to the macros of the environment.
type Locals struct {
	// Original returns the text of {{original}}. It is called on the first use; a second use is
	// empty. If it is nil, the macro stays as written.
	Original func() string
	// Char is the value of {{char}} for this text; empty means the Char of the environment.
	Char string
	// Result, if not nil, is applied to the result of each macro, also of nested ones. A pattern,
	// for example, escapes the names that it is made of.
	Result func(string) string
}

// Vars returns the current variables of the chat and reports whether a text has written any. Do not
// change the map: without a write it is the map of the environment.
func (r *Run) Vars() (values map[string]any, written bool) { return r.vars.All() }

// Globals returns the current global variables; see [Run.Vars].
func (r *Run) Globals() (values map[string]any, written bool) { return r.globals.All() }

// Trace returns the trace so far. Its lists are shared with the run and grow by appending.
func (r *Run) Trace() Trace { return r.trace }

// store is one of the two sets of variables.
func (r *Run) store(global bool) *store {
	if global {
		return r.globals
	}
	return r.vars
}

// draw draws a number for a macro and records it. It fails without a random source.
func (r *Run) draw(name string, offset int) (x float64, ok bool) {
	if r.env.Random == nil {
		return 0, false
	}
	if x = r.env.Random(); !(x >= 0 && x < 1) {
		x = 0
	}
	r.trace.Draws = append(r.trace.Draws, Draw{name, offset, x})
	return x, true
}

// noRandom is why a macro that draws a number fails.
const noRandom = "the environment has no random source"

// enter goes one level deeper. Macros, fields and outlets all count. It fails at the limit.
func (r *Run) enter() bool {
	if r.depth >= maxDepth {
		return false
	}
	r.depth++
	return true
}

// leave reverts enter.
func (r *Run) leave() { r.depth-- }

// spend counts bytes against the limit of the run.
func (r *Run) spend(n int) bool {
	if r.spentBytes+n > maxWork {
		return false
	}
	r.spentBytes += n
	return true
}

// problem adds a problem to the trace.
func (r *Run) problem(p talewright.Problem) { r.trace.Problems = appendProblem(r.trace.Problems, p) }

// field is a text of the environment that is expanded on first use. A reference to a field that is
// being expanded is empty.
type field struct {
	text                string
	expanding, expanded bool
}

// field returns the text with the given key. On first use it calls expand.
func (r *Run) field(key string, expand func() string) string {
	f := r.fields[key]
	if f == nil {
		f = &field{}
		note(&r.fields, key, f)
	}
	if f.expanded || f.expanding {
		return f.text
	}
	f.expanding = true
	defer func() { f.expanding = false }() // a macro of the host may panic
	f.text = expand()
	f.expanded = true
	return f.text
}

// shown is [variablesText] of a value that does not change during the run. Values that are costly
// to show are cached by key.
func (r *Run) shown(key string, v any) string {
	if isCheap(v) {
		return variablesText(v)
	}
	return r.field(key, func() string { return variablesText(v) })
}

// OutletUsed reports whether a text has used the outlet.
func (r *Run) OutletUsed(name string) bool {
	f := r.fields["outlet "+name]
	return f != nil && f.expanded
}

// Try calls f. If f returns false or panics, Try reverts the variables that f stored. Numbers that
// were drawn stay drawn, and the trace keeps everything. A Try within f is part of the outer one.
func (r *Run) Try(f func() bool) bool {
	if r.trying {
		return f()
	}
	r.trying = true
	r.vars.Begin()
	r.globals.Begin()
	kept := false
	defer func() {
		r.trying = false
		r.vars.End(kept)
		r.globals.End(kept)
	}()
	kept = f()
	return kept
}
