package effect

import (
	"reflect"

	"github.com/talewright/talewright/rules/event"
)

// Effect is something that shall happen, as data. Rules, reactions, hooks and tools return effects
// and never act. One interpreter applies the effects that change state, and the others go to the
// host as typed values. The set is closed: it consists of the types in this package, and [Custom]
// for everything else.
//
// JSON: an object whose member "type" is the [Effect.EffectType]; [List] decodes a list.
type Effect interface {
	// EffectType returns the name of the effect in JSON and in traces.
	EffectType() string

	// Each type implements the optional methods that it needs: fill (it has texts with parameters
	// of events), asData (it adds texts to prompts), asEvent (it is also an event), tooLarge (it has
	// values). The method apply is for effects that change the game; all others go to the host.
	effect()
}

// eventSource is implemented by the effects that are also events.
type eventSource interface{ asEvent() (event.Event, bool) }

// EventOf returns the event that an effect raises in addition to its action, and whether it raises
// one.
func EventOf(e Effect) (event.Event, bool) {
	if r, ok := e.(eventSource); ok && isEffectValue(e) {
		return r.asEvent()
	}
	return event.Event{}, false
}

// Attributed is an effect with the id of its cause: a rule, a reaction, or a name that the host
// chooses for hooks and tools.
type Attributed struct {
	Source string
	Effect Effect
}

// By gives all effects one cause, which changes and refusals report.
func By(id string, effects ...Effect) []Attributed {
	out := make([]Attributed, len(effects))
	for i, e := range effects {
		out[i] = Attributed{Source: id, Effect: e}
	}
	return out
}

// packagePath is the import path of this package.
var packagePath = reflect.TypeFor[Attributed]().PkgPath()

// isEffectValue reports whether an effect is a value of the closed set: not a pointer, and not a
// struct of a different package that embeds an effect.
func isEffectValue(e Effect) bool {
	return e != nil && reflect.TypeOf(e).PkgPath() == packagePath
}
