package rules

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// This file has the compiled WHEN of rules and reactions, and the index from events to the units
// that wait for them.
//
// The WHEN of both is compiled into one type. Its method Matches decides one event
// slowly; the index decides for many units at once. Matches is kept complete on purpose: the index
// may use it to check its results, patterns need it, and tests compare the two.
//
// Three decisions are important. First, a pattern tests an event and a condition tests the state.
// So a missing field is unequal to everything, but a missing variable is not. Second, a crossing is
// derived from the two values of a change and needs no event of its own. Third, a watched path
// covers more than its node: with a schema events name whole variables, without a schema single
// nodes. So a watcher also matches changes around the path and inside it.

// matcher is a compiled WHEN. Its kind decides which of the fields are used.
type matcher struct {
	Kind kind
	Type string // of events

	Clauses  []clause  // OnPattern, onCrossing by a pattern
	variable string    // onChange, onCrossing; "" is any
	inside   tree.Path // the variable as a path, if it is one
	around   []string  // the texts of the paths around it, outermost first
	// Walk follows a path from a node after its first n segments, through leaves.
	Walk         func(v tree.Value, path tree.Path, n int) tree.Value
	Rises, Drops bool    // which crossings count
	Limit        float64 // threshold
	At           float64 // onTurn; NaN: none
	Every        float64 // onTurn; 0: none
	Text         *matchText
}

// kind is the kind of thing that a matcher waits for.
type kind uint8

const (
	onNothing  kind = iota // no effect, or only fired by hand
	onPattern              // type and clauses
	onChange               // a variable changed
	onCrossing             // a number crossed
	onTurn                 // a single turn or a period
	onText                 // keywords
)

// clause is one compiled test of an event's fields. It holds if any of the fields satisfies it.
type clause struct {
	Fields []string
	Op     Operator
	Value  tree.Value
	Parts  []string // contains: the alternatives, folded
}

// Matches decides without the index. It needs the complete event. A change of a variable and an
// event of that type are the same here.
func (m *matcher) Matches(e event.Event, turn int) bool {
	switch m.Kind {
	case onPattern:
		return covers(m.Type, e.Type) && m.holds(e, turn)
	case onChange:
		return e.Type == event.TypeStateChanged && m.concerns(e)
	case onCrossing:
		return e.Type == event.TypeStateChanged && m.crosses(e) ||
			m.Type == event.TypeStateCrossed && e.Type == event.TypeStateCrossed && m.holds(e, turn)
	case onTurn:
		return e.Type == event.TypeTurnComplete && m.due(turnOf(e, turn))
	case onText:
		return e.Type == m.Type && m.Text.found(contentOf(e))
	}
	return false
}

// holds decides the clauses.
func (m *matcher) holds(e event.Event, turn int) bool {
	// A period decides alone. On any other event its clause cannot hold.
	if m.Every > 0 {
		return e.Type == event.TypeTurnComplete && m.due(turnOf(e, turn))
	}
	for i := range m.Clauses {
		if !m.Clauses[i].holds(e) {
			return false
		}
	}
	return true
}

// holds reports whether one of its fields is accepted. Only the shorthand zone has several fields.
func (c *clause) holds(e event.Event) bool {
	for _, field := range c.Fields { // a closure would copy the event to the heap
		if c.accepts(e.Get(field)) {
			return true
		}
	}
	return false
}

// accepts decides one field. Unlike in conditions, a missing field is unequal to everything: an
// event without a zone is not in the forest.
func (c *clause) accepts(v tree.Value) bool {
	switch c.Op {
	case Neq:
		return !v.Exists() || !v.Equal(c.Value)
	case Contains:
		s, ok := v.AsText()
		return ok && containsAny(s, c.Parts)
	case Eq:
		return v.Exists() && v.Equal(c.Value)
	case Gt, Gte, Lt, Lte:
		n, ok := v.AsNumber()
		limit, numeric := c.Value.AsNumber()
		return ok && numeric && c.Op.Orders(n.Cmp(limit))
	}
	return false
}

