package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// The kinds of claims about the map.
const (
	mapArea  = "area"  // an area is destroyed or sealed
	mapPath  = "path"  // a path connects two areas
	mapWhole = "whole" // the map has changed
)

// A mapFact is a claim that the map changed.
type mapFact struct {
	lexicon.Span
	What     string
	Areas    []string // the areas that the name may mean; also one end of a path
	To       []string // the same for the other end of a path
	Sealed   bool     // closed and not destroyed
	Doubtful bool
}

// maps returns the asserted claims of a text about the map: changed areas and ways from them,
// connected areas, and the map as such.
func maps(p *parse.Passage) []mapFact {
	var out []mapFact
	add := func(c mapFact) {
		if p.Asserted(c.Span) {
			out = append(out, c)
		}
	}
	for i, here := range p.Places {
		if !placeActs(p, here) {
			continue
		}
		if w, t, ok := ruin(p, here); ok {
			add(mapFact{Span: lexicon.Between(here.Start, w.End), What: mapArea, Areas: here.IDs, Sealed: t == lexicon.Sealing})
		}
		if i+1 == len(p.Places) {
			continue
		}
		next := p.Places[i+1]
		if doubtful, ok := opening(p, here, next); ok {
			add(mapFact{
				Span: lexicon.Between(here.Start, next.End), What: mapPath, Areas: here.IDs, To: next.IDs, Doubtful: doubtful,
			})
		}
	}
	for _, w := range p.Words.All(lexicon.NewPlace) {
		add(mapFact{Span: w, What: mapWhole})
	}
	for _, w := range p.Words.All(lexicon.MapNoun) {
		if s, doubtful, ok := mapChange(p, w); ok {
			add(mapFact{Span: s, What: mapWhole, Doubtful: doubtful})
		}
	}
	return out
}

// placeActs reports whether a place can be the subject of the text after it. It cannot if it only
// says where something is (在大厅, in the Hall).
func placeActs(p *parse.Passage, here parse.Place) bool {
	if p.IsOneOf(here.Start-1, "在从到往向进入出离于近开的") {
		return false
	}
	// The article hides the preposition: "in the Hall".
	before := p.WordBefore(0, here.Start)
	if w := p.Word(before); w == "the" {
		before = p.WordBefore(0, before.Start)
	}
	return before.Start == before.End || !p.Words.HasAt(lexicon.Preposition, before.Start) &&
		!p.Words.HasAt(lexicon.InPlace, before.Start) && !p.Words.HasAt(lexicon.ArrivalOf, before.Start)
}

// ruin returns the word of destruction or sealing after an area. Between them may only be adverbs,
// or a phrase such as 在巨响中.
func ruin(p *parse.Passage, here parse.Place) (lexicon.Span, lexicon.Class, bool) {
	limit := min(here.End+tokenize.MaxLead, len(p.Chars))
	if w, ok := p.Words.Within(lexicon.Ruined, here.End, limit); ok && p.Unbroken(here.End, w.Start) {
		// 大厅被雷火烧成灰烬
		by := p.SkipFillers(here.End, w.Start)
		if p.Is(by, '被') && w.Start-by <= maxAgent && !p.Words.Has(here.End, w.Start, lexicon.Negation, lexicon.Intention) {
			return w, lexicon.Collapse, !p.Is(w.End, '的')
		}
	}
	for _, t := range []lexicon.Class{lexicon.Collapse, lexicon.Sealing} {
		w, ok := p.Words.Within(t, here.End, limit)
		if ok && p.Unbroken(here.End, w.Start) && p.Opens(suffers(p, circumstance(p, here.End, w.Start), w.Start), w.Start) {
			return w, t, !outOfSight(p, w) && !goneSomehow(p, w) && !fallsSomehow(p, w)
		}
	}
	return lexicon.Span{}, 0, false
}

// maxAgent is the maximum distance of a verb after 被.
const maxAgent = 8

// outOfSight reports whether a place only disappears from view, for example into the mist.
func outOfSight(p *parse.Passage, w lexicon.Span) bool {
	if !p.Is(w.Start, 'v') && !p.Is(w.Start, 'd') {
		return false
	}
	switch p.Word(p.WordAt(p.SkipSpace(w.End))) {
	case "behind", "from", "into", "around", "beneath", "in", "under", "below", "over", "beyond", "as", "round":
		return true
	}
	return false
}

