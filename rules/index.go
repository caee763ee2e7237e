package rules

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/condition"
	"github.com/talewright/talewright/rules/event"
)

// What an event costs must not depend on the rules that there are, only on those that it can
// concern. So each unit is filed, at compile time, under what it waits for:
//
//	a changed variable   by its id, and in a list of those who watch any; a path also under
//	                     every variable around it
//	a crossing           by the variable, in a list of thresholds sorted by their number: the
//	                     ones between old and new value are next to each other
//	a turn               by its number; a period in a list of periods
//	words                by keyword; one scan of the text finds all keywords
//	a pattern            by event type, and there by the value of the one field that tells
//	                     most patterns apart
//	a wildcard           by its area
//
// A manual unit is filed nowhere; every unit can be had by its id.

// index leads from an event to the units that it can concern: those of its type,
// narrowed by the variable, threshold, turn, keyword or field that they name. What it
// yields still has to be checked, except where it says sure.
type index struct {
	types map[string]*bucket   // patterns and triggers of one event type
	areas map[string]*watchers // "area:*", by "area:"
	// longestArea and, for variables, longest keep events with endless names from being
	// looked up under every one of their beginnings.
	longestArea int
	all         watchers // "*"
	changes     changeIndex
	turns       turnIndex
	texts       [2]textIndex // player, model
}

// bucket holds the units of one event type: those that want nothing else, those that want
// one field to equal something by its value, and the rest.
type bucket struct {
	plain  []int32
	fields []fieldIndex
	byName map[string]int // places of the fields
	rest   []int32
}

// fieldIndex leads from the values of one field to the units that want them.
type fieldIndex struct {
	name   string
	values map[fieldValue][]int32
}

// fieldValue is a scalar as a map key. Numbers meet by their double value, so that 1 and 1.0
// are one key, as they are one number.
type fieldValue struct {
	kind tree.Kind
	text string
	num  float64
}

// fieldValueOf makes a key of a scalar. Two numbers may share one by rounding, which is
// why what the index yields is checked.
func fieldValueOf(v tree.Value) (fieldValue, bool) {
	switch v.Kind() {
	case tree.KindText:
		s, _ := v.AsText()
		return fieldValue{kind: tree.KindText, text: s}, true
	case tree.KindNumber:
		f, _ := v.AsFloat()
		return fieldValue{kind: tree.KindNumber, num: f}, true
	case tree.KindBool:
		b, _ := v.AsBool()
		if b {
			return fieldValue{kind: tree.KindBool, num: 1}, true
		}
		return fieldValue{kind: tree.KindBool}, true
	case tree.KindNull:
		return fieldValue{kind: tree.KindNull}, true
	}
	return fieldValue{}, false
}

// changeIndex is for changed variables.
type changeIndex struct {
	byVariable map[string]*watchers
	anyOf      watchers
	bucket     *bucket // of patterns; it is one of the types, at hand without looking it up
	lists      int     // of watchers
	longest    int     // name of a watched variable
}

// watchers are the units that watch one variable: any change, a threshold, or a path inside
// it, which has to be checked. Those who hear everything of an area are such a list as well.
type watchers struct {
	number  int // among all of them; anyOf is 0, and those who hear everything are 1
	changed []int32
	inside  []int32
	rises   []threshold // by limit
	drops   []threshold
}

// threshold is a unit under the number that it waits for.
type threshold struct {
	limit float64
	unit  int32
}

// turnIndex is for turns.
type turnIndex struct {
	at      map[float64][]int32 // by the turn itself
	periods []period
	byEvery map[float64]int // places of the periods
}

// period holds the units that want every multiple of a number.
type period struct {
	every float64
	units []int32
}

// textIndex is for the words of one side.
type textIndex struct {
	keys    *keyindex.Index // nil where nobody waits for words
	units   [][]int32       // by keyword
	regexes []int32         // units with a regular expression among their keywords
}

