package worldbook

import "maps"

// State is the memory of a chat between scans. The zero value is a new chat. It is a value:
// [Compiled.Scan] returns the next state and does not change its argument. Successive states share
// maps that did not change, so treat maps as read-only.
type State struct {
	// Sticky and Cooldown hold the running effects by the text of [ID].
	Sticky   map[string]Record `json:"sticky,omitempty"`
	Cooldown map[string]Record `json:"cooldown,omitempty"`
	// Last records when an entry was active. With [ProfileSettings.SpendMessages] it has every
	// entry, otherwise only entries whose decorators depend on an earlier match, and the calls of
	// entries of a set ([Options.Replaces]). The numbers are
	// the lengths of the chat at the latest activation and at the latest activation in a shorter
	// chat; 0 means none.
	Last map[string][2]int `json:"last,omitempty"`
	// Fuses are regex keys that rest because one of their searches took too many steps.
	Fuses []Fuse `json:"fuses,omitempty"`
}

// activity records when an entry was active: the lengths of the chat at its latest activation and at
// its latest activation in a shorter chat; 0 means none. With both, a replayed turn sees the
// activations before it.
type activity [2]int

// before returns the latest activation in a chat shorter than length.
func (p activity) before(length int) (int, bool) {
	switch {
	case p[0] < length:
		return p[0], true
	case p[1] > 0 && p[1] < length:
		return p[1], true
	}
	return 0, false
}

// next returns the record after an activation.
func (p activity) next(length int) [2]int {
	before, _ := p.before(length)
	return [2]int{length, before}
}

// Record is one running effect.
type Record struct {
	// Hash identifies the entry: an edited entry has no effects. See [Compiled.Adopt].
	Hash string `json:"hash,omitempty"`
	// Start is the length of the chat when the effect was stored. End is the first length at which
	// it is over or, with Rounds, the first round in which it is over.
	Start  int  `json:"start"`
	End    int  `json:"end"`
	Rounds bool `json:"rounds,omitempty"`
	// Protected records survive when the chat shrinks to Start or less.
	Protected bool `json:"protected,omitempty"`
}

// from returns the record of an effect that begins now.
func (d duration) from(hash string, length, round int) Record {
	if d.rounds {
		return Record{Hash: hash, Start: length, End: round + 1 + int(d.length), Rounds: true}
	}
	return Record{Hash: hash, Start: length, End: length + int(d.length)}
}

// draft is a map of the next state. It is copied before the first change, because states share
// unchanged maps.
type draft[V any] struct {
	m      map[string]V
	copied bool
}

// copy copies the map once.
func (d *draft[V]) copy() {
	if !d.copied {
		d.m, d.copied = maps.Clone(d.m), true
	}
}

func (d *draft[V]) put(key string, v V) {
	d.copy()
	put(&d.m, key, v)
}

func (d *draft[V]) drop(key string) {
	if _, ok := d.m[key]; ok {
		d.copy()
		delete(d.m, key)
	}
}

// result returns the map, or nil if nothing is left.
func (d *draft[V]) result() map[string]V {
	if d.copied && len(d.m) == 0 {
		return nil
	}
	return d.m
}

// Fuse is a regex key that was stopped. It rests for 100 messages: until the chat has End messages
// it is not run and counts as not found. The fuse is dropped if the chat shrinks below Start.
type Fuse struct {
	Key   string `json:"key"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// A regex key that was stopped rests for fuseRest messages.
const fuseRest = 100

// isResting reports whether the key is off in a chat of so many messages.
func (r *Fuse) isResting(length int) bool { return r.Start <= length && length < r.End }

// nextFuses returns the fuses of the next state: keys that still rest, and keys that were stopped
// in a chat of so many messages.
func nextFuses(resting []Fuse, blown []string, length int) []Fuse {
	if len(resting)+len(blown) == 0 {
		return nil
	}
	var list []Fuse
	known := map[string]bool{}
	for _, r := range resting {
		if r.isResting(length) && !known[r.Key] {
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

// Adopt returns the state with the hashes of these books' entries, found by book and uid. Use it if
// a book was edited and its chats should keep their running effects, and for states from a
// different program.
//
//  1. If the entry has the effect, its record keeps start and end, even if the effect is now longer
//     or shorter.
//  2. If the entry no longer has the effect, its record is dropped.
//  3. Records of entries that these books do not have stay. They may belong to an [Overlay], and a
//     scan drops a record whose time is over.
//
// It does not modify the argument.
func (c *Compiled) Adopt(st State) State {
	st.Sticky = c.adopt(st.Sticky, func(e *entry) duration { return e.sticky })
	st.Cooldown = c.adopt(st.Cooldown, func(e *entry) duration { return e.cooldown })
	st.Last = maps.Clone(st.Last)
	return st
}

func (c *Compiled) adopt(in map[string]Record, lasts func(*entry) duration) map[string]Record {
	var out map[string]Record
	for name, r := range in {
		switch e := c.named(name); {
		case e == nil:
		case lasts(e).length == 0:
			continue
		default:
			r.Hash = e.hash
		}
		put(&out, name, r)
	}
	return out
}

// named finds an entry by its id as text. Both parts of the id may contain dots.
func (d *directory) named(name string) *entry {
	for i := range len(name) {
		if name[i] != '.' {
			continue
		}
		if at, ok := d.find(ID{name[:i], name[i+1:]}); ok {
			return d.entries[at]
		}
	}
	return nil
}

// SetSticky stores the sticky effect of an entry by hand or, if on is false, removes it, as a host
// command does. The argument length is the number of messages of the chat. For an effect that
// counts rounds it is the number of rounds. The effect ends as it would after an activation now.
// With hand-set-effect the record has no hash and so never has an effect. Unknown entries and
// entries without the effect change nothing.
func (c *Compiled) SetSticky(st State, id ID, on bool, length int) State {
	st.Sticky = c.setEffect(st.Sticky, id, on, length, func(e *entry) duration { return e.sticky })
	return st
}

// SetCooldown is [Compiled.SetSticky] for the cooldown of an entry.
func (c *Compiled) SetCooldown(st State, id ID, on bool, length int) State {
	st.Cooldown = c.setEffect(st.Cooldown, id, on, length, func(e *entry) duration { return e.cooldown })
	return st
}

func (c *Compiled) setEffect(
	records map[string]Record, id ID, on bool, length int, field func(*entry) duration,
) map[string]Record {
	at, ok := c.find(id)
	if !ok || field(c.entries[at]).length == 0 {
		return records
	}
	e := c.entries[at]
	d := draft[Record]{m: records}
	if !on {
		d.drop(e.name())
		return d.result()
	}
	r := field(e).from(e.hash, length, length)
	if r.Rounds { // the number of messages is not known
		r.Start, r.Protected = 0, true
	}
	if c.settings.hasQuirk(quirkHandSetEffect) {
		r.Hash = ""
	}
	d.put(e.name(), r)
	return d.result()
}