// concerns reports whether an event concerns the watched variable: the variable itself, a node
// inside it, or a variable around it whose node at the path changed.
func (m *matcher) concerns(e event.Event) bool {
	if m.variable == "" {
		return true
	}
	id, ok := e.Fields.Get("variableId").AsText()
	if !ok {
		return false
	}
	if id == m.variable || strings.HasPrefix(id, m.variable+".") {
		return true
	}
	before, after, ok := m.within(e, id)
	return ok && !before.Equal(after)
}

// within returns the old and new node at a watched path inside the variable that an event names.
func (m *matcher) within(e event.Event, id string) (before, after tree.Value, ok bool) {
	n := slices.Index(m.around, id) + 1
	if n == 0 {
		return before, after, false
	}
	before = m.Walk(e.Fields.Get("oldValue"), m.inside, n)
	after = m.Walk(e.Fields.Get("newValue"), m.inside, n)
	return before, after, true
}

// crosses reports whether the numbers of a change cross the threshold.
func (m *matcher) crosses(e event.Event) bool {
	before, after := e.Fields.Get("oldValue"), e.Fields.Get("newValue")
	if m.variable != "" {
		// Only numbers cross, so a node inside the watched path does not matter here. But the path
		// may be inside the variable that changed.
		id, _ := e.Fields.Get("variableId").AsText()
		if id != m.variable {
			var ok bool
			if before, after, ok = m.within(e, id); !ok {
				return false
			}
		}
	}
	from, ok := before.AsFloat()
	to, too := after.AsFloat()
	return ok && too && m.crossed(from, to)
}

// crossed decides a crossing. Leaving the threshold counts and landing on it does not, so that each
// crossing counts once.
func (m *matcher) crossed(from, to float64) bool {
	return m.Rises && from <= m.Limit && to > m.Limit || m.Drops && from >= m.Limit && to < m.Limit
}

// due reports whether the turn is the required one or a multiple of the period.
func (m *matcher) due(turn float64) bool {
	return turn == m.At || m.Every > 0 && turn > 0 && math.Mod(turn, m.Every) == 0
}

// turnOf returns the event's turn count, or else the state's turn.
func turnOf(e event.Event, turn int) float64 {
	if n, ok := e.Fields.Get("turnCount").AsFloat(); ok {
		return n
	}
	return float64(turn)
}

// contentOf returns the text of a message, or "".
func contentOf(e event.Event) string {
	s, _ := e.Fields.Get("content").AsText()
	return s
}

// Watch stores the variable. A path is split now, with the texts of all paths around it, because
// events name those.
func (m *matcher) Watch(variable string) {
	m.variable = variable
	p, err := tree.ParsePath(variable)
	if err != nil || len(p) < 2 {
		return
	}
	m.inside = p
	for n := 1; n < min(len(p), maxWatched); n++ {
		m.around = append(m.around, p[:n].String())
	}
}

// maxWatched limits the number of stored paths around a watched one, because their total length is
// quadratic. A write more than this many levels above the path is not matched.
const maxWatched = 32

// Keywords are searched in two ways. During play the index searches all keywords of a program at
// once. MatchKeyword and tests search them one by one in a text. Both fold case as the scanner of
// world books does, so that a word that finds lore also fires a rule.
//
// Whole words support the letters of every script. The usual ASCII word edge does not work: with it
// no Chinese word is ever whole, "c++" has no end, and cafés contains the word café.

// matchText is a compiled keyword trigger.
type matchText struct {
	Primary   []keyword
	Secondary []keyword // checked only after a primary one was found
	Logic     logic     // joins the secondary ones
}

// logic is the way in which secondary keywords are joined.
type logic uint8

const (
	oneOf   logic = iota // at least one of them is found
	allOf                // all of them are found
	noneOf               // no keyword is found
	notEach              // at least one of them is not found
)

// keyword is one compiled key. For a regular expression that is not found, the key is also searched
// for as plain text.
type keyword struct {
	folded string        // in lower case, as in the index
	whole  bool          // needs word edges
	Regex  *report.Regex // nil for most
	ID     int32         // in the index of its side
}

