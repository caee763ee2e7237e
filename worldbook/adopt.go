package worldbook

import (
	"maps"

	"github.com/talewright/talewright/worldbook/quirk"
)

// Effect is a timed effect.
type Effect string

// The effects that a state stores.
const (
	EffectSticky   Effect = "sticky"
	EffectCooldown Effect = "cooldown"
)

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
func (c *Compiled) named(name string) *entry {
	for i := range len(name) {
		if name[i] != '.' {
			continue
		}
		if at, ok := c.byID[ID{name[:i], name[i+1:]}]; ok {
			return c.entries[at]
		}
	}
	return nil
}

// SetEffect stores or, with on false, removes a timed effect by hand, as the
// command of a host does. length is the number of messages of the chat. The
// effect ends as it would after an activation now. With [quirk.HandSetEffect] the
// record has no hash and so never acts. Unknown entries and entries without the
// effect change nothing.
func (c *Compiled) SetEffect(st State, id ID, effect Effect, on bool, length int) State {
	at, ok := c.byID[id]
	if !ok {
		return st
	}
	e := c.entries[at]
	r := Record{Hash: e.hash, Start: length}
	if c.quirk.Has(quirk.HandSetEffect) {
		r.Hash = ""
	}
	set := func(m map[string]Record, n float64) map[string]Record {
		d := draft[Record]{m: m}
		switch {
		case n == 0:
		case !on:
			d.drop(e.name)
		default:
			r.End = length + int(n)
			d.put(e.name, r)
		}
		return d.done()
	}
	switch effect {
	case EffectSticky:
		st.Sticky = set(st.Sticky, e.sticky)
	case EffectCooldown:
		st.Cooldown = set(st.Cooldown, e.cooldown)
	}
	return st
}
