package rules

import (
	"cmp"
	"math"
	"slices"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/keyexpr"
	"github.com/talewright/talewright/rules/internal/match"
)

// Looking up is the hot path: whatever the number of rules, an event costs what it
// concerns. Every unit found is marked with the stamp of the event, because several
// shelves of the index may hold it.

// What is found here has its WHEN satisfied, and nothing more. The gates come afterwards, in
// evaluate.go; the order of what is found is that of the shelves, and is put right there.

// happening is an event that may not be spelled out yet. A hop of a chain hears of every
// change of the hop before, and most changes concern nobody: they are looked up by id and
// values, and become an [Event] only when something wants to see one.
type happening struct {
	event  *event.Event // nil until it is spelled out
	change *tree.Change // nil for an event that was given
	schema *schema      // of the program that hears of it
}

// happeningAt is the n-th of events and, after them, changes.
func (s *schema) happeningAt(n int, events []event.Event, changes []tree.Change) happening {
	if n < len(events) {
		return happening{event: &events[n]}
	}
	return happening{change: &changes[n-len(events)], schema: s}
}

// spelled returns the event itself.
func (h *happening) spelled() event.Event {
	if h.event == nil {
		e := h.schema.changeEvent(h.change)
		h.event = &e
	}
	return *h.event
}

// mend gives an event texts in UTF-8, as it reads back from its JSON, and reports whether it
// had others. Looking at every text of an event costs more than looking the event up: only one
// that a rule listens to is mended. A change was made by effects, which are mended already.
func (h *happening) mend() bool {
	if h.change != nil {
		return false
	}
	e, other := h.event.Mended()
	if other {
		mended := e // a copy of its own: it alone is allocated
		h.event = &mended
	}
	return other
}

// typ is the type of the event.
func (h *happening) typ() string {
	if h.change != nil {
		return event.TypeStateChanged
	}
	return h.event.Type
}

// params is the object of a button's parameters; a change has none.
func (h *happening) params() tree.Value {
	if h.change != nil {
		return tree.Value{}
	}
	return h.event.Fields.Get("params")
}

// changed returns the fields of a change, in whichever form it is.
func (h *happening) changed() (id string, before, after tree.Value) {
	if c := h.change; c != nil {
		return h.schema.variableOf(c), c.Old, c.New
	}
	for key, v := range h.event.Fields.Members() { // one pass instead of three
		switch key {
		case "variableId":
			id, _ = v.AsText()
		case "oldValue":
			before = v
		case "newValue":
			after = v
		}
	}
	return id, before, after
}

// candidates collects the units that a happening can concern, each once.
func (r *run) candidates(h *happening) {
	r.nextStamp()
	r.found, r.gaveUp = r.found[:0], r.gaveUp[:0]
	x := r.set.index
	typ := h.typ()
	switch typ {
	case event.TypeStateChanged:
		r.changed(&x.Changes, h)
	case event.TypeTurnComplete:
		turn := match.TurnOf(*h.event, r.state.Turn)
		r.sure(x.Turns.At[turn])
		for _, p := range x.Turns.Periods {
			if turn > 0 && math.Mod(turn, p.Every) == 0 {
				r.sure(p.Units)
			}
		}
	case event.TypePlayerMessage:
		r.spoken(&x.Texts[0], match.ContentOf(*h.event))
	case event.TypeModelMessage:
		r.spoken(&x.Texts[1], match.ContentOf(*h.event))
	case event.TypeTrigger:
		// Without an id it would mean every rule that has none.
		if id, _ := h.event.Fields.Get("ruleId").AsText(); id != "" {
			r.sure(r.set.byID[id])
		}
	}
	r.patterns(x, typ, h)
}

// patterns collects the units with an event pattern. Where the index has asked all that one
// wants it is sure; elsewhere it has only made the list short, and the unit is asked itself.
func (r *run) patterns(x *match.Index, typ string, h *happening) {
	b := x.Changes.Bucket
	if typ != event.TypeStateChanged {
		b = x.Types[typ]
	}
	if b != nil {
		r.sure(b.Plain)
		r.check(b.Rest, h)
		for i := range b.Fields {
			f := &b.Fields[i]
			if v, ok := match.FieldValueOf(h.spelled().Get(f.Name)); ok {
				r.check(f.Values[v], h)
			}
		}
	}
	// "quest:a:b" lies in "quest:" and in "quest:a:".
	if len(x.Areas) > 0 {
		for i := range min(len(typ), x.LongestArea) {
			if typ[i] == ':' {
				r.check(r.hearing(x.Areas[typ[:i+1]], h), h)
			}
		}
	}
	r.check(r.hearing(&x.All, h), h)
}

// hearing is [run.watching] for those who hear every event of an area. With parameters the gates
// may say something else for each event, so that none of them can be left out.
func (r *run) hearing(w *match.Watchers, h *happening) []int32 {
	if w == nil || len(w.Changed) == 0 {
		return nil
	}
	if h.params().IsObject() {
		return w.Changed
	}
	return r.watching(w)
}