// buildIndex files every unit under what it waits for. Units are numbered in the order of
// evaluation, so that lists of numbers sort into it.
func (c *compiler) buildIndex() {
	x := &c.set.index
	x.types = make(map[string]*bucket)
	x.areas = make(map[string]*watchers)
	x.changes.byVariable = make(map[string]*watchers)
	x.all.number, x.changes.lists = 1, 2
	x.turns.at = make(map[float64][]int32)
	x.turns.byEvery = make(map[float64]int)
	for side := range x.texts {
		b := &c.keywords[side]
		// One scan of a message finds the keywords of all units, as it does for lore.
		x.texts[side].units = make([][]int32, len(b.keys))
		if len(b.keys) > 0 {
			x.texts[side].keys = keyindex.Build(b.keys)
		}
	}
	patterns := make(map[string][]int32)
	for i := range c.set.units {
		c.enter(int32(i), patterns)
	}
	for typ, units := range patterns { // each builds its own bucket
		x.types[typ] = c.bucket(units)
	}
	x.changes.bucket = x.types[event.TypeStateChanged]
	x.changes.anyOf.sort()
	for _, w := range x.changes.byVariable {
		w.sort()
	}
}

// hasThresholds reports whether a crossing of the variable can concern anybody.
func (w *watchers) hasThresholds() bool {
	return w != nil && len(w.rises)+len(w.drops) > 0
}

// sort orders thresholds, for binary search.
func (w *watchers) sort() {
	byLimit := func(a, b threshold) int { return cmp.Compare(a.limit, b.limit) }
	slices.SortStableFunc(w.rises, byLimit)
	slices.SortStableFunc(w.drops, byLimit)
}

// enter files one unit under what it waits for.
func (c *compiler) enter(i int32, patterns map[string][]int32) {
	x := &c.set.index
	m := &c.set.units[i].when
	switch m.kind {
	case onPattern:
		x.enterPattern(m.typ, i, patterns)
	case onChange:
		w := x.changes.of(m.variable)
		w.changed = append(w.changed, i)
		x.changes.enterInside(m, i)
	case onCrossing:
		w := x.changes.of(m.variable)
		// Without a direction a unit is on both lists; a change is on one way only, and an
		// unknown direction is on neither.
		if m.dir == RisesAbove || m.dir == "" {
			w.rises = append(w.rises, threshold{m.limit, i})
		}
		if m.dir == DropsBelow || m.dir == "" {
			w.drops = append(w.drops, threshold{m.limit, i})
		}
		x.changes.enterInside(m, i)
		// Events that say so themselves are looked up like all others.
		if m.typ == event.TypeStateCrossed {
			patterns[m.typ] = append(patterns[m.typ], i)
		}
	case onTurn:
		// Turns are exact numbers, so that a map will do for those at one turn. Periods are
		// few and different, and are asked one by one.
		if !math.IsNaN(m.at) {
			x.turns.at[m.at] = append(x.turns.at[m.at], i)
		}
		if m.every > 0 {
			x.turns.enter(m.every, i)
		}
	case onText:
		side := 0
		if m.typ == event.TypeModelMessage {
			side = 1
		}
		x.texts[side].enter(m.text, i)
	}
}

// enterPattern files a unit under the type of its pattern, and under its area or everything
// where that is a wildcard.
func (x *index) enterPattern(typ string, i int32, patterns map[string][]int32) {
	area, wild := strings.CutSuffix(typ, "*")
	switch {
	case typ == "*":
		x.all.changed = append(x.all.changed, i)
	case wild && strings.HasSuffix(area, ":"):
		w := x.areas[area]
		if w == nil {
			w = &watchers{number: x.changes.lists}
			x.changes.lists++
			x.areas[area] = w
		}
		w.changed = append(w.changed, i)
		x.longestArea = max(x.longestArea, len(area))
	}
	// An event may be called "area:*" itself, so that a wildcard is a name as well.
	if typ != "" && typ != "*" {
		patterns[typ] = append(patterns[typ], i)
	}
}

