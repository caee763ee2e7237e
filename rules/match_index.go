package rules

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// The match part holds what rules and reactions wait for in compiled form, and the index that
// leads from an event to those who wait for it.

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
	Types map[string]*bucket   // patterns and triggers of one event type
	Areas map[string]*watchers // "area:*", by "area:"
	// LongestArea and, for variables, Longest keep events with endless names from being
	// looked up under every one of their beginnings.
	LongestArea int
	All         watchers // "*"
	Changes     changeIndex
	Turns       turnIndex
	Texts       [2]textIndex // player, model
}

// bucket holds the units of one event type: those that want nothing else, those that want
// one field to equal something by its value, and the rest.
type bucket struct {
	Plain  []int32
	Fields []fieldIndex
	byName map[string]int // places of the fields
	Rest   []int32
}

// fieldIndex leads from the values of one field to the units that want them.
type fieldIndex struct {
	Name   string
	Values map[fieldValue][]int32
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
	ByVariable map[string]*watchers
	AnyOf      watchers
	Bucket     *bucket // of patterns; it is one of the types, at hand without looking it up
	Lists      int     // of watchers
	Longest    int     // name of a watched variable
}

// watchers are the units that watch one variable: any change, a threshold, or a path inside
// it, which has to be checked. Those who hear everything of an area are such a list as well.
type watchers struct {
	Number  int // among all of them; anyOf is 0, and those who hear everything are 1
	Changed []int32
	Inside  []int32
	Rises   []threshold // by limit
	Drops   []threshold
}

// threshold is a unit under the number that it waits for.
type threshold struct {
	Limit float64
	Unit  int32
}

// turnIndex is for turns.
type turnIndex struct {
	At      map[float64][]int32 // by the turn itself
	Periods []period
	byEvery map[float64]int // places of the periods
}

// period holds the units that want every multiple of a number.
type period struct {
	Every float64
	Units []int32
}

// textIndex is for the words of one side.
type textIndex struct {
	Keys    *keyindex.Index // nil where nobody waits for words
	Units   [][]int32       // by keyword
	Regexes []int32         // units with a regular expression among their keywords
}

// build files n units under what they wait for. Units are numbered in the order of
// evaluation, so that lists of numbers sort into it.
func build(n int, when func(int32) *matcher, keywords *[2]matchKeywords) *index {
	x := &index{}
	x.Types = make(map[string]*bucket)
	x.Areas = make(map[string]*watchers)
	x.Changes.ByVariable = make(map[string]*watchers)
	x.All.Number, x.Changes.Lists = 1, 2
	x.Turns.At = make(map[float64][]int32)
	x.Turns.byEvery = make(map[float64]int)
	for side := range x.Texts {
		b := &keywords[side]
		// One scan of a message finds the keywords of all units, as it does for lore.
		x.Texts[side].Units = make([][]int32, len(b.keys))
		if len(b.keys) > 0 {
			x.Texts[side].Keys = keyindex.Build(b.keys)
		}
	}
	patterns := make(map[string][]int32)
	for i := range int32(n) {
		x.enter(when(i), i, patterns)
	}
	for typ, units := range patterns { // each builds its own bucket
		x.Types[typ] = bucketOf(units, when)
	}
	x.Changes.Bucket = x.Types[event.TypeStateChanged]
	x.Changes.AnyOf.sort()
	for _, w := range x.Changes.ByVariable {
		w.sort()
	}
	return x
}

// HasThresholds reports whether a crossing of the variable can concern a rule.
func (w *watchers) HasThresholds() bool {
	return w != nil && len(w.Rises)+len(w.Drops) > 0
}

// sort orders thresholds, for binary search.
func (w *watchers) sort() {
	byLimit := func(a, b threshold) int { return cmp.Compare(a.Limit, b.Limit) }
	slices.SortStableFunc(w.Rises, byLimit)
	slices.SortStableFunc(w.Drops, byLimit)
}

// enter files one unit under what it waits for.
func (x *index) enter(m *matcher, i int32, patterns map[string][]int32) {
	switch m.Kind {
	case onPattern:
		x.enterPattern(m.Type, i, patterns)
	case onChange:
		w := x.Changes.of(m.variable)
		w.Changed = append(w.Changed, i)
		x.Changes.enterInside(m, i)
	case onCrossing:
		w := x.Changes.of(m.variable)
		// Without a direction a unit is on both lists; a change is on one way only, and an
		// unknown direction is on neither.
		if m.Rises {
			w.Rises = append(w.Rises, threshold{m.Limit, i})
		}
		if m.Drops {
			w.Drops = append(w.Drops, threshold{m.Limit, i})
		}
		x.Changes.enterInside(m, i)
		// Events that say so themselves are looked up like all others.
		if m.Type == event.TypeStateCrossed {
			patterns[m.Type] = append(patterns[m.Type], i)
		}
	case onTurn:
		// Turns are exact numbers, so that a map will do for those at one turn. Periods are
		// few and different, and are asked one by one.
		if !math.IsNaN(m.At) {
			x.Turns.At[m.At] = append(x.Turns.At[m.At], i)
		}
		if m.Every > 0 {
			x.Turns.enter(m.Every, i)
		}
	case onText:
		side := 0
		if m.Type == event.TypeModelMessage {
			side = 1
		}
		x.Texts[side].enter(m.Text, i)
	}
}

