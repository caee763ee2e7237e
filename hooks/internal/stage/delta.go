package stage

import (
	"fmt"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// fieldChange is a requested change of one field.
type fieldChange struct {
	field string
	by    tree.Value // the amount to add, or the new value; see [act.Field]
}

// fieldChanges reads both formats: a non-empty payload of several fields, or field and delta.
// Editors write an empty payload together with the other format, so an empty payload is ignored. A
// payload that is not an object is a mistake; field and delta are then not read.
func (p *params) fieldChanges() []fieldChange {
	payload := p.get("payload")
	if payload.Exists() && !payload.IsObject() {
		p.refuse(act.Invalid("payload", "must be an object, not %s", condition.Named(payload.Kind())))
		return nil
	}
	var out []fieldChange
	for field, by := range payload.Members() {
		out = append(out, fieldChange{field, by})
	}
	if len(out) > 0 {
		return out
	}
	field := p.required("field")
	delta := p.get("delta")
	if !delta.Exists() {
		p.refuse(act.Missing("delta"))
	}
	return []fieldChange{{field, delta}}
}

// FieldsOf returns the names of the fields that a delta wants to change. If the delta has a
// mistake, it returns the fields that it can read.
func FieldsOf(a act.Action) []string {
	p := params{action: a}
	var names []string
	for _, change := range p.fieldChanges() {
		if change.field != "" {
			names = append(names, change.field)
		}
	}
	return names
}

// prepareStateDelta checks the format. The fields and their rules depend on the state and on the
// host's registry, so they are checked when the action runs.
func prepareStateDelta(a act.Action) (Prepared, *act.Failure) {
	return prepareDelta(a, (*Overlay).stateTarget, stateRule)
}

// prepareRelationshipDelta is like prepareStateDelta, but the fields are always the same six.
func prepareRelationshipDelta(a act.Action) (Prepared, *act.Failure) {
	return prepareDelta(a, (*Overlay).relationshipTarget, condition.OfRelationship)
}

// prepareDelta prepares the changes of the values that find returns. The rule serves the warnings for
// the author.
func prepareDelta(
	a act.Action, find func(o *Overlay, name string, means *Means, e *act.Event) (target, *act.Failure),
	rule func(field string) (act.Field, *act.Failure),
) (Prepared, *act.Failure) {
	p := params{action: a}
	changes, name := p.fieldChanges(), p.text("character", "")
	stage := func(o *Overlay, means *Means, e *act.Event) (Success, *act.Failure) {
		t, fail := find(o, name, means, e)
		if fail != nil {
			return Success{}, fail
		}
		return o.applyChanges(changes, t)
	}
	return Prepared{Stage: stage, LikelyFailure: firstLikelyFailure(changes, rule)}, p.fail
}

// firstLikelyFailure finds the first move that no state of the game can allow. It is for the author
// only: when the action runs, a missing state is reported before a bad field.
func firstLikelyFailure(changes []fieldChange, rule func(field string) (act.Field, *act.Failure)) *act.Failure {
	for _, change := range changes {
		f, fail := rule(change.field)
		if fail != nil {
			return fail
		}
		if _, fail := condition.Changed(f, change.field, tree.Int(0), change.by); fail != nil {
			return fail
		}
	}
	return nil
}

// stateRule applies the rules of a state that has the field.
func stateRule(name string) (act.Field, *act.Failure) {
	has := tree.Object(tree.Member{Key: name, Value: tree.Null})
	return condition.OfState(nil, has, name)
}

// characterID returns the id of the character that an action names by id or, if no id matches, by
// name. Without a name it is the character of the event. If the host gives no people, it is always
// the character of the event.
func (o *Overlay) characterID(name string, means *Means) (string, *act.Failure) {
	if name == "" || name == o.Who || len(means.People) == 0 {
		return o.Who, nil
	}
	for _, p := range means.People {
		if p.ID == name {
			return p.ID, nil
		}
	}
	for _, p := range means.People {
		if p.Name == name {
			return p.ID, nil
		}
	}
	return "", &act.Failure{Code: act.CodeNotFound, Detail: fmt.Sprintf("there is no character %q", condition.Cut(name, 80))}
}

// target is one of the two values that fieldChanges change: the state or the relationship. It has
// the differences between them; applyChanges has the common part.
type target struct {
	characterID string
	value       func(*Values) *tree.Value
	// rule returns how a field changes; it fails for a field that may not change.
	rule func(object tree.Value, field string) (act.Field, *act.Failure)
	// effect makes the effect of one field that really changed.
	effect func(field string, old, next tree.Value) effect.Effect
}

// stateTarget returns the target for the state of the named character, with the host's registry of
// fields. It fails if there is no such character or state.
func (o *Overlay) stateTarget(name string, means *Means, _ *act.Event) (target, *act.Failure) {
	who, fail := o.characterID(name, means)
	if fail == nil && !o.valuesOf(who).Character.IsObject() {
		fail = unavailable("a character state")
	}
	return target{
		characterID: who,
		value:       func(v *Values) *tree.Value { return &v.Character },
		rule: func(object tree.Value, name string) (act.Field, *act.Failure) {
			return condition.OfState(means.Fields, object, name)
		},
		effect: func(field string, old, next tree.Value) effect.Effect {
			return effect.ChangeState{CharacterID: who, Field: field, Old: old, New: next}
		},
	}, fail
}

// relationshipTarget returns the target for the relationship between the named character and the
// event's user. It fails if there is no such character or relationship.
func (o *Overlay) relationshipTarget(name string, means *Means, e *act.Event) (target, *act.Failure) {
	who, fail := o.characterID(name, means)
	if fail == nil && !o.valuesOf(who).Relationship.IsObject() {
		fail = unavailable("a relationship")
	}
	return target{
		characterID: who,
		value:       func(v *Values) *tree.Value { return &v.Relationship },
		rule: func(_ tree.Value, name string) (act.Field, *act.Failure) {
			return condition.OfRelationship(name)
		},
		effect: func(field string, old, next tree.Value) effect.Effect {
			return effect.ChangeRelationship{
				CharacterID: who, UserID: e.UserID, Field: field, Old: old, New: next,
			}
		},
	}, fail
}

// applyChanges computes all new values, and changes the overlay only if every change is allowed.
// Every field is reported with its old and new value, even if it did not change. Only real changes
// become effects. No two changes have the same field.
func (o *Overlay) applyChanges(requested []fieldChange, t target) (Success, *act.Failure) {
	values := o.valuesOf(t.characterID)
	object := *t.value(&values)
	reported := make([]tree.Member, 0, len(requested))
	var moved []tree.Member
	var effects []effect.Effect
	for _, change := range requested {
		rule, fail := t.rule(object, change.field)
		if fail != nil {
			return Success{}, fail
		}
		old := object.Get(change.field)
		if !old.Exists() {
			old = tree.Int(0) // only a relationship may lack a field that is valid
		}
		next, fail := condition.Changed(rule, change.field, old, change.by)
		if fail != nil {
			return Success{}, fail
		}
		reported = append(reported, tree.Member{Key: change.field, Value: ChangeOf(old, next)})
		if !old.Equal(next) {
			// Only here, so that the value is always the result of its effects.
			moved = append(moved, tree.Member{Key: change.field, Value: next})
			effects = append(effects, t.effect(change.field, old, next))
		}
	}
	*t.value(&values) = withMembers(object, moved)
	o.setValues(t.characterID, values)
	o.Add(effects...)
	output := tree.Object(tree.Member{Key: "changes", Value: tree.Object(reported...)})
	return Success{Detail: fmt.Sprintf("%d fields", len(reported)), Output: output}, nil
}

// ChangeOf returns a change in the form of outputs and of payloads of derived events.
func ChangeOf(old, next tree.Value) tree.Value {
	return tree.Object(
		tree.Member{Key: "old", Value: old}, tree.Member{Key: "new", Value: next})
}

// withMembers returns the object with members replaced or added. The rest is shared, not copied: a
// state may contain a whole inventory while a hook changes one number. The object itself is copied
// once, however many members there are.
func withMembers(object tree.Value, members []tree.Member) tree.Value {
	if len(members) == 0 {
		return object
	}
	edit, err := object.Edit()
	if err != nil {
		return object // not reached: the callers have an object
	}
	for _, m := range members {
		if err := edit.Set(tree.Path{m.Key}, m.Value); err != nil {
			return object // not reached: a member of the root can always be set
		}
	}
	return edit.Value()
}
