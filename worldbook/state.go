package worldbook

import (
	"maps"
)

// State is what a chat remembers between scans. The zero value is a new chat.
// It is a value: [Compiled.Scan] returns the next one and leaves its argument
// alone. Maps are shared between successive values where nothing changed, so
// treat them as read-only.
type State struct {
	// Sticky and Cooldown hold the running effects by the text of [ID].
	Sticky   map[string]Record `json:"sticky,omitempty"`
	Cooldown map[string]Record `json:"cooldown,omitempty"`
	// Last holds when an entry was active: with [ProfileSettings.SpendMessages] every entry, else
	// those whose decorators depend on an earlier match. The
	// numbers are the lengths of the chat at the latest activation and at the latest one
	// in a shorter chat, 0 for none.
	Last map[string][2]int `json:"last,omitempty"`
	// Fuses are regex keys that rest because a search of theirs took too many steps.
	Fuses []Fuse `json:"fuses,omitempty"`
}

// past is when an entry was active: the lengths of the chat at its latest activation, and
// at the latest one in a shorter chat; 0 is none. So a turn that is played again sees what
// was there before it.
type past [2]int

// before returns the latest activation in a chat shorter than length.
func (p past) before(length int) (int, bool) {
	switch {
	case p[0] < length:
		return p[0], true
	case p[1] > 0 && p[1] < length:
		return p[1], true
	}
	return 0, false
}

// next is the memory after an activation.
func (p past) next(length int) [2]int {
	before, _ := p.before(length)
	return [2]int{length, before}
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

// Fuse is a regex key that was given up. It rests for 100 messages: until the chat has End
// of them it is not run, and counts as not found. A chat that goes back behind Start forgets it.
type Fuse struct {
	Key   string `json:"key"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// fuseRest is the number of messages for which a regex key rests.
const fuseRest = 100

// rests reports whether a key is off in a chat of so many messages.
func (r *Fuse) rests(length int) bool { return r.Start <= length && length < r.End }

// nextFuses is what the next state remembers: keys that rest still, and those that were
// given up in a chat of so many messages.
func nextFuses(resting []Fuse, blown []string, length int) []Fuse {
	if len(resting)+len(blown) == 0 {
		return nil
	}
	var list []Fuse
	known := map[string]bool{}
	for _, r := range resting {
		if r.rests(length) && !known[r.Key] {
			known[r.Key] = true
			list = append(list, r)
		}
	}
	for _, name := range blown {
		if !known[name] {
			list = append(list, Fuse{Key: name, Start: length, End: length + fuseRest})
		}
	}
	return list
}

// Adopt returns the state with the hashes of these books' entries, found by book
// and uid. Use it when a book was edited and its chats should keep their running
// effects, and for states that come from elsewhere.
//
//  1. A record of an entry that has the effect keeps its start and its end, even
//     where the entry's effect is longer or shorter now.
//  2. A record of an entry that no longer has the effect is dropped.
//  3. What belongs to an entry that these books do not have stays: it may come
//     from an [Overlay], and a scan drops a record whose time is over.
//
// The argument stays as it is.
func (c *Compiled) Adopt(st State) State {
	st.Sticky = c.adopt(st.Sticky, func(e *entry) float64 { return e.sticky })
	st.Cooldown = c.adopt(st.Cooldown, func(e *entry) float64 { return e.cooldown })
	st.Last = maps.Clone(st.Last)
	return st
}

func (c *Compiled) adopt(in map[string]Record, length func(*entry) float64) map[string]Record {
	var out map[string]Record
	for name, r := range in {
		switch e := c.named(name); {
		case e == nil:
		case length(e) == 0:
			continue
		default:
			r.Hash = e.hash
		}
		if out == nil {
			out = map[string]Record{}
		}
		out[name] = r
	}
	return out
}

// named finds an entry by its id as text. Both halves may have dots in them.
func (d *directory) named(name string) *entry {
	for i := range len(name) {
		if name[i] != '.' {
			continue
		}
		if at, ok := d.byID[ID{name[:i], name[i+1:]}]; ok {
			return d.entries[at]
		}
	}
	return nil
}

// SetSticky stores or, with on false, removes the sticky effect of an entry by hand, as the
// command of a host does. length is the number of messages of the chat. The
// effect ends as it would after an activation now. With [QuirkHandSetEffect] the
// record has no hash and so never acts. Unknown entries and entries without the
// effect change nothing.
func (c *Compiled) SetSticky(st State, id ID, on bool, length int) State {
	st.Sticky = c.setEffect(st.Sticky, id, on, length, func(e *entry) float64 { return e.sticky })
	return st
}

// SetCooldown is [Compiled.SetSticky] for the cooldown of an entry.
func (c *Compiled) SetCooldown(st State, id ID, on bool, length int) State {
	st.Cooldown = c.setEffect(st.Cooldown, id, on, length, func(e *entry) float64 { return e.cooldown })
	return st
}

func (c *Compiled) setEffect(
	records map[string]Record, id ID, on bool, length int, field func(*entry) float64,
) map[string]Record {
	at, ok := c.byID[id]
	if !ok || field(c.entries[at]) == 0 {
		return records
	}
	e := c.entries[at]
	d := draft[Record]{m: records}
	if !on {
		d.drop(e.name)
		return d.done()
	}
	r := Record{Hash: e.hash, Start: length, End: length + int(field(e))}
	if c.quirk.Has(QuirkHandSetEffect) {
		r.Hash = ""
	}
	d.put(e.name, r)
	return d.done()
}
