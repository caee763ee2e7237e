package stage

import (
	"fmt"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/hooks/trace"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Overlay is what a hook has staged and not yet committed. Its values are
// immutable and its lists only grow, so that a copy of the struct is a save point of
// all but the default keys.
type Overlay struct {
	Character    tree.Value
	Relationship tree.Value
	Keys         *Keys // one for the whole run; a save point of it is its mark
	Effects      []effect.Effect
}

// Add stages effects that change neither of the two values.
func (o *Overlay) Add(effects ...effect.Effect) { o.Effects = append(o.Effects, effects...) }

// Apply stages the effects that a handler returned, all of them or none. It works on
// a copy and takes it over at the end, so that a refusal in the middle leaves no half.
func (o *Overlay) Apply(effects []effect.Effect, means *Means, e *on.Event) *act.Failure {
	next, mark := *o, o.Keys.Mark()
	for i, effect := range effects {
		if fail := next.applyOne(effect, means, e); fail != nil {
			o.Keys.Undo(mark)
			fail.Detail = fmt.Sprintf("effect %d: %s", i, fail.Detail)
			return fail
		}
	}
	*o = next
	return nil
}

// applyOne stages one effect. Those that built-in actions have too pass through the
// same checks, so that a handler cannot do what an action may not; the others are
// between the handler and the host.
func (o *Overlay) applyOne(asked effect.Effect, means *Means, e *on.Event) *act.Failure {
	switch effect := asked.(type) {
	case nil:
		return &act.Failure{Code: trace.CodeHandlerError, Detail: "the handler returned no effect at all"}
	case effect.ChangeState:
		if !o.Character.IsObject() {
			return unavailable("a character state")
		}
		return o.set(effect.Field, effect.New, stateTarget(means, e))
	case effect.ChangeRelationship:
		if !o.Relationship.IsObject() {
			return unavailable("a relationship")
		}
		return o.set(effect.Field, effect.New, relationshipTarget(e))
	case effect.InjectPrompt:
		if means.Lacks(act.Prompts) {
			return unavailable("a prompt to inject into")
		}
		scope, fail := lifetime(effect.Scope)
		if fail != nil {
			return fail
		}
		effect.Scope = scope
		o.inject(effect, e)
	default:
		o.Add(effect)
	}
	return nil
}

// set gives a field a new value, under the checks and bounds of its moves. A handler
// knows the old value and says what the new one is, so nothing is added here, also
// where a delta would be.
func (o *Overlay) set(field string, v tree.Value, t target) *act.Failure {
	switch {
	case !v.Exists():
		return act.Missing("new")
	case v.Deeper(tree.MaxDepth):
		return &act.Failure{Code: trace.CodeInvalidValue, Detail: fmt.Sprintf("nested deeper than %d levels", tree.MaxDepth)}
	}
	rule := t.rule
	t.rule = func(object tree.Value, field string) (act.Field, *act.Failure) {
		f, fail := rule(object, field)
		f.Add = false
		return f, fail
	}
	_, fail := o.move([]move{{field, v}}, t)
	return fail
}
