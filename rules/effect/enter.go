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
		return e, deny(NotReadable, "%T is no effect; effects are values", e)
	}
	if c, ok := e.(Custom); ok && unreadable(c) {
		return e, deny(NotReadable, "an action that cannot be read")
	}
	data, err := Marshal(e)
	if err != nil {
		return e, deny(NotReadable, "cannot be written as JSON: %v", err)
	}
	if openjson.Deeper(data, tree.MaxDepth+ownLevels) {
		return e, tooDeep
	}
	back, err := Unmarshal(data)
	if err != nil {
		return e, deny(NotReadable, "cannot be read from its JSON: %v", err)
	}
	return back, Why{}
}

// What a game may hold. A value that is written into itself doubles each time.
const (
	maxParts  = 1 << 20 // parts of a value, itself included
	maxText   = 1 << 20 // bytes of a text
	ownLevels = 3       // that an effect adds to what it holds: itself, its event, the fields
)

// Storable refuses a value that is too large for a game.
func Storable(v tree.Value) Why {
	if s, ok := v.AsText(); ok && len(s) > maxText {
		return deny(TooLarge, "a text of more than %d bytes", maxText)
	}
	// The parts are counted first: looking for the depth goes through all of them.
	if v.Size(maxParts+1) > maxParts {
		return deny(TooLarge, "a value of more than %d parts", maxParts)
	}
	return Why{}
}

// recordable refuses a value of an effect that no record can hold. Those hold what a document may
// hold, and some levels around it.
func recordable(v tree.Value) Why {
	if why := Storable(v); why.Reason != "" {
		return why
	}
	if v.Deeper(tree.MaxDepth) {
		return tooDeep
	}
	return Why{}
}