// compileKeyword refuses blank keywords: an empty line in an editor must not make a rule fire for
// every message.
func compileKeyword(key string, wholeWords bool) (keyword, bool) {
	if strings.TrimSpace(key) == "" {
		return keyword{}, false
	}
	return keyword{
		folded: keyindex.FoldString(key),
		whole:  wholeWords && !hasCJK(key),
		Regex:  report.Parse(key),
		ID:     -1,
	}, true
}

// Found searches a text without an index.
func (k *keyword) Found(text, folded string, s *report.Search) bool {
	if k.Regex != nil && k.Regex.Match(text, s) {
		return true
	}
	if !k.whole {
		return strings.Contains(folded, k.folded)
	}
	// The first occurrence may be part of a longer word while the second is not.
	for at := 0; at+len(k.folded) <= len(folded); {
		i := strings.Index(folded[at:], k.folded)
		if i < 0 {
			return false
		}
		if standsAlone(folded, at+i, at+i+len(k.folded)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(folded[at+i:])
		at += i + size
	}
	return false
}

// standsAlone reports whether text[start:end] is a whole word: no edge has a word character on both
// sides.
func standsAlone[T string | []byte](text T, start, end int) bool {
	first, last := runeAt(text, start), runeBefore(text, end)
	before, after := runeBefore(text, start), runeAt(text, end)
	return !(isWordRune(first) && isWordRune(before)) && !(isWordRune(last) && isWordRune(after))
}

// runeAt returns the character that begins at an offset.
func runeAt[T string | []byte](text T, at int) rune {
	r, _ := utf8.DecodeRuneInString(string(text[at:min(len(text), at+utf8.UTFMax)]))
	return r
}

// runeBefore returns the character that ends at an offset.
func runeBefore[T string | []byte](text T, at int) rune {
	r, _ := utf8.DecodeLastRuneInString(string(text[max(0, at-utf8.UTFMax):at]))
	return r
}

// isWordRune reports whether r is a letter or digit of any script, or an underscore.
func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// hasCJK reports whether a word has characters of scripts without blanks between words. Word edges
// do not exist in them.
func hasCJK(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
			unicode.Hangul, unicode.Bopomofo)
	})
}

// containsAny reports whether the text contains one of the folded alternatives.
func containsAny(text string, parts []string) bool {
	if len(parts) == 0 {
		return false
	}
	folded := keyindex.FoldString(text)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(folded, part) })
}

// alternatives splits the value of a contains clause at its commas.
func alternatives(s string) []string {
	var parts []string
	split := func(r rune) bool { return r == ',' || r == '，' || r == '、' }
	for _, part := range strings.FieldsFunc(s, split) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, keyindex.FoldString(part))
		}
	}
	return parts
}

// found decides a trigger without an index.
func (t *matchText) found(text string) bool {
	if text == "" {
		return false
	}
	folded, s := keyindex.FoldString(text), report.NewSearch(len(text))
	return t.Decide(func(k *keyword) bool { return k.Found(text, folded, &s) })
}

// Decide decides by the primary and secondary keywords.
func (t *matchText) Decide(found func(*keyword) bool) bool {
	if !anyKeyword(t.Primary, found) {
		return false
	}
	return len(t.Secondary) == 0 || t.DecideSecondary(found)
}

// DecideSecondary decides by the secondary keywords, after a keyword was found.
func (t *matchText) DecideSecondary(found func(*keyword) bool) bool {
	missing := func(k *keyword) bool { return !found(k) }
	switch t.Logic {
	case allOf:
		return !anyKeyword(t.Secondary, missing)
	case noneOf:
		return !anyKeyword(t.Secondary, found)
	case notEach:
		return anyKeyword(t.Secondary, missing)
	}
	return anyKeyword(t.Secondary, found)
}

// anyKeyword reports whether at least one key is found.
func anyKeyword(keys []keyword, found func(*keyword) bool) bool {
	for i := range keys {
		if found(&keys[i]) {
			return true
		}
	}
	return false
}

