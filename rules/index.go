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

// This file has the index from events to the units that wait for them. The cost of an event must
// depend only on the rules that it can concern, not on all rules. Each unit is therefore filed, at
// compile time, under the thing that it waits for:
//
//	a changed variable   by its id, and in the list of units that watch any variable; a path also under
//	                     every variable around it
//	a crossing           by the variable, in a list of thresholds sorted by their number: the
//	                     ones between old and new value are next to each other
//	a turn               by its number; a period in a list of periods
//	words                by keyword; one scan of the text finds all keywords
//	a pattern            by event type, and there by the value of the one field that
//	                     distinguishes most patterns
//	a wildcard           by its area
//
// A manual unit is not filed. Every unit can be found by its id.

// index leads from an event to the units that it can concern. These are the units of its type,
// narrowed by the variable, threshold, turn, keyword or field that they name. Its results must
// still be checked, unless they are marked as sure.
type index struct {
	Types map[string]*bucket   // patterns and triggers of one event type
	Areas map[string]*watchers // "area:*", by "area:"
	// LongestArea and, for variables, Longest prevent lookups of every prefix of very long names.
	LongestArea int
	All         watchers // "*"
	Changes     changeIndex
	Turns       turnIndex
	Texts       [2]textIndex // player, model
}

// bucket holds the units of one event type: units without further conditions, units that need a
// field to equal a value, by that value, and the rest.
type bucket struct {
	Plain  []int32
	Fields map[string]map[fieldValue][]int32 // by the name of the field
	Rest   []int32
}

// fieldValue is a scalar as a map key. Numbers are compared by their double value, so that 1 and
// 1.0 have one key.
type fieldValue struct {
	kind tree.Kind
	text string
	num  float64
}

// fieldValueOf returns the key of a scalar. Two numbers may share a key because of rounding, so the
// results of the index are checked.
func fieldValueOf(v tree.Value) (fieldValue, bool) {
	switch v.Kind() {
	case tree.KindText:
		s, _ := v.AsText()
		return fieldValue{kind: tree.KindText, text: s}, true
	case tree.KindNumber:
		f, _ := v.AsFloat()
		return fieldValue{kind: tree.KindNumber, num: f}, true
	case tree.KindBool, tree.KindNull:
		return fieldValue{kind: v.Kind(), text: v.String()}, true
	}
	return fieldValue{}, false
}

// changeIndex is the index of changed variables.
type changeIndex struct {
	ByVariable map[string]*watchers
	AnyOf      watchers
	Bucket     *bucket // of patterns; the same as in Types, to avoid a lookup
	Lists      int     // number of watcher lists
	Longest    int     // length of the longest name of a watched variable
}

// watchers are the units that watch one variable: any change, a threshold, or a path inside it,
// which must be checked. The units that match every event of an area are also such a list.
type watchers struct {
	Number  int // number of the list; AnyOf is 0, the list of all events is 1
	Changed []int32
	Inside  []int32
	Rises   []threshold // by limit
	Drops   []threshold
}

// threshold is a unit with the number that it waits for.
type threshold struct {
	Limit float64
	Unit  int32
}

// turnIndex is the index of turns.
type turnIndex struct {
	At    map[float64][]int32 // by the turn itself
	Every map[float64][]int32 // by the number whose multiples count
}

// textIndex is the index of the keywords of one side.
type textIndex struct {
	Keys    *keyindex.Index // nil if no unit waits for keywords
	Units   [][]int32       // by keyword
	Regexes []int32         // units with a regular expression among their keywords
}