// enterPattern files a unit under the type of its pattern, and under its area or everything
// where that is a wildcard.
func (x *index) enterPattern(typ string, i int32, patterns map[string][]int32) {
	area, wild := strings.CutSuffix(typ, "*")
	switch {
	case typ == "*":
		x.All.Changed = append(x.All.Changed, i)
	case wild && strings.HasSuffix(area, ":"):
		w := x.Areas[area]
		if w == nil {
			w = &watchers{Number: x.Changes.Lists}
			x.Changes.Lists++
			x.Areas[area] = w
		}
		w.Changed = append(w.Changed, i)
		x.LongestArea = max(x.LongestArea, len(area))
	}
	// An event may be called "area:*" itself, so that a wildcard is a name as well.
	if typ != "" && typ != "*" {
		patterns[typ] = append(patterns[typ], i)
	}
}

// of returns the watchers of a variable, of any variable for "".
func (x *changeIndex) of(variable string) *watchers {
	if variable == "" {
		return &x.AnyOf
	}
	w := x.ByVariable[variable]
	if w == nil {
		w = &watchers{Number: x.Lists}
		x.Lists++
		x.Longest = max(x.Longest, len(variable))
		x.ByVariable[variable] = w
	}
	return w
}

// enterInside files a watched path under every variable around it.
func (x *changeIndex) enterInside(m *matcher, i int32) {
	for _, outer := range m.around {
		w := x.of(outer)
		w.Inside = append(w.Inside, i)
	}
}

// enter groups the units of one period, so that a turn asks each period once.
func (x *turnIndex) enter(every float64, i int32) {
	n, ok := x.byEvery[every]
	if !ok {
		n = len(x.Periods)
		x.byEvery[every] = n
		x.Periods = append(x.Periods, period{Every: every})
	}
	x.Periods[n].Units = append(x.Periods[n].Units, i)
}

// enter files a unit under its keywords. A regular expression is searched for itself; as
// plain text, which it falls back to, it is a keyword like others.
func (x *textIndex) enter(t *matchText, i int32) {
	hasRegex := false
	for _, k := range t.Primary {
		hasRegex = hasRegex || k.Regex != nil
		if units := x.Units[k.ID]; len(units) == 0 || units[len(units)-1] != i {
			x.Units[k.ID] = append(units, i)
		}
	}
	if hasRegex {
		x.Regexes = append(x.Regexes, i)
	}
}

// bucketOf files each unit under the field that tells it best from the others.
func bucketOf(units []int32, when func(int32) *matcher) *bucket {
	values := valuesOf(units, when)
	b := &bucket{byName: make(map[string]int)}
	for _, i := range units {
		m := when(i)
		switch cl := values.best(m.Clauses); {
		case m.Kind == onPattern && len(m.Clauses) == 0 && m.Every == 0:
			b.Plain = append(b.Plain, i)
		case cl == nil || m.Every > 0: // a period counts alone, whatever else the pattern says
			b.Rest = append(b.Rest, i)
		default:
			v, _ := cl.indexable()
			for _, name := range cl.Fields { // the shorthand zone has three, any of which will do
				b.enter(name, v, i)
			}
		}
	}
	return b
}

// wantedValues are the values that the patterns of some units want a field to equal.
type wantedValues map[string]map[fieldValue]bool

func valuesOf(units []int32, when func(int32) *matcher) wantedValues {
	values := make(wantedValues)
	for _, i := range units {
		for _, cl := range when(i).Clauses {
			if v, ok := cl.indexable(); ok {
				if values[cl.Fields[0]] == nil {
					values[cl.Fields[0]] = make(map[fieldValue]bool)
				}
				values[cl.Fields[0]][v] = true
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
		if _, ok := cl.indexable(); ok && (best == nil || len(values[cl.Fields[0]]) > len(values[best.Fields[0]])) {
			best = cl
		}
	}
	return best
}

// indexable returns the value that a clause wants to be equal to, if it is a scalar.
func (cl *clause) indexable() (fieldValue, bool) {
	if cl.Op != Eq {
		return fieldValue{}, false
	}
	return fieldValueOf(cl.Value)
}

// enter files a unit under the value of a field.
func (b *bucket) enter(name string, v fieldValue, i int32) {
	at, ok := b.byName[name]
	if !ok {
		at = len(b.Fields)
		b.byName[name] = at
		b.Fields = append(b.Fields, fieldIndex{name, make(map[fieldValue][]int32)})
	}
	b.Fields[at].Values[v] = append(b.Fields[at].Values[v], i)
}
