package rules

import (
	"slices"

	"github.com/talewright/talewright/rules/event"
)

// This file sends the events of a game to other parts of a host: a sound system, a log, a user
// interface. Rules and reactions do not need it.

// Bus is a list of listeners. The zero value has no listeners. It belongs to one goroutine.
type Bus struct {
	listeners []*listener
}

// listener is one registered function with the pattern of its events.
type listener struct {
	pattern Pattern
	hear    func(event.Event)
}

// On registers hear for every event whose type is typ or matches it: "area:*" and "*" are wildcards
// as in [Pattern]. The returned function removes the listener.
func (b *Bus) On(typ string, hear func(event.Event)) (off func()) {
	l := &listener{Pattern{EventType: typ}, hear}
	b.listeners = append(b.listeners, l)
	return func() {
		// The list is new, because Emit may be iterating over the old one.
		kept := make([]*listener, 0, len(b.listeners))
		for _, other := range b.listeners {
			if other != l {
				kept = append(kept, other)
			}
		}
		b.listeners = kept
	}
}

// Emit sends events to the listeners: first to the listeners of the event's own type, then to the
// listeners with a wildcard, each in the order of their [Bus.On]. If a listener changes the bus,
// the change applies from the next event on.
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
