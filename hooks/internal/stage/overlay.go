package stage

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Values are the state of a character and its relationship to the user.
type Values struct{ Character, Relationship tree.Value }

// SwitchTo makes who the current character of the overlay. It does nothing for an unknown character
// or for the current one.
func (o *Overlay) SwitchTo(who string) {
	next, known := o.Others[who]
	if !known || who == o.Who {
		return
	}
	others := maps.Clone(o.Others)
	delete(others, who)
	others[o.Who] = o.Values
	o.Values, o.Who, o.Others = next, who, others
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
		t, fail := o.stateTarget(effect.CharacterID, means, e)
		if fail != nil {
			return fail
		}
		return o.setField(effect.Field, effect.New, t)
	case effect.ChangeRelationship:
		t, fail := o.relationshipTarget(effect.CharacterID, means, e)
		if fail != nil {
			return fail
		}
		return o.setField(effect.Field, effect.New, t)
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

// Keys counts, for each default prompt key of a turn, how often it was requested. One table is
// shared by a whole run. When a hook is rolled back, Undo removes its keys, so that no save point
// needs a copy of the table.
type Keys struct {
	before map[string]int // the counts of the state, shared with it and never written
	now    map[string]int // the changed counts
	log    []keyChange
}

// keyChange is the count of a key before a change, 0 if there was none.
type keyChange struct {
	key    string
	before int
}

// count returns how often a key was requested.
func (t *Keys) count(key string) int {
	if n, ok := t.now[key]; ok {
		return n
	}
	return t.before[key]
}

// setCount changes a count and records the old one for Undo.
func (t *Keys) setCount(key string, n int) {
	if t.now == nil {
		t.now = map[string]int{}
	}
	t.log = append(t.log, keyChange{key, t.count(key)})
	t.now[key] = n
}

// Mark returns a save point for Undo.
func (t *Keys) Mark() int { return len(t.log) }

// Undo removes all changes after a save point.
func (t *Keys) Undo(mark int) {
	for i := len(t.log) - 1; i >= mark; i-- {
		t.now[t.log[i].key] = t.log[i].before
	}
	t.log = t.log[:mark]
}

// Result returns the counts for the state: the old map if nothing changed.
func (t *Keys) Result() map[string]int {
	if len(t.log) == 0 {
		return t.before
	}
	out := maps.Clone(t.before)
	if out == nil {
		out = make(map[string]int, len(t.now))
	}
	for key, n := range t.now {
		if n > 0 {
			out[key] = n
		}
	}
	return out
}

// unusedKey returns a key that is unused in this turn: the base itself, then the base with the
// suffix _2, _3 and so on. The ids of one host's events often begin alike. Two texts under one key
// would be a problem: the second would silently replace the first.
func (t *Keys) unusedKey(base string) string {
	key := base
	n := t.count(base) + 1
	// The base of a different event may equal a suffixed key, for example if its id ends in _2.
	for ; n > 1; n++ {
		key = base + "_" + strconv.Itoa(n)
		if t.count(key) == 0 {
			break
		}
	}
	t.setCount(key, max(t.count(key), 1))
	t.setCount(base, n)
	return key
}

// NewKeys returns a Keys that starts with the counts of the state.
func NewKeys(before map[string]int) *Keys { return &Keys{before: before} }

// Means are the parts of a host that built-in actions need.
type Means struct {
	Fields      map[string]act.Field // registered fields of the character's state
	MemoryTypes []string             // in addition to long and short
	Missing     []act.Capability
	People      []Person // the characters that actions may name
}

// Person is a character that an action may name.
type Person struct{ ID, Name string }

// Lacks reports whether the host said that it does not have c.
func (m *Means) Lacks(c act.Capability) bool { return slices.Contains(m.Missing, c) }
