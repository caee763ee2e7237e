package macro

import (
	"cmp"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/macro/internal/mark"
	"github.com/talewright/talewright/prompt/macro/internal/variables"
)

// Limits of one run.
const (
	maxResult = variables.MaxText // bytes of one expanded text
	maxWork   = 16 << 20          // bytes that macros may give or store, all together
)

// Run is the state of one build: the variables, the card fields that are already
// expanded, and the trace. Expand the texts of a build with one Run, in order,
// so that each sees what the ones before it stored. A Run belongs to one
// goroutine.
type Run struct {
	env     Env
	vars    variableSet
	globals variableSet
	calls   map[string]string // of Env.Call, by lower-case name
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

// NewRun returns the state at the beginning of a build. The environment is
// copied; its maps and slices are read, never written.
func NewRun(env Env) *Run {
	r := &Run{env: env}
	if r.env.Chat == nil {
		r.env.Chat = Messages(nil)
	}
	if r.env.Compile == nil {
		r.env.Compile = Compile
	}
	r.vars = variableSet{run: r, store: variables.New(env.Vars, &r.vars)}
	r.globals = variableSet{run: r, store: variables.New(env.Globals, &r.globals), global: true}
	if len(env.Call) > 0 {
		r.calls = make(map[string]string, len(env.Call))
		for name, text := range env.Call {
			r.calls[strings.ToLower(name)] = text
		}
	}
	return r
}

// Expand expands a text in a mode, [Full] for texts of authors alone.
//
// Macros are expanded from left to right, innermost first, and the result of a
// macro is never expanded again. In full mode, at the end, {{trim}} goes with
// all newlines that touch it, and \{ and \} become braces. What cannot be
// expanded stays as written and is reported in the trace.
func (r *Run) Expand(text string, mode Mode) string {
	return r.ExpandWith(text, mode, Locals{})
}

// mayExpand looks for the bytes without which nothing is expanded. Most lines of
// a history have none of them and need no template.
func mayExpand(text string) bool {
	return strings.IndexByte(text, '{') >= 0 || strings.IndexByte(text, '<') >= 0 ||
		strings.IndexByte(text, '\\') >= 0
}

// ExpandWith is [Run.Expand] with macros for this text alone.
func (r *Run) ExpandWith(text string, mode Mode, locals Locals) string {
	if mode != Full && mode != Names || !mayExpand(text) {
		return text
	}
	t := r.env.Compile(text)
	if t.plain || mode == Names && len(t.nodes) == 0 {
		return text
	}
	return r.template(t, mode, locals)
}

// template expands a compiled text. In mode names nothing else is touched, not
// even the escapes.
func (r *Run) template(t *Template, mode Mode, locals Locals) string {
	e := evaluator{run: r, t: t, locals: &locals, names: mode == Names}
	return r.evaluate(&e)
}

// evaluate expands the template of an evaluator.
func (r *Run) evaluate(e *evaluator) string {
	t := e.t
	for _, p := range t.problems {
		r.problem(p)
	}
	if len(t.nodes) == 0 && len(t.places) == 0 {
		return unescape(t.text)
	}
	e.out = make([]byte, 0, len(t.text)+64)
	if len(t.nodes) == 0 {
		e.source(0, len(t.text))
	}
	e.nodes(t.nodes)
	if e.names {
		return string(e.out)
	}
	return mark.Settle(unescape(string(e.out)))
}

// Expand expands one text of an author in a fresh [Run] and returns what happened. Variables
// that the text writes are lost; use a Run to keep them.
func Expand(text string, env Env) (string, Trace) {
	r := NewRun(env)
	return r.Expand(text, Full), r.Trace()
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
func (r *Run) store(global bool) *variables.Store {
	if global {
		return r.globals.store
	}
	return r.vars.store
}

// variableSet is a set of variables and what the trace tells of it.
type variableSet struct {
	run    *Run
	store  *variables.Store
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

// shown is [variables.Text] of a value that does not change while the run lasts. What is
// work to show is shown once for a key.
func (r *Run) shown(key string, v any) string {
	if variables.Plain(v) {
		return variables.Text(v)
	}
	return r.field(key, func() string { return variables.Text(v) })
}

// cardText is a field with an expanded and trimmed template.
func (r *Run) cardText(key, template string, mode Mode) string {
	return r.field(key, func() string {
		return trim(r.Expand(template, cmp.Or(mode, Full)))
	})
}

// Prepare expands the fields of the card that every prompt uses: description,
// personality, persona, scenario and examples, in this order, so that the
// variables they set are there for everything else.
func (r *Run) Prepare() {
	for _, name := range [...]string{
		"description", "personality", "persona", "scenario", "mesexamplesraw",
	} {
		r.cardField(name)
	}
}

// Outlet returns the text of an outlet and whether there is one. Asking counts
// as a use.
func (r *Run) Outlet(name string) (string, bool) {
	pieces, ok := r.env.Outlets[name]
	if !ok || name == "" {
		return "", false
	}
	return r.field("outlet "+name, func() string {
		var texts []string
		for _, p := range pieces {
			text := p.Text
			if !p.Literal {
				text = r.Expand(text, Full)
			}
			if trim(text) != "" {
				texts = append(texts, text)
			}
		}
		return strings.Join(texts, "\n")
	}), true
}

// OutletUsed reports whether a text has shown the outlet.
func (r *Run) OutletUsed(name string) bool {
	f := r.fields["outlet "+name]
	return f != nil && f.done
}

// cardField returns a field by the lower-case name of its macro. The name is also
// the key under which the expanded text is remembered, so that all aliases of a
// macro share one expansion and its side effects happen once.
func (r *Run) cardField(name string) string {
	card := &r.env.Card
	template := map[string]string{
		"description":     card.Description,
		"personality":     card.Personality,
		"scenario":        card.Scenario,
		"persona":         r.env.Persona,
		"charprompt":      card.SystemPrompt,
		"charinstruction": card.PostHistory,
		"chardepthprompt": card.DepthPrompt,
		"creatornotes":    card.CreatorNotes,
		"mesexamplesraw":  card.Examples,
	}[name]
	mode := r.env.CardMode
	if name == "persona" {
		mode = r.env.PersonaMode
	}
	return r.cardText(name, template, mode)
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
