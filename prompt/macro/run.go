package macro

import (
	"github.com/talewright/talewright"
)

// Limits of one run.
const (
	maxResult = maxText  // bytes of one expanded text
	maxWork   = 16 << 20 // bytes that macros may give or store, all together
)

// Run is the state of one build: the variables, the card fields that are already
// expanded, and the trace. Expand the texts of a build with one Run, in order,
// so that each sees what the ones before it stored. A Run belongs to one
// goroutine.
type Run struct {
	env     Env
	vars    variableSet
	globals variableSet
	calls   map[string]string // of Env.Macros, by lower-case name
	fields  map[string]*field
	depth   int
	work    int
	trace   Trace
	undoing bool // see Try
}

// Locals are macros that one text has beside those of the environment.
type Locals struct {
	// Original gives the text of {{original}}. It is asked on the first use; a
	// second use is empty. nil: there is none, and the macro stays.
	Original func() string
	// Char is the name that {{char}} gives here; empty is that of the environment.
	Char string
	// Result, if not nil, is applied to what each macro gives, nested ones included:
	// a pattern escapes the names that it is made of.
	Result func(string) string
}

// Vars returns the variables of the chat as they are now and whether a text has
// written any. The map must not be changed: without a write it is the one of
// the environment.
func (r *Run) Vars() (values map[string]any, written bool) { return r.vars.store.All() }

// Globals returns the global variables as they are now; see [Run.Vars].
func (r *Run) Globals() (values map[string]any, written bool) {
	return r.globals.store.All()
}

// Trace returns what happened so far. Its lists are shared with the run and
// grow by appending.
func (r *Run) Trace() Trace { return r.trace }

// store is one of the two sets of variables.
func (r *Run) store(global bool) *store {
	if global {
		return r.globals.store
	}
	return r.vars.store
}

// variableSet is a set of variables and what the trace tells of it.
type variableSet struct {
	run    *Run
	store  *store
	global bool
	used   map[string]int // places in the trace
}

// Touch records the use of a variable.
func (v *variableSet) Touch(name string, write bool) {
	list := v.run.trace.Access
	if i, ok := v.used[name]; ok {
		list[i].Read = list[i].Read || !write
		list[i].Write = list[i].Write || write
		return
	}
	if len(list) >= maxProblems {
		return
	}
	if v.used == nil {
		v.used = map[string]int{}
	}
	v.used[name] = len(list)
	v.run.trace.Access = append(list, Access{name, v.global, !write, write})
}

// Spend takes bytes from what the run may produce.
func (v *variableSet) Spend(n int) bool { return v.run.spend(n) }

// Refuse reports a value that is too large.
func (v *variableSet) Refuse(name string) {
	v.run.problem(problem(Refused, name, 0, "the value is too large"))
}

// call returns the text of a macro that is defined for this build only.
func (r *Run) call(name string) (string, bool) {
	text, ok := r.calls[name]
	return text, ok
}

// enter goes one level deeper, through macros, fields and outlets alike; it fails
// at the limit.
func (r *Run) enter() bool {
	if r.depth >= maxDepth {
		return false
	}
	r.depth++
	return true
}

// leave undoes enter.
func (r *Run) leave() { r.depth-- }

// spend takes bytes from what the run may produce.
func (r *Run) spend(n int) bool {
	if r.work+n > maxWork {
		return false
	}
	r.work += n
	return true
}

func (r *Run) problem(p talewright.Problem) { r.trace.Problems = appendProblem(r.trace.Problems, p) }

// field is a text of the environment that is expanded on first use. A reference
// to one that is just being expanded is empty.
type field struct {
	text       string
	busy, done bool
}

// field returns the text with the given key, made by expand on first use.
func (r *Run) field(key string, expand func() string) string {
	f := r.fields[key]
	if f == nil {
		if r.fields == nil {
			r.fields = map[string]*field{}
		}
		f = &field{}
		r.fields[key] = f
	}
	if f.done || f.busy {
		return f.text
	}
	f.busy = true
	defer func() { f.busy = false }() // a macro of the host may panic
	f.text = expand()
	f.done = true
	return f.text
}

// shown is [variablesText] of a value that does not change while the run lasts. What is
// work to show is shown once for a key.
func (r *Run) shown(key string, v any) string {
	if plain(v) {
		return variablesText(v)
	}
	return r.field(key, func() string { return variablesText(v) })
}

// OutletUsed reports whether a text has shown the outlet.
func (r *Run) OutletUsed(name string) bool {
	f := r.fields["outlet "+name]
	return f != nil && f.done
}

// Try calls f and, where it returns false or panics, undoes what f has stored in
// variables. Numbers that were drawn stay drawn, and the trace tells all of it. A
// Try within f is part of the outer one.
func (r *Run) Try(f func() bool) bool {
	if r.undoing {
		return f()
	}
	r.undoing = true
	r.vars.store.Begin()
	r.globals.store.Begin()
	kept := false
	defer func() {
		r.undoing = false
		r.vars.store.End(kept)
		r.globals.store.End(kept)
	}()
	kept = f()
	return kept
}
