package rules

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Emit raises an event, heard by all rules and reactions in the next hop. An event with a
// meaning of its own, such as [TypeNotification], has that meaning too.
type Emit struct {
	Event Event `json:"event"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "emit".
func (Emit) EffectType() string { return "emit" }

func (Emit) effect()                     {}
func (e *Emit) unknown() *openjson.Extra { return &e.Extra }

func (e Emit) plain() bool {
	return e.Extra == nil && plainEvent(e.Event) && !e.Event.Fields.Get("type").Exists()
}

func (e Emit) raised() (Event, bool) { return e.Event, true }

// fill gives fields of events parameters in their own type: others may compare with them.
func (e Emit) fill(with filler) Effect {
	members := make([]tree.Member, 0, e.Event.Fields.Len())
	for k, v := range e.Event.Fields.Members() {
		with.value(&v)
		members = append(members, tree.Member{Key: k, Value: v})
	}
	if with.filling() {
		e.Event = NewEvent(e.Event.Type, members...)
	}
	return e
}

// apply raises an event; those with a built-in meaning have their effect too.
func (emit Emit) apply(w *writer, c Caused) {
	e := emit.Event
	effect, _ := EffectOf(e)
	switch effect := effect.(type) {
	case ShowMoment:
		w.moment(c, effect, e)
		return
	// The event is heard as it was emitted either way.
	case Notify:
		w.notify(c, effect)
	case PlayAudio:
		w.audio(c, effect)
	case SendContext:
		w.context(c, effect)
	}
	w.raise(e)
}

func (e Emit) tooLarge() refused { return recordable(e.Event.Fields) }
