package stage

import (
	"fmt"
	"maps"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Values are the state of a character and its relationship to the user.
type Values struct{ Character, Relationship tree.Value }

// SwitchTo makes who the current character of the overlay. It reports whether it changed: it does
// nothing for an unknown character or for the current one.
func (o *Overlay) SwitchTo(who string) bool {
	next, known := o.Others[who]
	if !known || who == o.Who {
		return false
	}
	others := maps.Clone(o.Others)
	delete(others, who)
	others[o.Who] = o.Values
	o.Values, o.Who, o.Others = next, who, others
	return true
}

// valuesOf returns the values of a character.
func (o *Overlay) valuesOf(who string) Values {
	if who == o.Who {
		return o.Values
	}
	return o.Others[who]
}

// setValues stores the values of a character.
func (o *Overlay) setValues(who string, v Values) {
	if who == o.Who {
		o.Values = v
		return
	}
	o.Others = maps.Clone(o.Others)
	o.Others[who] = v
}

// Overlay holds the changes that a hook has staged but not committed. Its values are immutable and
// its lists only grow, so a copy of the struct is a save point for everything except the default
// keys.
type Overlay struct {
	Values
	// Who is the id of the character that Values belong to. Others holds the values of the other
	// characters by id. The map is not modified: each change makes a new map.
	Who     string
	Others  map[string]Values
	Keys    *Keys // shared by the whole run; its save point is its mark
	Effects []effect.Effect
}

// Add stages effects that change neither character nor relationship.
func (o *Overlay) Add(effects ...effect.Effect) { o.Effects = append(o.Effects, effects...) }

// Apply stages the effects that a handler returned, all of them or none. It works on a copy and
// stores it at the end, so that a refusal in the middle changes nothing.
func (o *Overlay) Apply(effects []effect.Effect, means *Means, e *act.Event) *act.Failure {
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

// applyOne stages one effect. Effects that built-in actions can make pass the same checks, so that
// a handler has the same limits as an action. The other effects are not checked: the host handles
// them.
func (o *Overlay) applyOne(asked effect.Effect, means *Means, e *act.Event) *act.Failure {
	switch effect := asked.(type) {
	case nil:
		return &act.Failure{Code: act.CodeHandlerError, Detail: "the handler returned no effect at all"}
	case effect.ChangeState:
		who, fail := o.characterID(effect.CharacterID, means)
		switch {
		case fail != nil:
			return fail
		case !o.valuesOf(who).Character.IsObject():
			return unavailable("a character state")
		}
		return o.setField(effect.Field, effect.New, stateTarget(means, who))
	case effect.ChangeRelationship:
		who, fail := o.characterID(effect.CharacterID, means)
		switch {
		case fail != nil:
			return fail
		case !o.valuesOf(who).Relationship.IsObject():
			return unavailable("a relationship")
		}
		return o.setField(effect.Field, effect.New, relationshipTarget(who, e))
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

// setField gives a field a new value, with the checks and bounds of a [fieldChange]. A handler
// knows the old value and returns the new one, so nothing is added here, even for a field with Add.
func (o *Overlay) setField(field string, v tree.Value, t target) *act.Failure {
	switch {
	case !v.Exists():
		return act.Missing("new")
	case v.Deeper(tree.MaxDepth):
		return &act.Failure{Code: act.CodeInvalidValue, Detail: fmt.Sprintf("nested deeper than %d levels", tree.MaxDepth)}
	}
	rule := t.rule
	t.rule = func(object tree.Value, field string) (act.Field, *act.Failure) {
		f, fail := rule(object, field)
		f.Add = false
		return f, fail
	}
	_, fail := o.applyChanges([]fieldChange{{field, v}}, t)
	return fail
}