// of returns the watchers of a variable, of any variable for "".
func (x *changeIndex) of(variable string) *watchers {
	if variable == "" {
		return &x.anyOf
	}
	w := x.byVariable[variable]
	if w == nil {
		w = &watchers{number: x.lists}
		x.lists++
		x.longest = max(x.longest, len(variable))
		x.byVariable[variable] = w
	}
	return w
}

// enterInside files a watched path under every variable around it.
func (x *changeIndex) enterInside(m *matcher, i int32) {
	for _, outer := range m.around {
		w := x.of(outer)
		w.inside = append(w.inside, i)
	}
}

// enter groups the units of one period, so that a turn asks each period once.
func (x *turnIndex) enter(every float64, i int32) {
	n, ok := x.byEvery[every]
	if !ok {
		n = len(x.periods)
		x.byEvery[every] = n
		x.periods = append(x.periods, period{every: every})
	}
	x.periods[n].units = append(x.periods[n].units, i)
}

// enter files a unit under its keywords. A regular expression is searched for itself; as
// plain text, which it falls back to, it is a keyword like others.
func (x *textIndex) enter(t *textTrigger, i int32) {
	hasRegex := false
	for _, k := range t.primary {
		hasRegex = hasRegex || k.regex != nil
		if units := x.units[k.id]; len(units) == 0 || units[len(units)-1] != i {
			x.units[k.id] = append(units, i)
		}
	}
	if hasRegex {
		x.regexes = append(x.regexes, i)
	}
}

// bucket files each unit under the field that tells it best from the others.
func (c *compiler) bucket(units []int32) *bucket {
	values := c.valuesOf(units)
	b := &bucket{byName: make(map[string]int)}
	for _, i := range units {
		m := &c.set.units[i].when
		switch cl := values.best(m.clauses); {
		case m.kind == onPattern && len(m.clauses) == 0 && m.every == 0:
			b.plain = append(b.plain, i)
		case cl == nil || m.every > 0: // a period counts alone, whatever else the pattern says
			b.rest = append(b.rest, i)
		default:
			v, _ := cl.indexable()
			for _, name := range cl.fields { // the shorthand zone has three, any of which will do
				b.enter(name, v, i)
			}
		}
	}
	return b
}

// wantedValues are the values that the patterns of some units want a field to equal.
type wantedValues map[string]map[fieldValue]bool

func (c *compiler) valuesOf(units []int32) wantedValues {
	values := make(wantedValues)
	for _, i := range units {
		for _, cl := range c.set.units[i].when.clauses {
			if v, ok := cl.indexable(); ok {
				if values[cl.fields[0]] == nil {
					values[cl.fields[0]] = make(map[fieldValue]bool)
				}
				values[cl.fields[0]][v] = true
			}
		}
	}
	return values
}

// best returns the clause whose field has the most different values, nil if none wants a field to
// equal one. The more values a field has, the fewer units share one: of patterns that want an
// action of a control and a variable of a player, the control tells them apart.
func (values wantedValues) best(clauses []clause) (best *clause) {
	for k := range clauses {
		cl := &clauses[k]
		if _, ok := cl.indexable(); ok && (best == nil || len(values[cl.fields[0]]) > len(values[best.fields[0]])) {
			best = cl
		}
	}
	return best
}

// indexable returns the value that a clause wants to be equal to, if it is a scalar.
func (cl *clause) indexable() (fieldValue, bool) {
	if cl.op != condition.Eq {
		return fieldValue{}, false
	}
	return fieldValueOf(cl.value)
}

// enter files a unit under the value of a field.
func (b *bucket) enter(name string, v fieldValue, i int32) {
	at, ok := b.byName[name]
	if !ok {
		at = len(b.fields)
		b.byName[name] = at
		b.fields = append(b.fields, fieldIndex{name, make(map[fieldValue][]int32)})
	}
	b.fields[at].values[v] = append(b.fields[at].values[v], i)
}
