package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// Emit raises an event, heard by all rules and reactions in the next hop. An event with a
// meaning of its own, such as [event.TypeNotification], has that meaning too.
type Emit struct {
	Event event.Event `json:"event"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "emit".
func (Emit) EffectType() string { return "emit" }

func (Emit) effect()                     {}
func (e *Emit) unknown() *openjson.Extra { return &e.Extra }

func (e Emit) plain() bool {
	return e.Extra == nil && e.Event.Plain() && !e.Event.Fields.Get("type").Exists()
}

func (e Emit) raised() (event.Event, bool) { return e.Event, true }

// fill gives fields of events parameters in their own type: others may compare with them.
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

// apply raises an event; those with a built-in meaning have their effect too.
func (emit Emit) apply(t Target, c Caused) {
	e := emit.Event
	effect, _ := Of(e)
	switch effect := effect.(type) {
	case ShowMoment:
		moment(t, c, effect, e)
		return
	// The event is heard as it was emitted either way.
	case Notify:
		notify(t, c, effect)
	case PlayAudio:
		audio(t, c, effect)
	case SendContext:
		context(t, c, effect)
	}
	t.Raise(e)
}

func (e Emit) tooLarge() Why { return recordable(e.Event.Fields) }
