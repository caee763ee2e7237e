package effect

import (
	"errors"
	"reflect"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Effects come from everywhere: from authors, whose JSON was read, and from hosts, hooks and
// tools, which build them in Go and may put anything into them. What is applied is recorded
// and has to read back as it was, or a game that went on in memory could not be loaded again.
// So each effect is brought, before it does anything, into the form that its JSON has; one that
// has none is refused.

// everyday effects know cheaply that they surely read back as they are.
type everyday interface{ plain() bool }

// ReadBack returns the effect as it reads back from its JSON, in a record as well: what an engine
// applies and what its log keeps are then the same. The error says why the effect has no such
// form: a pointer or a type of the host in place of an effect, an action that could not be
// read, a number that is none, a value nested deeper than [tree.MaxDepth] levels. Bytes that are
// no UTF-8 become U+FFFD.
func ReadBack(e Effect) (Effect, error) {
	back, why := Enter(e)
	if why.Reason != "" {
		return nil, errors.New("effect: " + why.In(nil))
	}
	return back, nil
}

// Enter is [ReadBack] with a refusal.
func Enter(e Effect) (Effect, Why) {
	if d, ok := e.(everyday); ok && genuine(e) && d.plain() { // nearly all are, and need not be written to know it
		return e, Why{}
	}
	if e == nil || reflect.TypeOf(e).Kind() == reflect.Pointer {
		return e, Deny(NotReadable, "%T is no effect; effects are values", e)
	}
	if isUnreadable(e) {
		return e, Deny(NotReadable, "an action that cannot be read")
	}
	data, err := Marshal(e)
	if err != nil {
		return e, Deny(NotReadable, "cannot be written as JSON: %v", err)
	}
	if openjson.Deeper(data, tree.MaxDepth+ownLevels) {
		return e, tooDeep
	}
	back, err := Unmarshal(data)
	if err != nil {
		return e, Deny(NotReadable, "cannot be read from its JSON: %v", err)
	}
	return back, Why{}
}

// applied effects change the game; all others are the host's.
type applied interface{ apply(t Target, c Caused) }

// Apply carries out one effect. What the target does not do itself is handed to the host, but for
// what could not be read: its type may be one that the host knows, and its fields are not to be
// trusted.
func Apply(t Target, c Caused) {
	if !fits(t, c) {
		return
	}
	if e, ok := c.Effect.(applied); ok {
		e.apply(t, c)
		return
	}
	if isUnreadable(c.Effect) {
		t.Refuse(c, c.Effect.EffectType(), tree.Value{}, Deny(NotReadable, "an action that cannot be read"))
		return
	}
	hand(t, c, c.Effect)
}
