package rules

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// Access is what a model may do with a variable now. Rules, hooks and the host may do
// everything at any time.
type Access struct {
	Active   bool // its module and its own activation are on, and it is not switched off
	Readable bool // it may be shown
	Writable bool // a model may write it
}

// Access returns what a model may do with a declared variable. Without a schema, and
// for an id that is not declared, everything is allowed: such a write is refused
// elsewhere, and reported there.
func (s *Program) Access(st State, id string) Access {
	v, ok := s.variables().withID(id)
	if !ok {
		return Access{true, true, true}
	}
	r := s.begin(&st, nil, &Options{})
	defer r.end()
	return r.access(v)
}

// access joins what was authored with the state. A variable that a model may not read it
// may not write either: it could not know what it does.
func (r *run) access(v *variable) Access {
	a := Access{Active: r.variableActive(v)}
	a.Readable = a.Active && !v.Internal && v.AIAccess != AINone
	a.Writable = a.Readable && v.AIAccess != AIRead && v.Formula == ""
	return a
}

// variableActive asks, in this order, the module, the switch and the activation. The run-
// time switch beats the authored flag, as it does for rules and entries.
func (r *run) variableActive(v *variable) bool {
	if !r.moduleActive(v.module) {
		return false
	}
	on, switched := r.state.Ledger.Variables[v.ID]
	if !switched {
		on = v.Enabled == nil || *v.Enabled
	}
	if !on {
		return false
	}
	return r.decideActivation(&v.Activation, v.conditions)
}

// The reasons of [Program.FilterWrites].
const (
	InternalVariable Reason = "internal"
	InactiveVariable Reason = "inactive"
	ReadOnlyVariable Reason = "read-only"
	SystemPath       Reason = "system-path" // an @ path, which commands the game
)

// FilterWrites drops the writes that a model may not make: to internal and inactive
// variables, to those that it may only read or not even that, to formula
// variables, and to @ paths. Everything else is kept, writes to unknown variables too, in order.
//
// All writes are judged by the state that is given: one that switches a variable on does not
// open it for the next. FilterWrites is pure and safe for concurrent use.
func (s *Program) FilterWrites(st State, effects []Caused) (kept []Caused, dropped []Refusal) {
	if s == nil {
		s, _ = Compile(Content{})
	}
	r := s.begin(&st, nil, &Options{})
	defer r.end()
	for _, c := range effects {
		// What is no write, or to nobody's variable, is judged elsewhere: dropping it here
		// would hide the better reason.
		e, isWrite := c.Effect.(SetVariable)
		if isWrite && strings.HasPrefix(e.Path, "@") {
			dropped = append(dropped, Refusal{By: c.By, Effect: e, Path: e.Path, Value: e.Value,
				Reason: SystemPath, Text: s.words.Say("no variable, and not a model's to command")})
			continue
		}
		v, known := s.variables().target(e.Path)
		if !isWrite || !known {
			kept = append(kept, c)
			continue
		}
		a := r.access(v)
		if a.Writable {
			kept = append(kept, c)
			continue
		}
		why := deny(ReadOnlyVariable, "a model may not write it")
		switch {
		case v.Internal:
			why = deny(InternalVariable, "internal to the game")
		case !a.Active:
			why = deny(InactiveVariable, "not active now")
		}
		dropped = append(dropped, Refusal{
			By: c.By, Effect: e, Path: e.Path, Value: e.Value, Reason: why.reason, Text: why.In(s.words),
		})
	}
	return kept, dropped
}

// target returns the declared variable that a write concerns, by id, display name, or
// the root of a path.
func (s *schema) target(path string) (*variable, bool) {
	if v, ok := s.named(path); ok {
		return v, true
	}
	if root, err := tree.ParsePath(path); err == nil {
		return s.withID(root[0])
	}
	if i := strings.IndexAny(path, ".["); i > 0 { // malformed behind its root
		return s.withID(path[:i])
	}
	return nil, false
}
