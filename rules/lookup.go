package rules

import (
	"cmp"
	"math"
	"slices"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// Lookup is the hot path: the cost of an event depends on the rules that it concerns, not on the
// number of rules. Every found unit is marked with the stamp of the event, because several lists of
// the index may contain it.

// The WHEN of a found unit is satisfied, and nothing more is checked here. The gates check the rest
// and sort the units.

// happening is an event that may not have been built yet. A hop of a chain processes every change
// of the previous hop, and most changes concern no rule. They are looked up by id and values, and
// become an [Event] only when it is needed.
type happening struct {
	event  *event.Event // nil until it is built
	change *tree.Change // nil for a given event
	schema *schema      // of the program that processes it
}

// happeningAt returns the n-th of events followed by changes.
func (s *schema) happeningAt(n int, events []event.Event, changes []tree.Change) happening {
	if n < len(events) {
		return happening{event: &events[n]}
	}
	return happening{change: &changes[n-len(events)], schema: s}
}

// builtEvent returns the event and builds it if necessary.
func (h *happening) builtEvent() event.Event {
	if h.event == nil {
		e := h.schema.changeEvent(h.change)
		h.event = &e
	}
	return *h.event
}

// mendText replaces invalid UTF-8 in an event, as reading it back from JSON does. It reports
// whether it changed anything. Checking every text of an event costs more than looking the event
// up, so only an event that a rule matches is mended. Changes come from effects, which are already
// mended.
func (h *happening) mendText() bool {
	if h.change != nil {
		return false
	}
	e, other := h.event.Mended()
	if other {
		mended := e // a separate copy, so that only it is allocated
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

// params returns the object of a button's parameters. A change has no fields.
func (h *happening) params() tree.Value {
	if h.change != nil {
		return tree.Value{}
	}
	return h.event.Fields.Get("params")
}

// changedFields returns the fields of a change, in either form.
func (h *happening) changedFields() (id string, before, after tree.Value) {
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

// finder finds the units that an event concerns.
type finder struct {
	set     *Program
	gates   *gates // they know which units cannot fire any more
	explain bool   // every unit is visited, and stopped regular expressions are recorded

	// The index marks a found unit with the stamp of the event, so it is found once even if several
	// lists contain it.
	stamp   uint64
	seen    []uint64 // by unit
	found   []int32
	givenUp []int32 // units with a stopped regular expression

	// live has the watchers of each variable. It omits watchers that cannot fire any more in this
	// hop.
	live []liveList // by watched variable

	// For the present text: the text in lower case, the found keywords, and for each keyword the
	// stamp of the last text that contains it.
	folded    []byte
	hits      []int32
	foundIn   []uint64
	wordEdges func(id, start, end int) bool
}

// liveList is a list of watchers at one version of the state.
type liveList struct {
	version uint64
	units   []int32
}

// has reports whether a unit was found.
func (f *finder) has(i int32) bool { return f.seen[i] == f.stamp }

// add adds a unit to the found units, unless it is already found.
func (f *finder) add(i int32) {
	if f.seen[i] != f.stamp {
		f.seen[i] = f.stamp
		f.found = append(f.found, i)
	}
}

// find returns the units that a happening can concern, each once. The list is valid until the next
// call.
func (f *finder) find(h *happening) []int32 {
	f.stamp++ // with stamps, the marks of the last event need not be cleared
	f.found, f.givenUp = f.found[:0], f.givenUp[:0]
	x := f.set.index
	typ := h.typ()
	switch typ {
	case event.TypeStateChanged:
		f.addChanged(&x.Changes, h)
	case event.TypeTurnComplete:
		turn := turnOf(*h.event, f.gates.state.Turn)
		f.addAll(x.Turns.At[turn])
		for every, units := range x.Turns.Every { // the gates sort the found units
			if turn > 0 && math.Mod(turn, every) == 0 {
				f.addAll(units)
			}
		}
	case event.TypePlayerMessage:
		f.addSpoken(&x.Texts[0], contentOf(*h.event))
	case event.TypeModelMessage:
		f.addSpoken(&x.Texts[1], contentOf(*h.event))
	case event.TypeTrigger:
		// An empty id would match every rule without id.
		if id, _ := h.event.Fields.Get("ruleId").AsText(); id != "" {
			f.addAll(f.set.byID[id])
		}
	}
	f.addPatterns(x, typ, h)
	return f.found
}

// addPatterns collects the units with an event pattern. If the index has checked everything, the
// unit is taken directly. Otherwise the index has only shortened the list, and the unit is checked
// itself.
func (f *finder) addPatterns(x *index, typ string, h *happening) {
	b := x.Changes.Bucket
	if typ != event.TypeStateChanged {
		b = x.Types[typ]
	}
	if b != nil {
		f.addAll(b.Plain)
		f.addMatching(b.Rest, h)
		for name, units := range b.Fields { // the gates sort the found units
			if v, ok := fieldValueOf(h.builtEvent().Get(name)); ok {
				f.addMatching(units[v], h)
			}
		}
	}
	// "quest:a:b" is in the areas "quest:" and "quest:a:".
	if len(x.Areas) > 0 {
		for i := range min(len(typ), x.LongestArea) {
			if typ[i] == ':' {
				f.addMatching(f.areaWatchers(x.Areas[typ[:i+1]], h), h)
			}
		}
	}
	f.addMatching(f.areaWatchers(&x.All, h), h)
}

// areaWatchers is [finder.liveWatchers] for units that match every event of an area. With
// parameters the gates may decide differently for each event, so no unit can be left out.
func (f *finder) areaWatchers(w *watchers, h *happening) []int32 {
	if w == nil || len(w.Changed) == 0 {
		return nil
	}
	if h.params().IsObject() {
		return w.Changed
	}
	return f.liveWatchers(w)
}

// addAll takes units whose WHEN is known to be satisfied.
func (f *finder) addAll(units []int32) {
	for _, i := range units {
		f.add(i)
	}
}

// addMatching takes the given units whose WHEN is satisfied.
func (f *finder) addMatching(units []int32, h *happening) {
	for _, i := range units {
		if !f.has(i) && f.set.units[i].when.Matches(h.builtEvent(), f.gates.state.Turn) {
			f.add(i)
		}
	}
}

// addChanged collects the units that watch the variable of an event, a variable around it, or a path
// inside it.
func (f *finder) addChanged(x *changeIndex, h *happening) {
	id, before, after := h.changedFields()
	f.addAll(f.liveWatchers(&x.AnyOf))
	w := x.ByVariable[id]
	if w != nil {
		f.addAll(f.liveWatchers(w))
		// A scalar has no parts that could have changed.
		if len(w.Inside) > 0 && (isStructure(before) || isStructure(after)) {
			f.addMatching(w.Inside, h)
		}
	}
	if w.HasThresholds() || x.AnyOf.HasThresholds() { // numbers are stored as text, so parse them only if needed
		from, fromIsNumber := before.AsFloat()
		to, toIsNumber := after.AsFloat()
		if fromIsNumber && toIsNumber {
			f.addCrossed(w, from, to)
			f.addCrossed(&x.AnyOf, from, to)
		}
	}
	// Units that watch a variable around the node.
	for i := min(len(id)-1, x.Longest); i > 0; i-- {
		if id[i] == '.' {
			if w := x.ByVariable[id[:i]]; w != nil {
				f.addMatching(w.Changed, h)
			}
		}
	}
}

// liveWatchers returns the units that watch a variable, or any variable. In a chain most of them
// fired or failed at the first change to it in the hop and need not be examined again. Otherwise
// the cost of a hop would be its changes times their watchers.
func (f *finder) liveWatchers(w *watchers) []int32 {
	if !f.gates.once || f.explain || len(w.Changed) == 0 {
		return w.Changed
	}
	// The list is built again in each hop, and shrinks from change to change within it.
	live := &f.live[w.Number]
	if live.version != f.gates.version {
		live.version = f.gates.version
		live.units = append(live.units[:0], w.Changed...)
		return live.units
	}
	live.units = slices.DeleteFunc(live.units, f.gates.closed)
	return live.units
}

// addCrossed takes the units whose threshold lies between two values. A rise crosses thresholds in
// [from, to), a drop crosses thresholds in (to, from]: leaving a threshold is a crossing, and
// landing on it is not.
func (f *finder) addCrossed(w *watchers, from, to float64) {
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
	start, _ := slices.BinarySearchFunc(list, lo, func(t threshold, limit float64) int {
		return cmp.Compare(t.Limit, limit)
	})
	for _, t := range list[start:] {
		if t.Limit >= hi {
			break
		}
		f.add(t.Unit)
	}
}

// addSpoken takes the units whose keywords are in a text. The text is folded and searched once for
// all of them.
func (f *finder) addSpoken(x *textIndex, text string) {
	if x.Keys == nil || text == "" {
		return
	}
	f.folded, _ = keyindex.Fold(slices.Grow(f.folded[:0], len(text)), text)
	f.hits = x.Keys.Scan(f.hits[:0], f.folded, f.wordEdges)
	for _, id := range f.hits {
		f.foundIn[id] = f.stamp
	}
	s := report.NewSearch(len(text))
	found := func(k *keyword) bool {
		return f.foundIn[k.ID] == f.stamp || k.Regex != nil && k.Regex.Match(text, &s)
	}
	// A found keyword leads to its units. Only their secondary keywords must be checked. Units with
	// a regular expression must always be checked.
	for _, id := range f.hits {
		for _, i := range x.Units[id] {
			t := f.set.units[i].when.Text
			if !f.has(i) && (len(t.Secondary) == 0 || t.DecideSecondary(found)) {
				f.add(i)
			}
			f.recordGivenUp(i, &s)
		}
	}
	for _, i := range x.Regexes {
		if !f.has(i) && f.set.units[i].when.Text.Decide(found) {
			f.add(i)
		}
		f.recordGivenUp(i, &s)
	}
}

// recordGivenUp records, for explanations, that a regular expression of a unit was stopped.
func (f *finder) recordGivenUp(i int32, s *report.Search) {
	if s.GaveUp && f.explain {
		f.givenUp = append(f.givenUp, i)
	}
	s.GaveUp = false
}
