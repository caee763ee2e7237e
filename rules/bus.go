package rules

import (
	"slices"

	"github.com/talewright/talewright/rules/event"
)

// The bus part hands the events of a game to the parts of a host that want to hear
// them: a sound system, a log, a user interface.
//
// Rules and reactions do not need it. It is for code that listens beside them.

// Bus is a list of listeners. The zero Bus has none. It belongs to one goroutine.
type Bus struct {
	listeners []*listener
}

type listener struct {
	pattern Pattern
	hear    func(event.Event)
}

// On calls hear for every event whose type is typ, or fits it: "area:*" and "*" are
// wildcards as in [Pattern]. The returned function ends that.
func (b *Bus) On(typ string, hear func(event.Event)) (off func()) {
	l := &listener{Pattern{EventType: typ}, hear}
	b.listeners = append(b.listeners, l)
	return func() {
		// A new list: the bus may be in the middle of the old one.
		kept := make([]*listener, 0, len(b.listeners))
		for _, other := range b.listeners {
			if other != l {
				kept = append(kept, other)
			}
		}
		b.listeners = kept
	}
}

// Emit hands events to the listeners: those of the event's own type first, then those
// with a wildcard, each in the order of their [Bus.On]. What a listener changes about
// the bus holds from the next event on.
func (b *Bus) Emit(events ...event.Event) {
	for _, e := range events {
		now := slices.Clone(b.listeners)
		for _, l := range now {
			if l.pattern.EventType == e.Type {
				l.hear(e)
			}
		}
		for _, l := range now {
			if l.pattern.EventType != e.Type && l.pattern.Matches(e, 0) {
				l.hear(e)
			}
		}
	}
}

// Clear removes all listeners.
func (b *Bus) Clear() { b.listeners = nil }