// sure takes units whose WHEN is satisfied.
func (r *run) sure(units []int32) {
	for _, i := range units {
		if r.seen[i] != r.stamp {
			r.seen[i] = r.stamp
			r.found = append(r.found, i)
		}
	}
}

// check takes the units among some whose WHEN is satisfied.
func (r *run) check(units []int32, h *happening) {
	for _, i := range units {
		if r.seen[i] != r.stamp && r.set.units[i].when.Matches(h.spelled(), r.state.Turn) {
			r.seen[i] = r.stamp
			r.found = append(r.found, i)
		}
	}
}

// changed collects those who watch the variable that an event names, what is around it,
// and what is inside.
func (r *run) changed(x *match.ChangeIndex, h *happening) {
	id, before, after := h.changed()
	r.sure(r.watching(&x.AnyOf))
	w := x.ByVariable[id]
	if w != nil {
		r.sure(r.watching(w))
		// Scalars have nothing inside that could have changed.
		if len(w.Inside) > 0 && (isStructure(before) || isStructure(after)) {
			r.check(w.Inside, h)
		}
	}
	if w.HasThresholds() || x.AnyOf.HasThresholds() { // numbers are text until they are read
		from, ok := floatOf(before)
		to, too := floatOf(after)
		if ok && too {
			r.crossing(w, from, to)
			r.crossing(&x.AnyOf, from, to)
		}
	}
	// Those who watch a variable around the node.
	for i := min(len(id)-1, x.Longest); i > 0; i-- {
		if id[i] == '.' {
			if w := x.ByVariable[id[:i]]; w != nil {
				r.check(w.Changed, h)
			}
		}
	}
}

// watching returns the units that watch a variable, or any. In a chain most of them have
// fired or failed with the first of the hop's changes to it, and need not be looked at
// again: without this a hop would cost its changes times their watchers.
func (r *run) watching(w *match.Watchers) []int32 {
	if !r.once || r.traces != nil || len(w.Changed) == 0 {
		return w.Changed
	}
	// The list is made anew in each hop, and shrinks from change to change within it.
	live := &r.live[w.Number]
	if live.version != r.version {
		live.version = r.version
		live.units = append(live.units[:0], w.Changed...)
		return live.units
	}
	live.units = slices.DeleteFunc(live.units, func(i int32) bool {
		v := &r.verdicts[i]
		return v.version == r.version && v.stops || r.fired[r.set.numbers[i]] == r.chain
	})
	return live.units
}

// crossing takes the units whose threshold lies between two values: on the way up in
// [from, to), on the way down in (to, from], because leaving one counts and landing does not.
func (r *run) crossing(w *match.Watchers, from, to float64) {
	if !w.HasThresholds() || to == from || math.IsNaN(from) || math.IsNaN(to) {
		return
	}
	list, lo, hi := w.Rises, from, to
	if to < from {
		list, lo, hi = w.Drops, math.Nextafter(to, math.Inf(1)), math.Nextafter(from, math.Inf(1))
	}
	if len(list) == 0 || hi <= list[0].Limit || lo > list[len(list)-1].Limit {
		return // most changes happen far from any threshold
	}
	start, _ := slices.BinarySearchFunc(list, lo, func(t match.Threshold, limit float64) int {
		return cmp.Compare(t.Limit, limit)
	})
	for _, t := range list[start:] {
		if t.Limit >= hi {
			break
		}
		if r.seen[t.Unit] != r.stamp {
			r.seen[t.Unit] = r.stamp
			r.found = append(r.found, t.Unit)
		}
	}
}

// spoken takes the units whose keywords are in a text. The text is folded and
// searched once for all of them.
func (r *run) spoken(x *match.TextIndex, text string) {
	if x.Keys == nil || text == "" {
		return
	}
	r.folded, _ = keyindex.Fold(slices.Grow(r.folded[:0], len(text)), text)
	r.hits = x.Keys.Scan(r.hits[:0], r.folded, r.wordEdges)
	for _, id := range r.hits {
		r.heard[id] = r.stamp
	}
	s := keyexpr.NewSearch(len(text))
	found := func(k *match.Keyword) bool {
		return r.heard[k.ID] == r.stamp || k.Regex != nil && k.Regex.Match(text, &s)
	}
	// A keyword that was found leads to its units, which need only their secondary words
	// looked at; units with a regular expression have to be asked whatever was found.
	for _, id := range r.hits {
		for _, i := range x.Units[id] {
			t := r.set.units[i].when.Text
			if r.seen[i] != r.stamp && (len(t.Secondary) == 0 || t.DecideSecondary(found)) {
				r.seen[i] = r.stamp
				r.found = append(r.found, i)
			}
			r.note(i, &s)
		}
	}
	for _, i := range x.Regexes {
		if r.seen[i] != r.stamp && r.set.units[i].when.Text.Decide(found) {
			r.seen[i] = r.stamp
			r.found = append(r.found, i)
		}
		r.note(i, &s)
	}
}

// note remembers, for explanations, that a regular expression of a unit was given up.
func (r *run) note(i int32, s *keyexpr.Search) {
	if s.GaveUp && r.traces != nil {
		r.gaveUp = append(r.gaveUp, i)
	}
	s.GaveUp = false
}
