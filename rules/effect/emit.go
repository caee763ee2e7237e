package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// Emit raises an event that all rules and reactions can match in the next hop. An event with a
// built-in meaning, such as [event.TypeNotification], also has that effect.
type Emit struct {
	Event event.Event `json:"event"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "emit".
func (Emit) EffectType() string { return "emit" }

func (Emit) effect() {}

func (e Emit) asEvent() (event.Event, bool) { return e.Event, true }

// fill inserts parameters with their own type into event fields, because conditions may compare
// them.
func (e Emit) fill(with *filler) Effect {
	members := make([]tree.Member, 0, e.Event.Fields.Len())
	for k, v := range e.Event.Fields.Members() {
		with.value(&v)
		members = append(members, tree.Member{Key: k, Value: v})
	}
	e.Event = event.New(e.Event.Type, members...)
	return e
}

// apply raises an event; events with a built-in meaning also have their effect.
func (e Emit) apply(t Target, c Attributed) {
	meaning, _ := Of(e.Event)
	switch meaning := meaning.(type) {
	case ShowMoment:
		showMoment(t, c, meaning, e.Event) // a moment that is already collected raises no event
		return
	case Notify:
		showNotice(t, c, meaning)
	case PlayAudio:
		playAudio(t, c, meaning)
	case SendContext:
		storeMessage(t, c, meaning)
	}
	t.Raise(e.Event)
}

func (e Emit) tooLarge() Why { return recordable(e.Event.Fields) }

// Of returns the effect of an emitted event, and whether the event has one: an emitted
// "ui:notification" is also a notice. Of is the reverse of [EventOf]. A field of the wrong type is
// dropped. If the effect requires that field, there is no effect.
func Of(e event.Event) (Effect, bool) {
	switch e.Type {
	case event.TypeMoment:
		return momentOf(e), true
	case event.TypeNotification:
		return asEffect(noticeOf(authorjson.Of(e.Fields)))
	case event.TypeAudio:
		return asEffect(audioOf(e))
	case event.TypeContext:
		return asEffect(contextOf(e))
	}
	return nil, false
}

// asEffect returns an effect of any type as an [Effect], or nil if it could not be read.
func asEffect[E Effect](e E, ok bool) (Effect, bool) {
	if !ok {
		return nil, false
	}
	return e, true
}