// buildIndex files n units. Units are numbered in the order of evaluation, so that sorted lists of
// numbers are in that order.
func buildIndex(n int, when func(int32) *matcher, keywords *[2]matchKeywords) *index {
	x := &index{}
	x.Types = make(map[string]*bucket)
	x.Areas = make(map[string]*watchers)
	x.Changes.ByVariable = make(map[string]*watchers)
	x.All.Number, x.Changes.Lists = 1, 2
	x.Turns = turnIndex{make(map[float64][]int32), make(map[float64][]int32)}
	for side := range x.Texts {
		b := &keywords[side]
		// One scan of a message finds the keywords of all units, as for lore.
		x.Texts[side].Units = make([][]int32, len(b.keys))
		if len(b.keys) > 0 {
			x.Texts[side].Keys = keyindex.Build(b.keys)
		}
	}
	patterns := make(map[string][]int32)
	for i := range int32(n) {
		x.add(when(i), i, patterns)
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

// sort sorts thresholds for binary search.
func (w *watchers) sort() {
	byLimit := func(a, b threshold) int { return cmp.Compare(a.Limit, b.Limit) }
	slices.SortStableFunc(w.Rises, byLimit)
	slices.SortStableFunc(w.Drops, byLimit)
}

// add files one unit.
func (x *index) add(m *matcher, i int32, patterns map[string][]int32) {
	switch m.Kind {
	case onPattern:
		x.addPattern(m.Type, i, patterns)
	case onChange:
		w := x.Changes.of(m.variable)
		w.Changed = append(w.Changed, i)
		x.Changes.addInside(m, i)
	case onCrossing:
		w := x.Changes.of(m.variable)
		// Without a direction a unit is in both lists; a change goes only one way. A unit with an
		// unknown direction is in neither list.
		if m.Rises {
			w.Rises = append(w.Rises, threshold{m.Limit, i})
		}
		if m.Drops {
			w.Drops = append(w.Drops, threshold{m.Limit, i})
		}
		x.Changes.addInside(m, i)
		// Explicit crossing events are looked up like all others.
		if m.Type == event.TypeStateCrossed {
			patterns[m.Type] = append(patterns[m.Type], i)
		}
	case onTurn:
		// Turns are exact numbers, so a map is sufficient for units of one turn. There are few
		// different periods, so they are checked one by one.
		if !math.IsNaN(m.At) {
			x.Turns.At[m.At] = append(x.Turns.At[m.At], i)
		}
		if m.Every > 0 {
			x.Turns.Every[m.Every] = append(x.Turns.Every[m.Every], i)
		}
	case onText:
		side := 0
		if m.Type == event.TypeModelMessage {
			side = 1
		}
		x.Texts[side].add(m.Text, i)
	}
}

// addPattern files a unit under the type of its pattern. A wildcard is filed under its area or
// under all events.
func (x *index) addPattern(typ string, i int32, patterns map[string][]int32) {
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
	// An event may itself be called "area:*", so a wildcard is also filed as a name.
	if typ != "" && typ != "*" {
		patterns[typ] = append(patterns[typ], i)
	}
}

// of returns the watchers of a variable, or of any variable for "".
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

// addInside files a watched path under every variable around it.
func (x *changeIndex) addInside(m *matcher, i int32) {
	for _, outer := range m.around {
		w := x.of(outer)
		w.Inside = append(w.Inside, i)
	}
}

// add files a unit under its keywords. A regular expression is searched separately. As plain
// text, its fallback, it is also a keyword.
func (x *textIndex) add(t *matchText, i int32) {
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

// bucketOf files each unit under the field that distinguishes it best from the others.
func bucketOf(units []int32, when func(int32) *matcher) *bucket {
	values := valuesOf(units, when)
	b := &bucket{Fields: make(map[string]map[fieldValue][]int32)}
	for _, i := range units {
		m := when(i)
		switch cl := values.best(m.Clauses); {
		case m.Kind == onPattern && len(m.Clauses) == 0 && m.Every == 0:
			b.Plain = append(b.Plain, i)
		case cl == nil || m.Every > 0: // a period decides alone; other clauses of the pattern do not count
			b.Rest = append(b.Rest, i)
		default:
			v, _ := cl.indexable()
			for _, name := range cl.Fields { // the shorthand zone has three fields, and each of them is sufficient
				b.add(name, v, i)
			}
		}
	}
	return b
}

// wantedValues are the values that the patterns of some units need a field to equal.
type wantedValues map[string]map[fieldValue]bool

// valuesOf collects the wanted values of some units.
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

// best returns the clause whose field has the most different values, or nil if no clause tests
// equality. The more values a field has, the fewer units share one. Example: for patterns with an
// action of a control and a variable of a player, the action distinguishes them.
func (values wantedValues) best(clauses []clause) (best *clause) {
	for k := range clauses {
		cl := &clauses[k]
		if _, ok := cl.indexable(); ok && (best == nil || len(values[cl.Fields[0]]) > len(values[best.Fields[0]])) {
			best = cl
		}
	}
	return best
}

// indexable returns the scalar that a clause compares with, if it tests equality.
func (cl *clause) indexable() (fieldValue, bool) {
	if cl.Op != Eq {
		return fieldValue{}, false
	}
	return fieldValueOf(cl.Value)
}

// add files a unit under the value of a field.
func (b *bucket) add(name string, v fieldValue, i int32) {
	if b.Fields[name] == nil {
		b.Fields[name] = make(map[fieldValue][]int32)
	}
	b.Fields[name][v] = append(b.Fields[name][v], i)
}