// matchKeywords collects the distinct keywords of one side.
type matchKeywords struct {
	ids  map[keywordKey]int32
	keys []keyindex.Key
}

// keywordKey distinguishes keywords: equal ones are searched for once.
type keywordKey struct {
	folded string // in lower case
	whole  bool   // needs word edges
}

// Add returns the id of a keyword. Equal keywords have the same id, so that a word in fifty rules
// is searched for once.
func (b *matchKeywords) Add(k keyword) int32 {
	key := keywordKey{k.folded, k.whole}
	if id, ok := b.ids[key]; ok {
		return id
	}
	if b.ids == nil {
		b.ids = make(map[keywordKey]int32)
	}
	id := int32(len(b.keys))
	b.ids[key] = id
	b.keys = append(b.keys, keyindex.Key{Text: k.folded, Check: k.whole})
	return id
}

// covers reports whether an event type, or a pattern such as "area:*", covers typ.
func covers(pattern, typ string) bool {
	if pattern == typ || pattern == "*" {
		return pattern != ""
	}
	area, wild := strings.CutSuffix(pattern, "*")
	return wild && strings.HasSuffix(area, ":") && strings.HasPrefix(typ, area)
}

// The cost of an event must depend only on the rules that it can concern, not on all rules. So each
// unit is filed, at compile time, under the thing it waits for:
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
	Fields []fieldIndex
	byName map[string]int // indexes into Fields
	Rest   []int32
}

// fieldIndex leads from the values of one field to the units that need them.
type fieldIndex struct {
	Name   string
	Values map[fieldValue][]int32
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
	At      map[float64][]int32 // by the turn itself
	Periods []period
	byEvery map[float64]int // indexes into Periods
}

// period holds the units that wait for every multiple of a number.
type period struct {
	Every float64
	Units []int32
}

// textIndex is the index of the keywords of one side.
type textIndex struct {
	Keys    *keyindex.Index // nil if no unit waits for keywords
	Units   [][]int32       // by keyword
	Regexes []int32         // units with a regular expression among their keywords
}

// build files n units. Units are numbered in the order of evaluation, so that sorted lists of
// numbers are in that order.
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
		// One scan of a message finds the keywords of all units, as for lore.
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

// sort sorts thresholds for binary search.
func (w *watchers) sort() {
	byLimit := func(a, b threshold) int { return cmp.Compare(a.Limit, b.Limit) }
	slices.SortStableFunc(w.Rises, byLimit)
	slices.SortStableFunc(w.Drops, byLimit)
}

// enter files one unit.
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
		// Without a direction a unit is in both lists; a change goes only one way. A unit with an
		// unknown direction is in neither list.
		if m.Rises {
			w.Rises = append(w.Rises, threshold{m.Limit, i})
		}
		if m.Drops {
			w.Drops = append(w.Drops, threshold{m.Limit, i})
		}
		x.Changes.enterInside(m, i)
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

// enterPattern files a unit under the type of its pattern. A wildcard is filed under its area or
// under all events.
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

// enterInside files a watched path under every variable around it.
func (x *changeIndex) enterInside(m *matcher, i int32) {
	for _, outer := range m.around {
		w := x.of(outer)
		w.Inside = append(w.Inside, i)
	}
}

// enter groups the units of one period, so that a turn checks each period once.
func (x *turnIndex) enter(every float64, i int32) {
	n, ok := x.byEvery[every]
	if !ok {
		n = len(x.Periods)
		x.byEvery[every] = n
		x.Periods = append(x.Periods, period{Every: every})
	}
	x.Periods[n].Units = append(x.Periods[n].Units, i)
}

// enter files a unit under its keywords. A regular expression is searched separately. As plain
// text, its fallback, it is also a keyword.
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

// bucketOf files each unit under the field that distinguishes it best from the others.
func bucketOf(units []int32, when func(int32) *matcher) *bucket {
	values := valuesOf(units, when)
	b := &bucket{byName: make(map[string]int)}
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
				b.enter(name, v, i)
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
