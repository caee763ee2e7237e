package conflict

import (
	"slices"

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

// A claimsMap is a claim that the map changed.
type claimsMap struct {
	lexicon.Span
	What     string
	Areas    []string // the areas that the name may mean; also one end of a path
	To       []string // the same for the other end of a path
	Sealed   bool     // closed and not destroyed
	Doubtful bool
}

// maps returns the asserted claims of a text about the map: changed areas and ways from them,
// connected areas, and the map as such.
func maps(p *parse.Passage) []claimsMap {
	var out []claimsMap
	add := func(c claimsMap) {
		if p.Asserted(c.Span) {
			out = append(out, c)
		}
	}
	for i, here := range p.Places {
		if !placeActs(p, here) {
			continue
		}
		if w, t, ok := ruin(p, here); ok {
			add(claimsMap{Span: lexicon.Between(here.Start, w.End), What: mapArea, Areas: here.IDs, Sealed: t == lexicon.Sealing})
		}
		if i+1 == len(p.Places) {
			continue
		}
		next := p.Places[i+1]
		if doubtful, ok := opening(p, here, next); ok {
			add(claimsMap{
				Span: lexicon.Between(here.Start, next.End), What: mapPath, Areas: here.IDs, To: next.IDs, Doubtful: doubtful,
			})
		}
	}
	for _, here := range p.Places {
		for _, read := range []func(*parse.Passage, parse.Place) (lexicon.Span, bool){destroyed, formerly} {
			if s, ok := read(p, here); ok {
				add(claimsMap{Span: s, What: mapArea, Areas: here.IDs})
			}
		}
	}
	for i := 0; i+1 < len(p.Places); i++ {
		a, b := p.Places[i], p.Places[i+1]
		if s, ok := joining(p, a, b); ok {
			add(claimsMap{Span: s, What: mapPath, Areas: a.IDs, To: b.IDs})
		}
	}
	for _, w := range p.Words.All(lexicon.NewPlace) {
		add(claimsMap{Span: w, What: mapWhole})
	}
	for _, w := range p.Words.All(lexicon.MapNoun) {
		if s, doubtful, ok := mapChange(p, w); ok {
			add(claimsMap{Span: s, What: mapWhole, Doubtful: doubtful})
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

// destroyed reads an area as the object of a destruction: 山洪冲毁了渡口, the fire destroys the Hall.
func destroyed(p *parse.Passage, here parse.Place) (lexicon.Span, bool) {
	end := here.Start
	if the := p.WordBefore(0, end); p.Word(the) == "the" {
		end = the.Start
	}
	for p.Is(end-1, ' ') {
		end--
	}
	if w, ok := p.Words.EndsAt(lexicon.Destroys, end); ok && p.EndsClause(here.End) {
		return lexicon.Between(w.Start, here.End), true
	}
	return forceTakes(p, here)
}

// forceTakes reads the effect of a flood, a fire or a similar force on an area: 山洪吞没了整个村子, the
// river takes the Bridge in the night, a quake brings the Tower down, 爆炸将钟楼夷为平地.
func forceTakes(p *parse.Passage, here parse.Place) (lexicon.Span, bool) {
	c := p.ClauseAt(here.Start)
	if c < 0 {
		return lexicon.Span{}, false
	}
	clause := p.Clauses[c].Span
	force, ok := p.Words.Within(lexicon.Force, clause.Start, here.Start)
	if !ok || p.Words.Has(force.End, here.End, lexicon.Intention, lexicon.Negation, lexicon.Doubt) {
		return lexicon.Span{}, false
	}
	verb, ok := p.Words.Within(lexicon.ForceTakes, force.End, here.Start)
	if lexicon.IsHan(p.Chars[here.Start]) {
		if p.IsOneOf(here.Start-1, "把将") {
			verb, ok = p.Words.Within(lexicon.ForceTakes, here.End, min(here.End+8, clause.End))
			return lexicon.Between(here.Start, verb.End), ok
		}
		between := p.Chars[verb.End:max(verb.End, here.Start)]
		return lexicon.Between(verb.Start, here.End), ok && len(between) <= 5 && p.EndsClause(here.End) && !slices.Contains(between, '的')
	}
	if !ok || p.SkipWords(verb.End, lexicon.Determiner, lexicon.Filler) != here.Start {
		return lexicon.Span{}, false
	}
	after := p.WordAt(p.SkipSpace(here.End))
	switch p.Word(after) {
	case "away", "down", "flat", "under", "entirely", "whole", "off", "apart", "overnight", "up":
		return lexicon.Between(verb.Start, after.End), true
	}
	switch p.Word(verb) {
	case "brings", "brought", "knocks", "knocked", "pulls", "pulled", "tears", "tore", "sweeps", "swept", "carries", "carried", "washes", "washed":
		return lexicon.Span{}, false
	}
	return lexicon.Between(verb.Start, here.End), endsOrTime(p, here.End) || p.WordIs(after.Start, "last") || p.WordIs(after.Start, "at")
}

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

// formerly reads a place of which only the past is left: where the Windmill stood there is only a
// hole, 渡口原本的位置只剩一片泥滩.
func formerly(p *parse.Passage, here parse.Place) (lexicon.Span, bool) {
	if lexicon.IsHan(p.Chars[here.Start]) {
		at := p.SkipFillers(here.End, len(p.Chars))
		w, ok := p.Words.At(lexicon.OnceThere, at)
		if !ok {
			return lexicon.Span{}, false
		}
		left, ok := p.Words.Within(lexicon.LeaveVerb, w.End, min(w.End+10, len(p.Chars)))
		return lexicon.Between(here.Start, left.End), ok
	}
	before := p.WordBefore(0, here.Start)
	if p.Word(before) == "the" {
		before = p.WordBefore(0, before.Start)
	}
	w, ok := p.Words.At(lexicon.OnceThere, p.SkipSpace(here.End))
	if !ok || p.Word(before) != "where" {
		return lexicon.Span{}, false
	}
	end := min(w.End+maxFormer, len(p.Chars))
	return lexicon.Between(before.Start, w.End), p.HasWord(w.End, end, "only") || p.HasWord(w.End, end, "nothing") || p.HasWord(w.End, end, "now")
}

// maxFormer is the maximum distance between a former place and the words about what is left.
const maxFormer = 24

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

// joining reads two areas with "and" or 与 between them that are claimed to be connected: a tunnel
// now connects the Hall with the Tower, 大厅与钟楼之间多了一条密道.
func joining(p *parse.Passage, a, b parse.Place) (lexicon.Span, bool) {
	gap := b.Start - a.End
	if lexicon.IsHan(p.Chars[b.Start]) || lexicon.IsHan(p.Chars[a.Start]) {
		if gap > 3 || !p.IsOneOf(a.End, "与和跟到同") {
			return lexicon.Span{}, false
		}
		w, ok := p.Words.Within(lexicon.JoinedNow, b.End, min(b.End+16, len(p.Chars)))
		return lexicon.Between(a.Start, w.End), ok && p.Clean(b.End, w.Start)
	}
	if gap > 16 || !p.Unbroken(a.End, b.Start) {
		return lexicon.Span{}, false
	}
	if w, ok := p.Words.At(lexicon.JoinedNow, p.SkipSpace(b.End)); ok {
		return lexicon.Between(a.Start, w.End), true
	}
	way, ok := wayBefore(p, a)
	return lexicon.Between(way.Start, b.End), ok
}

// wayBefore returns the way that is the subject of a verb of joining before an area. The word "now"
// or "new" makes it a claim: a tunnel now connects the Hall.
func wayBefore(p *parse.Passage, a parse.Place) (lexicon.Span, bool) {
	for _, v := range p.Words.All(lexicon.JoinVerb)[p.Words.From(lexicon.JoinVerb, a.Start-24):] {
		if v.Start >= a.Start {
			break
		}
		if v.End > a.Start || !p.Unbroken(v.End, a.Start) || p.SkipWords(v.End, lexicon.Determiner) != a.Start {
			continue
		}
		start := max(0, v.Start-40)
		way, ok := p.Words.Within(lexicon.WayNoun, start, v.Start)
		if ok && p.Unbroken(way.End, v.Start) && (p.HasWord(start, v.Start, "now") || p.HasWord(start, way.Start, "new")) {
			return way, true
		}
	}
	return lexicon.Span{}, false
}