// goneSomehow reports whether "is gone" continues with a description of the place: gone quiet.
func goneSomehow(p *parse.Passage, w lexicon.Span) bool {
	if n := w.End - w.Start; n < 5 || p.Word(lexicon.Between(w.End-4, w.End)) != "gone" {
		return false
	}
	return !endsOrTime(p, w.End) && !p.WordIs(p.SkipSpace(w.End), "forever") && !p.WordIs(p.SkipSpace(w.End), "now")
}

// fallsSomehow reports whether "falls" continues: falls silent.
func fallsSomehow(p *parse.Passage, w lexicon.Span) bool {
	if w.End-w.Start == 2 && lexicon.IsHan(p.Chars[w.Start]) && p.Is(w.Start, '消') { // 消失在雾里
		return !p.EndsClause(w.End)
	}
	word := p.Word(w)
	return (word == "falls" || word == "fell") && !p.EndsClause(w.End)
}

// circumstance returns the end of 在…中 or 在…里 at pos, or pos if there is no such phrase.
func circumstance(p *parse.Passage, pos, limit int) int {
	start := p.SkipFillers(pos, limit)
	if !p.Is(start, '在') {
		return pos
	}
	for i := start; i < limit; i++ {
		if p.IsOneOf(i, "中里下") {
			return i + 1
		}
	}
	return pos
}

// suffers returns the position after adverbs and 被 at pos: 已被整个.
func suffers(p *parse.Passage, pos, limit int) int {
	if next := p.SkipFillers(pos, limit); p.Is(next, '被') {
		return next + 1
	}
	return pos
}

// maxOpening is the maximum distance, in characters, between two areas that are claimed to be
// connected.
const maxOpening = 32

// opening reports whether the text between two areas says that a way leads from one to the other.
// Without 直接, 现在 or "now" it may be scenery, and the claim is doubtful.
func opening(p *parse.Passage, a, b parse.Place) (doubtful, ok bool) {
	if b.Start-a.End > maxOpening {
		return true, false
	}
	w, ok := p.Words.Within(lexicon.OpensTo, a.End, b.Start)
	if !ok || !isWay(p, a.End, w.Start) {
		return true, false
	}
	// Only an article or 到 may come before the second area.
	rest := p.SkipWords(w.End, lexicon.Determiner)
	if p.IsOneOf(rest, "到至了着") {
		rest++
	}
	if rest != b.Start {
		return true, false
	}
	if w.Start > a.End+1 || p.IsOneOf(w.Start, "直ni") { // 直接, now, is now
		return false, true
	}
	return true, true
}

// isWay reports whether [start, end) contains only adverbs, 可以 and 能.
func isWay(p *parse.Passage, start, end int) bool {
	for start < end {
		next := p.SkipFillers(start, end)
		if p.IsOneOf(next, "可以能够") {
			next++
		}
		if next == start {
			return false
		}
		start = next
	}
	return true
}

// newAfter returns the end of the word "new" within three words after pos, or -1.
func newAfter(p *parse.Passage, pos int) int {
	for range 3 {
		w := p.WordAt(p.SkipSpace(pos))
		if p.Word(w) == "new" {
			return w.End
		}
		pos = w.End
	}
	return -1
}

// mapChange reads a claim about "the map": changed, redrawn, or showing something new.
func mapChange(p *parse.Passage, w lexicon.Span) (claim lexicon.Span, doubtful, ok bool) {
	limit := min(w.End+12, len(p.Chars))
	if lexicon.IsLetter(p.Chars[w.Start]) {
		limit = min(w.End+24, len(p.Chars))
	}
	if c, ok := p.Words.Within(lexicon.MapChanged, w.End, limit); ok && p.Clean(w.End, c.Start) {
		if lexicon.IsHan(p.Chars[w.Start]) && p.Is(c.Start, '改') && !p.EndsClause(c.End) {
			return lexicon.Between(w.Start, c.End), true, true // 地图改变了他的想法
		}
		return lexicon.Between(w.Start, c.End), false, true
	}
	g, ok := p.Words.Within(lexicon.MapGained, w.End, limit)
	if !ok || !p.Clean(w.End, g.Start) {
		return lexicon.Span{}, true, false
	}
	claim = lexicon.Between(w.Start, g.End)
	from := g.End
	if lexicon.IsLetter(p.Chars[w.Start]) {
		// "shows" means nothing without "new": a new area, two new rooms.
		from = newAfter(p, g.End)
		if from < 0 {
			return claim, true, false
		}
	}
	n, ok := p.Words.Within(lexicon.PlaceNoun, from, min(from+16, len(p.Chars)))
	if ok && p.Unbroken(from, n.Start) {
		return lexicon.Between(w.Start, n.End), false, true
	}
	return claim, true, true
}
