package conflict

import (
	"slices"
	"sort"
)

// maxModifier is how many characters may stand between a possessive and the card
// or hp word that it owns: your remaining hit points.
const maxModifier = 12

// maxLead is how many characters may stand between the opening of a clause and
// the claim that opens it.
const maxLead = 24

// A subject is whom a claim is about. No ids: nobody tracked.
type subject struct {
	ids      []string
	party    bool
	doubtful bool
}

// nobody is the subject of claims about untracked creatures.
var nobody = subject{}

// subject returns whom the claim that begins at pos is about.
func (r *Reading) subject(pos int) subject { return r.subjectOf(pos, true) }

// subjectOf returns whom the claim that begins at pos is about. What happens to a part of
// somebody's body happens to the owner (suffers); where it goes, the owner need not go.
func (r *Reading) subjectOf(pos int, suffers bool) subject {
	i := r.clauseAt(pos)
	if i < 0 {
		return nobody
	}
	c := r.clauses[i]
	start := r.sentences[c.sentence].start
	if m, ok := r.lastMention(start, pos); ok {
		// 你对苏晴说…: whom one turns to is not the subject if there is another.
		if r.isOneOf(m.start-1, "对向朝从") {
			if earlier, ok := r.lastMention(start, m.start); ok {
				m = earlier
			} else if r.beginsWithOther(start) {
				return nobody
			}
		}
		if r.governs(m, c, pos) {
			return subject{ids: m.ids, party: m.party}
		}
		return nobody
	}
	return r.carried(c, pos, suffers)
}

// carried returns the subject of a claim without a mention before it in its
// sentence.
func (r *Reading) carried(c clause, pos int, suffers bool) subject {
	// 一只黑猫溜进…, 守卫受到…: something stands before the verb that is not ours.
	if !r.opens(c.start, pos) {
		return nobody
	}
	s := r.sentences[c.sentence]
	if m, ok := r.possessorBefore(c); ok && suffers {
		return subject{ids: m.ids, party: m.party}
	}
	// An earlier clause of the sentence may have a subject that nobody tracks.
	if r.beginsWithOther(s.start) {
		return nobody
	}
	if c.sentence > 0 {
		if m, ok := r.opener(r.sentences[c.sentence-1].span); ok {
			return subject{ids: m.ids, party: m.party}
		}
		return nobody
	}
	if c.first {
		return subject{ids: r.actor, doubtful: true}
	}
	return nobody
}

// possessorBefore returns the possessor whose noun ends the clause before c: the
// bolt grazes your neck, …
func (r *Reading) possessorBefore(c clause) (mention, bool) {
	if c.first {
		return mention{}, false
	}
	end := c.start
	for end > 0 && (isBreak(r.text[end-1]) || r.text[end-1] == ' ') {
		end--
	}
	i := sort.Search(len(r.possessors), func(i int) bool { return r.possessors[i].end >= end }) - 1
	if i < 0 {
		return mention{}, false
	}
	m := r.possessors[i]
	limit := 4
	if isLetter(r.text[end-1]) {
		limit = 16
	}
	return m, end-m.end <= limit && r.unbroken(m.end, end)
}

// opener returns the mention that a sentence or clause begins with.
func (r *Reading) opener(s span) (mention, bool) {
	m, ok := r.firstMention(s)
	if !ok || !r.opens(s.start, m.start) {
		return mention{}, false
	}
	return m, len(m.ids) > 0
}

// governs reports whether m is the subject of the claim at pos in clause c.
func (r *Reading) governs(m mention, c clause, pos int) bool {
	// 你看着守卫走进…: who sees or orders is not who acts.
	if len(m.ids) == 0 || r.words.has(m.end, pos, perception) {
		return false
	}
	if m.start < c.start {
		// 弓手中了你一剑，血量见底: who began the sentence goes on.
		if s := r.sentences[c.sentence].start; r.beginsWithOther(s) && !r.opensClause(m) {
			return false
		}
		return !r.nounBefore(m.end, pos) && r.continues(m, c.start, pos)
	}
	// 你的生命值…: the hp word itself begins the claim.
	if m.owner && pos-m.end <= maxModifier {
		return true
	}
	return !r.nounBefore(m.end, pos) && !r.anotherActs(m, pos) && !r.isTakenObject(m, c.start)
}

// nounBefore reports whether the text between ends in 的 and one to four
// characters, so that another noun is the subject: 你身边的守卫….
func (r *Reading) nounBefore(from, to int) bool {
	for p := max(from, to-5); p < to-1; p++ {
		if r.text[p] == '的' && r.unbroken(p, to) && isHan(r.text[p+1]) {
			return true
		}
	}
	return false
}

