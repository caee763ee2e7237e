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

func (e Emit) readsBack() bool {
	return e.Extra == nil && e.Event.Plain() && !e.Event.Fields.Get("type").Exists()
}

func (e Emit) raised() (event.Event, bool) { return e.Event, true }

// fill inserts parameters with their own type into event fields, because conditions may compare
// them.
func (e Emit) fill(with filler) Effect {
	members := make([]tree.Member, 0, e.Event.Fields.Len())
	for k, v := range e.Event.Fields.Members() {
		with.value(&v)
		members = append(members, tree.Member{Key: k, Value: v})
	}
	if with.filling() {
		e.Event = event.New(e.Event.Type, members...)
	}
	return e
}

// apply raises an event; events with a built-in meaning also have their effect.
func (emit Emit) apply(t Target, c Attributed) {
	e := emit.Event
	effect, _ := Of(e)
	switch effect := effect.(type) {
	case ShowMoment:
		moment(t, c, effect, e)
		return
	// With the following effects, the event is also raised.
	case Notify:
		notify(t, c, effect)
	case PlayAudio:
		audio(t, c, effect)
	case SendContext:
		remind(t, c, effect)
	}
	t.Raise(e)
}

func (e Emit) tooLarge() Why { return recordable(e.Event.Fields) }

// Of returns the effect of an emitted event, and whether it has one: an emitted "ui:notification" is
// also a notice. It is the reverse of [EventOf]. A field of the wrong type is dropped; the effect is
// lost only if it requires the field.
func Of(e event.Event) (Effect, bool) {
	switch e.Type {
	case event.TypeMoment:
		return momentOf(e), true
	case event.TypeNotification:
		return orNil(noticeIn(authorjson.Of(e.Fields)))
	case event.TypeAudio:
		return orNil(audioOf(e))
	case event.TypeContext:
		return orNil(contextOf(e))
	}
	return nil, false
}

// orNil returns an effect that was read, or nil.
func orNil[E Effect](e E, ok bool) (Effect, bool) {
	if !ok {
		return nil, false
	}
	return e, true
}
