package worldbook

import "maps"

// State is what a chat remembers between scans. The zero value is a new chat.
// It is a value: [Compiled.Scan] returns the next one and leaves its argument
// alone. Maps are shared between successive values where nothing changed, so
// treat them as read-only.
type State struct {
	// Sticky and Cooldown hold the running effects by the text of [ID].
	Sticky   map[string]Record `json:"sticky,omitempty"`
	Cooldown map[string]Record `json:"cooldown,omitempty"`
	// Last holds when an entry was active, for entries whose rules ask for it:
	// [Settings.SpendMessages] and the decorators that depend on an earlier match.
	Last map[string]Past `json:"last,omitempty"`
	// Fuses are regex keys that rest because a search of theirs took too many steps.
	Fuses []Fuse `json:"fuses,omitempty"`
}

// Past remembers two activations, so that a turn that is played again sees what
// was there before it. Lengths are numbers of messages; 0 is none.
type Past struct {
	// At is the length of the chat at the latest activation.
	At int `json:"at"`
	// Before is that of the latest one in a shorter chat.
	Before int `json:"before,omitempty"`
}

// before returns the latest activation in a chat shorter than length.
func (p Past) before(length int) (int, bool) {
	switch {
	case p.At < length:
		return p.At, true
	case p.Before > 0 && p.Before < length:
		return p.Before, true
	}
	return 0, false
}

// next is the memory after an activation.
func (p Past) next(length int) Past {
	before, _ := p.before(length)
	return Past{At: length, Before: before}
}

// Record is one running effect. Lengths are numbers of messages.
type Record struct {
	// Hash recognises the entry: an edited entry has no effects. See
	// [Compiled.Adopt].
	Hash string `json:"hash,omitempty"`
	// Start is the length at which the effect was stored, End the first at which
	// it is over.
	Start int `json:"start"`
	End   int `json:"end"`
	// Protected records survive a chat that goes back to Start or before.
	Protected bool `json:"protected,omitempty"`
}

// draft is a map of the next state. It is copied before the first change: states
// share maps that nothing changed.
type draft[V any] struct {
	m   map[string]V
	own bool
}

func (d *draft[V]) put(key string, v V) {
	if d.m == nil {
		d.m = map[string]V{}
	} else if !d.own {
		d.m = maps.Clone(d.m)
	}
	d.own = true
	d.m[key] = v
}

func (d *draft[V]) drop(key string) {
	if _, ok := d.m[key]; !ok {
		return
	}
	if !d.own {
		d.m, d.own = maps.Clone(d.m), true
	}
	delete(d.m, key)
}

// done returns the map, nil where nothing is left.
func (d *draft[V]) done() map[string]V {
	if d.own && len(d.m) == 0 {
		return nil
	}
	return d.m
}
