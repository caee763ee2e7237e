package effect

import (
	"reflect"

	"github.com/talewright/talewright/rules/event"
)

// Effect is something that shall happen, as data. Rules, reactions, hooks and
// tools return effects and never act; one interpreter applies those that change
// state, and the rest is handed to the host as typed values. The set is closed:
// it is the types in the files of this package, and [Custom] for everything else.
//
// JSON: an object whose member "type" is the [Effect.EffectType]; [List]
// decodes a list.
type Effect interface {
	// EffectType is the name of the effect in JSON and in traces.
	EffectType() string
	effect()
}

// raising effects are events as well.
type raising interface{ raised() (event.Event, bool) }

// EventOf returns the event that an effect raises besides what it does, and whether
// it raises one.
func EventOf(e Effect) (event.Event, bool) {
	if r, ok := e.(raising); ok && genuine(e) {
		return r.raised()
	}
	return event.Event{}, false
}

// Caused is an effect with the id of what caused it: a rule, a reaction, or what
// the host writes there for hooks and tools.
type Caused struct {
	By     string
	Effect Effect
}

// By gives all effects one cause, which changes and refusals will name.
func By(id string, effects ...Effect) []Caused {
	out := make([]Caused, len(effects))
	for i, e := range effects {
		out[i] = Caused{By: id, Effect: e}
	}
	return out
}

// home is the path of this package.
var home = reflect.TypeFor[Caused]().PkgPath()

// genuine reports whether an effect is a value of the closed set: not a pointer, and no struct
// of another package that embeds one and has its methods.
func genuine(e Effect) bool {
	return e != nil && reflect.TypeOf(e).PkgPath() == home
}
