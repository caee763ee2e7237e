package effect

import "github.com/talewright/talewright/rules/event"

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

// What a type of effect has beside its data. Each has the methods that mean something for it.
type (
	// applied effects change the game; all others are the host's.
	applied interface{ apply(t Target, c Caused) }
	// filled effects have texts in which parameters of events are filled in: top-level ones
	// of their own, none inside of structures.
	filled interface{ fill(with filler) Effect }
	// raising effects are events as well.
	raising interface{ raised() (event.Event, bool) }
	// prompting effects bring texts to prompts.
	prompting interface{ asData() Effect }
	// bounded effects bring values to the host, or to those who hear an event, and say why one
	// is too large.
	bounded interface{ tooLarge() Why }
	// everyday effects know cheaply that they surely read back as they are.
	everyday interface{ plain() bool }
	// authored effects have another form where authors write them.
	authored interface{ authored() any }
)

// EventOf returns the event that an effect raises besides what it does, and whether
// it raises one.
func EventOf(e Effect) (event.Event, bool) {
	if r, ok := e.(raising); ok && genuine(e) {
		return r.raised()
	}
	return event.Event{}, false
}

// Of returns the effect that an emitted event has besides being heard, and whether it has
// one: the other direction of [EventOf]. A field of the wrong type costs the effect only where it
// cannot do without it.
func Of(e event.Event) (Effect, bool) {
	switch e.Type {
	case event.TypeMoment:
		return momentOf(e), true
	case event.TypeNotification:
		return orNone(noticeOf(e))
	case event.TypeAudio:
		return orNone(audioOf(e))
	case event.TypeContext:
		return orNone(contextOf(e))
	}
	return nil, false
}

func orNone[E Effect](e E, ok bool) (Effect, bool) {
	if !ok {
		return nil, false
	}
	return e, true
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