// continues reports whether a clause without a mention goes on with the subject
// m of an earlier one: it opens with the claim, or with adverbs or a verb
// phrase, and not with another noun.
func (r *Reading) continues(m mention, start, pos int) bool {
	if pos-start > maxLead {
		return false
	}
	lead := r.skipFillers(start, pos)
	// Su, who has just lost …
	if w := r.wordAt(lead); r.word(w) == "who" && r.skipFillers(m.end, lead) >= lead {
		return r.skipFillers(w.end, pos) >= pos
	}
	// 林远…，自己也…: whom the earlier clause began with.
	if r.is(lead, '自') && r.is(lead+1, '己') && r.opensClause(m) {
		lead = r.skipFillers(lead+2, pos)
	}
	if lead >= pos {
		return true
	}
	// 哥布林…, 狼人刺中你，狼人…: a creature, or a noun named before.
	if r.beginsWithOther(lead) || r.repeats(m.end, start, lead) {
		return false
	}
	if isWord(r.text[lead]) {
		return r.englishVerbPhrase(lead, pos)
	}
	// 顺着…, 用…: a phrase that needs a subject before it.
	if _, ok := r.words.at(coverb, lead); ok {
		return true
	}
	// 举着火把…, 推开门…: one or two characters and the mark of a verb. A longer
	// beginning is more likely a noun that no list knows (巨型蜘蛛咆哮着…).
	for p := lead + 1; p < min(lead+3, pos); p++ {
		if r.isOneOf(p, "着了过住开起下上进出到完") {
			return true
		}
	}
	return false
}

// opensClause reports whether only adverbs stand before m in its clause.
func (r *Reading) opensClause(m mention) bool {
	i := r.clauseAt(m.start)
	return i >= 0 && r.opens(r.clauses[i].start, m.start)
}

// repeats reports whether the two characters at lead stand between from and to:
// a noun taken up again.
func (r *Reading) repeats(from, to, lead int) bool {
	if lead+2 > len(r.text) || !isHan(r.text[lead]) {
		return false
	}
	// 60 characters back keep the search short whatever the sentence.
	again := r.text[lead : lead+2]
	for p := max(from, to-60); p+2 <= to; p++ {
		if slices.Equal(r.text[p:p+2], again) {
			return true
		}
	}
	return false
}

// beginsWithOther reports whether the text at pos begins with the name of
// somebody untracked.
func (r *Reading) beginsWithOther(pos int) bool {
	pos = r.skipFillers(pos, min(pos+maxLead, len(r.text)))
	for _, t := range []tag{otherSubject, creature, determiner, pronoun} {
		if _, ok := r.words.at(t, pos); ok {
			return true
		}
	}
	return false
}

// opens reports whether only adverbs stand between start and pos.
func (r *Reading) opens(start, pos int) bool {
	return pos-start <= maxLead && r.skipFillers(start, pos) >= pos
}

// skipFillers moves past adverbs, …地 phrases, English words in -ly, masks and
// spaces, up to limit.
func (r *Reading) skipFillers(pos, limit int) int {
	for pos < limit {
		next := pos
		w, ok := r.words.at(filler, pos)
		switch {
		case ok:
			next = w.end
			if r.adverbial(next) {
				next++
			}
		case r.text[pos] == maskRune || r.isOneOf(pos, " 、，,:—"):
			next = pos + 1
		default:
			next = r.adverb(pos, limit)
		}
		if next == pos {
			break
		}
		pos = next
	}
	return min(pos, limit)
}

// adverbial reports whether 地 at pos makes an adverb of what stands before it and
// does not begin a word for a place.
func (r *Reading) adverbial(pos int) bool {
	return r.is(pos, '地') && !r.isOneOf(pos+1, "上下面窖方板牢图道")
}

// adverb returns the end of an adverb at pos: …地 within six characters, or a
// word in -ly; pos itself if there is none.
func (r *Reading) adverb(pos, limit int) int {
	if w := r.wordAt(pos); w.end > w.start {
		if w.end-w.start > 3 && r.text[w.end-1] == 'y' && r.text[w.end-2] == 'l' {
			return w.end
		}
		return pos
	}
	if end := r.timePhrase(pos, limit); end > pos {
		return end
	}
	// 小心翼翼地 is an adverb, 地窖 and 地上 are none.
	for p := pos + 1; p < min(pos+7, limit); p++ {
		if r.adverbial(p) {
			return p + 1
		}
		if !isHan(r.text[p]) {
			break
		}
	}
	return pos
}

// maxTime is how many characters a phrase of time may have.
const maxTime = 9

// timePhrase returns the end of a Chinese phrase of time at pos, such as 一炷香后, 天黑前,
// 半个时辰之后; pos itself if there is none.
func (r *Reading) timePhrase(pos, limit int) int {
	if pos >= len(r.text) || !isNumeral(r.text[pos]) && !isDigit(r.text[pos]) &&
		!r.isOneOf(pos, "半几数片不天日夜入傍黄清凌午次当翌第没转这此那眨良许少俄") {
		return pos
	}
	for p := pos + 1; p < min(pos+maxTime, limit); p++ {
		switch r.text[p] {
		case '后', '前':
			if !r.words.has(pos, p, creature) {
				return p + 1
			}
			return pos
		case '久', '晨', '晚', '暮', '昏', '夜', '早':
			if p == pos+1 {
				return p + 1
			}
		case '，', '的', '被':
			return pos
		}
	}
	return pos
}
