package conflict

import (
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// stays returns the asserted claims of a text about who is where or arrives where, in order.
func stays(p *parse.Passage) []claimsStay {
	return parse.Told(p, placeClaims(p), func(c claimsStay) lexicon.Span { return c.Span })
}

// Who returns the characters of the claim. For the place of a thing it returns no one.
func (claim claimsStay) Who(p *parse.Passage) parse.Subject {
	switch {
	case claim.target != nil:
		return parse.Subject{IDs: claim.target.IDs, Party: claim.target.Party}
	case thingThere(p, claim):
		return parse.Nobody
	}
	return p.SubjectOf(claim.Start, false)
}

// placeClaims returns the claims about known areas in the order of the text.
func placeClaims(p *parse.Passage) []claimsStay {
	var out []claimsStay
	readers := []func(p *parse.Passage, i int) (claimsStay, bool){
		chineseBrought, chinesePlace, chineseAlight, plainlyIn, englishBrought, englishPlace,
		beingThere, setting, receives, whenThere, placePanel, byItsDoor,
		chineseMotion, doingThere, whereupon, interrupted,
	}
	for i, here := range p.Places {
		if p.Words.HasAt(lexicon.NotTheArea, p.SkipSpace(here.End)) || p.Words.HasAt(lexicon.NotTheArea, here.End) {
			if claim, ok := byItsDoor(p, i); ok {
				out = append(out, claim)
			}
			continue
		}
		for _, read := range readers {
			if claim, ok := read(p, i); ok {
				// down the steps into the Cellar: a noun that looks like a verb has no subject.
				if doing, is := doingThere(p, i); is && len(claim.Who(p).IDs) == 0 {
					claim = doing
				}
				out = append(out, claim)
				break
			}
		}
	}
	return out
}

// byItsDoor reads 推开义庄的门，走了进去 and "pushes the door of the Hall open and steps inside": the door of
// an area and, in the same sentence, a verb of entering.
func byItsDoor(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	k := p.SentenceAt(here.Start)
	if k < 0 {
		return claimsStay{}, false
	}
	s := p.Sentences[k]
	door := false
	for i := here.Start - 1; i >= max(s.Start, here.Start-16); i-- {
		door = door || p.WordIs(i, "door") || p.WordIs(i, "doors") || p.WordIs(i, "gate") || p.WordIs(i, "gates")
	}
	for i := here.End; i < min(s.End, here.End+8); i++ {
		door = door || p.IsOneOf(i, "门前外口盖板帘窗") || p.WordIs(i, "door") || p.WordIs(i, "doors") || p.WordIs(i, "gate") || p.WordIs(i, "gates")
	}
	door = door || p.Is(here.Start-1, '是') && p.EndsClause(here.End) // 楼梯尽头是地窖，你走了进去
	door = door || p.Is(here.End, '到') && p.Is(here.End+1, '了')      // 大厅到了，你大步走了进去
	w, ok := p.Words.Within(lexicon.EntersIt, here.End, s.End)
	return claimsStay{Span: w, Areas: here.IDs, Arrival: true}, ok && door && (!lexicon.IsHan(p.Chars[w.Start]) || p.EndsClause(w.End))
}

// chineseBrought reads 被押进义庄 and 把你拖进义庄: others move the character.
func chineseBrought(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	for _, w := range p.Words.All(lexicon.Brought)[p.Words.From(lexicon.Brought, here.Start-maxPlaceGap):] {
		if w.Start >= here.Start {
			break
		}
		if w.End > here.Start || !p.Clean(w.End, here.Start) || placed(p, w.End, here.Start) {
			continue
		}
		for q := w.Start - 1; q >= max(0, w.Start-14) && !tokenize.IsStop(p.Chars[q]); q-- {
			switch {
			case p.Is(q, '被'):
				return claimsStay{Span: lexicon.Between(w.Start, here.End), Areas: here.IDs, Arrival: true}, true
			case disposes(p, q):
				m, ok := p.CalledAt(q + 1)
				return claimsStay{Span: lexicon.Between(w.Start, here.End), Areas: here.IDs, Arrival: true, target: &m}, ok && !p.IsPossessor(m)
			}
		}
		// 推着你进…, 带你到…: the companion is named inside the verb.
	}
	return claimsStay{}, false
}

// chineseAlight reads 在渡口下了船: an arrival.
func chineseAlight(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	if !p.IsOneOf(here.Start-1, "在于") {
		return claimsStay{}, false
	}
	w, ok := p.Words.Within(lexicon.Alight, here.End, min(here.End+8, len(p.Chars)))
	if !ok || !p.Clean(here.End, w.Start) || p.IsOneOf(here.End, "的") {
		return claimsStay{}, false
	}
	return claimsStay{Span: lexicon.Between(here.Start-1, w.End), Areas: here.IDs, Arrival: true}, true
}

// plainlyIn reads a mention, adverbs, 在 and the area: 小满在渡口朝你挥手.
func plainlyIn(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	if !p.Is(here.Start-1, '在') {
		return claimsStay{}, false
	}
	m, ok := p.LastMention(max(0, here.Start-12), here.Start-1)
	if !ok || m.Owner || !p.Opens(m.End, here.Start-1) || p.IsOneOf(here.End, "的") {
		return claimsStay{}, false
	}
	// The mention must open its clause: in 你看见小满在… it is an object.
	if c := p.ClauseAt(m.Start); c < 0 || !p.Opens(p.Clauses[c].Start, m.Start) {
		return claimsStay{}, false
	}
	return claimsStay{Span: lexicon.Between(here.Start-1, here.End), Areas: here.IDs}, true
}

// placePanel reads 位置：义庄 and "Location: Old Church".
func placePanel(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	end := here.Start
	if the := p.WordBefore(0, end); p.Word(the) == "the" {
		end = the.Start
	}
	for p.IsOneOf(end-1, " 【[") {
		end--
	}
	if !p.Is(end-1, ':') {
		return claimsStay{}, false
	}
	label, ok := placeLabel(p, end-1)
	if !ok {
		return claimsStay{}, false
	}
	who, ok := p.PanelSubject(label.Start)
	if !ok || len(who.IDs) == 0 {
		return claimsStay{}, false
	}
	m := parse.Mention{Span: label, IDs: who.IDs, Party: who.Party}
	return claimsStay{Span: lexicon.Between(label.Start, here.End), Areas: here.IDs, target: &m}, true
}

// placeLabel returns the panel's word for a place that ends at a colon.
func placeLabel(p *parse.Passage, colon int) (lexicon.Span, bool) {
	for _, word := range []string{"位置", "地点", "所在", "坐标", "所在地", "区域", "所处", "方位", "场景"} {
		start := colon - utf8.RuneCountInString(word)
		if start >= 0 && string(p.Chars[start:colon]) == word {
			return lexicon.Between(start, colon), ofNow(p, start)
		}
	}
	w := p.WordBefore(0, colon)
	switch p.Word(w) {
	case "location", "position", "area", "place", "whereabouts", "coordinates", "zone":
		return w, ofNow(p, w.Start)
	}
	return w, false
}

// ofNow reports whether the label at pos is about the present place, unlike 目标位置 or last known
// location.
func ofNow(p *parse.Passage, pos int) bool {
	for p.Is(pos-1, ' ') {
		pos--
	}
	if pos == 0 || !lexicon.IsHan(p.Chars[pos-1]) && !lexicon.IsLetter(p.Chars[pos-1]) || p.IsOneOf(pos-1, "在处现") {
		return true
	}
	if m, ok := p.LastCalled(max(0, pos-maxLabelled), pos); ok && m.End == pos {
		return true
	}
	_, label := p.Words.EndsAt(lexicon.PanelLabel, pos)
	return label || p.WordBeforeIs(pos, "present")
}

// maxLabelled is the maximum length, in characters, of the name before a label.
const maxLabelled = 40

// maxTowards is the maximum number of words between a verb and the area to which a character is
// brought.
const maxTowards = 6

// prepositionBefore returns the preposition of place before the i-th area. It skips the article and
// at most three words that describe the area.
func prepositionBefore(p *parse.Passage, i int) (lexicon.Span, bool) {
	pos := p.Places[i].Start
	for range 5 {
		w := tokenize.CompoundBefore(p.Text, 0, pos)
		if w.Start == w.End || i > 0 && w.Start < p.Places[i-1].End {
			return lexicon.Span{}, false
		}
		if tokenize.IsCompound(p.Text, w) {
			pos = w.Start
			continue
		}
		if p.Words.HasAt(lexicon.InPlace, w.Start) && lexicon.IsLetter(p.Chars[w.Start]) {
			return w, true
		}
		switch p.Word(w) {
		case "of", "for", "from", "and", "or", "near", "toward", "towards", "outside", "by", "past",
			"around", "about", "with", "behind", "beside", "beyond", "over", "under", "below", "above":
			return lexicon.Span{}, false
		}
		pos = w.Start
	}
	return lexicon.Span{}, false
}

// englishBrought reads "brings you to the Shrine", "drops Eli at the Depot", "takes the two of you
// into the Hall".
func englishBrought(p *parse.Passage, i int) (claimsStay, bool) {
	prep, ok := prepositionBefore(p, i)
	if !ok {
		return claimsStay{}, false
	}
	pos := prep.Start
	for range maxTowards {
		w := p.WordBefore(0, pos)
		if w.Start == w.End || p.Words.HasAt(lexicon.OtherSubject, w.Start) && !p.Words.HasAt(lexicon.Brought, w.Start) {
			return claimsStay{}, false
		}
		if v, ok := p.Words.At(lexicon.Brought, w.Start); ok {
			m, ok := p.NamedAt(p.SkipSpace(v.End))
			if !ok || m.End > prep.Start || len(m.IDs) == 0 || isSelf(p, m) || p.Is(w.Start, 'l') && isLetting(p, w, m) {
				return claimsStay{}, false
			}
			return claimsStay{Span: lexicon.Between(w.Start, p.Places[i].End), Areas: p.Places[i].IDs, Arrival: true, target: &m}, true
		}
		pos = w.Start
	}
	return claimsStay{}, false
}

// isLetting reports whether a verb only allows m to go: lets you into. In "the cab lets you out at"
// it does more.
func isLetting(p *parse.Passage, w lexicon.Span, m parse.Mention) bool {
	if word := p.Word(w); word != "let" && word != "lets" && word != "letting" {
		return false
	}
	switch p.Word(p.WordAt(p.SkipSpace(m.End))) {
	case "out", "off", "down":
		return false
	}
	return true
}

// beingThere reads a posture or an occupation and the area: is camped inside, lies on his back in,
// are still nursing the same rye in.
func beingThere(p *parse.Passage, i int) (claimsStay, bool) {
	prep, ok := prepositionBefore(p, i)
	if !ok {
		return claimsStay{}, false
	}
	switch p.Word(prep) {
	case "in", "inside", "at", "within":
	default:
		return claimsStay{}, false
	}
	pos, occupied := prep.Start, false
	for range maxTowards + 2 {
		w := tokenize.CompoundBefore(p.Text, 0, pos)
		if w.Start == w.End || !p.Unbroken(w.End, prep.Start) {
			return claimsStay{}, false
		}
		if tokenize.IsCompound(p.Text, w) {
			pos = w.Start
			continue
		}
		word := p.Word(w)
		if p.Is(w.Start-1, '\'') {
			w.Start--
		}
		switch {
		case p.Words.HasAt(lexicon.Staring, w.Start), p.Words.HasAt(lexicon.Brought, w.Start):
			return claimsStay{}, false
		case isBeing(word) && !occupied:
			return claimsStay{}, false
		case p.Words.HasAt(lexicon.Presence, w.Start):
			return claimsStay{Span: lexicon.Between(w.Start, p.Places[i].End), Areas: p.Places[i].IDs}, true
		}
		switch word {
		case "that", "who", "which", "and", "but":
			return claimsStay{}, false
		}
		occupied = occupied || isOccupation(word)
		pos = w.Start
	}
	return claimsStay{}, false
}

// isOccupation reports whether a word has the form of an occupation or of a state: it ends in -ing
// or -ed.
func isOccupation(word string) bool {
	return len(word) > 4 && (strings.HasSuffix(word, "ing") || strings.HasSuffix(word, "ed"))
}

// isSelf reports whether a mention is the subject again: yourself, himself.
func isSelf(p *parse.Passage, m parse.Mention) bool {
	word := p.Word(m.Span)
	return len(word) > 4 && word[len(word)-4:] == "self"
}

func isBeing(word string) bool {
	switch word {
	case "is", "are", "was", "were", "re", "s", "been", "be":
		return true
	}
	return false
}

// setting reads an area that sets the scene for a character: 地窖里，苏晴缩在角落; In the Cellar, Su lights a
// lamp.
func setting(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	k := p.ClauseAt(here.Start)
	if k < 0 || k+1 == len(p.Clauses) || !p.Clauses[k].First || p.Clauses[k+1].First {
		return claimsStay{}, false
	}
	c, next := p.Clauses[k], p.Clauses[k+1]
	if here.End > c.End || !p.Is(c.End, ',') && !p.Is(c.End, '，') {
		return claimsStay{}, false
	}
	if lexicon.IsHan(p.Chars[here.Start]) {
		if here.Start != c.Start {
			return claimsStay{}, false
		}
		if c.End-here.End > 3 {
			return scenery(p, here, next.Span)
		}
		switch string(p.Chars[here.End:c.End]) {
		case "里", "中", "内", "中央", "深处", "之中", "之内", "里头", "里面", "角落里", "一角":
		default:
			return claimsStay{}, false
		}
	} else {
		prep := p.WordAt(c.Start)
		switch p.Word(prep) {
		case "in", "inside", "at":
		default:
			return claimsStay{}, false
		}
		if p.SkipWords(prep.End, lexicon.Determiner) != here.Start || here.End != c.End {
			return claimsStay{}, false
		}
	}
	m, ok := p.Opener(next.Span)
	return claimsStay{Span: lexicon.Between(here.Start, here.End), Areas: here.IDs, Arrival: false, target: &m}, ok && !m.Owner
}

// scenery reads a description of an area and a character who sits or stands there: 义庄内阴风阵阵，你蹲在棺材后面.
func scenery(p *parse.Passage, here parse.Place, next lexicon.Span) (claimsStay, bool) {
	m, ok := p.Opener(next)
	if !ok || m.Owner || !p.IsOneOf(here.End, "内里中") || p.IsOneOf(here.End+1, "的传") {
		return claimsStay{}, false
	}
	_, there := p.Words.At(lexicon.Presence, p.SkipFillers(m.End, next.End))
	return claimsStay{Span: lexicon.Between(here.Start, here.End), Areas: here.IDs, target: &m}, there
}

// receives reads a place as the subject and an arriving character as the object: the Mirewood
// closes around you.
func receives(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	pos := p.SkipSpace(here.End)
	w, ok := p.Words.At(lexicon.Greets, pos)
	if !ok {
		return claimsStay{}, false
	}
	m, ok := p.NamedAt(p.SkipSpace(w.End))
	if !ok || len(m.IDs) == 0 || !placeActs(p, here) {
		return claimsStay{}, false
	}
	return claimsStay{Span: lexicon.Between(here.Start, m.End), Areas: here.IDs, Arrival: true, target: &m}, true
}

// whenThere reads an area that opens its sentence and a character who arrived: Pier Nine smelled of
// fish when you got there.
func whenThere(p *parse.Passage, i int) (claimsStay, bool) {
	here := p.Places[i]
	k := p.SentenceAt(here.Start)
	if k < 0 || p.SkipWords(p.Sentences[k].Start, lexicon.Determiner) != here.Start {
		return claimsStay{}, false
	}
	w, ok := p.Words.Within(lexicon.GotThere, here.End, p.Sentences[k].End)
	if !ok {
		return claimsStay{}, false
	}
	m, ok := p.LastMention(here.End, w.Start)
	if !ok || !p.Opens(m.End, w.Start) || len(m.IDs) == 0 {
		return claimsStay{}, false
	}
	switch before := p.WordBefore(0, m.Start); p.Word(before) {
	case "when", "as", "time", "moment", "once":
		return claimsStay{Span: lexicon.Between(here.Start, w.End), Areas: here.IDs, Arrival: true, target: &m}, true
	}
	return claimsStay{}, false
}
