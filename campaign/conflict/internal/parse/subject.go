package parse

import (
	"slices"
	"sort"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// maxModifier is the maximum distance, in characters, between a possessive and its card or hp word:
// your remaining hit points.
const maxModifier = 12

// A Subject is the subject of a claim. No IDs means that it is untracked.
type Subject struct {
	IDs      []string
	Party    bool
	Doubtful bool
}

// Nobody is the subject of claims about untracked creatures.
var Nobody = Subject{}

// Subject returns the subject of the claim that begins at pos.
func (p *Passage) Subject(pos int) Subject { return p.SubjectOf(pos, true) }

// SubjectOf returns the subject of the claim that begins at pos. With suffers, a claim about a part
// of the body is about its owner. Without it, for example for a move, it is not.
func (p *Passage) SubjectOf(pos int, suffers bool) Subject {
	i := p.ClauseAt(pos)
	if i < 0 {
		return Nobody
	}
	c := p.Clauses[i]
	start := p.Sentences[c.Sentence].Start
	if m, ok := p.LastMention(start, pos); ok {
		// 你把药塞进苏晴嘴里，她的脸色慢慢红润，…: the possessor at the beginning of a later clause.
		if owner, ok := p.LastCalled(m.End, c.Start); suffers && ok && p.IsPossessor(owner) && p.opensClause(owner) {
			return Nobody
		}
		// 小满推开你，独自冲上…, 小满推开你，自己掉了…: the opener of the clause is the one who goes or suffers.
		if m.Start < c.Start && (!suffers || strings.Contains(string(p.Chars[c.Start:pos]), "自己")) {
			if opener, ok := p.Opener(p.Clauses[p.ClauseAt(m.Start)].Span); ok && !opener.Owner {
				m = opener
			}
		}
		if !p.governs(m, c, pos, suffers) {
			return Nobody
		}
		return Subject{IDs: joined(p, m, start), Party: m.Party, Doubtful: m.Doubtful}
	}
	return carried(p, c, pos, suffers)
}

func (m Mention) subject() Subject { return Subject{IDs: m.IDs, Party: m.Party, Doubtful: m.Doubtful} }

// joined returns all characters of a subject that ends with m: Su and Eli, 苏晴和林远.
func joined(p *Passage, m Mention, start int) []string {
	ids := m.IDs
	for !m.Party {
		end := m.Start
		switch and := p.WordBefore(start, m.Start); {
		case p.IsOneOf(end-1, "和与跟同、"):
			end--
		case p.Word(and) == "and":
			end = and.Start
		default:
			return ids
		}
		for p.Is(end-1, ' ') {
			end--
		}
		other, ok := p.LastMention(start, end)
		if !ok || other.End != end || other.Owner || len(other.IDs) == 0 {
			return ids
		}
		ids = slices.Concat(other.IDs, ids)
		m = other
	}
	return ids
}

// carried returns the subject of a claim without a mention before it in its sentence.
func carried(p *Passage, c tokenize.Clause, pos int, suffers bool) Subject {
	// 一只黑猫溜进…, 守卫受到…: an untracked subject is before the verb.
	if !p.Opens(c.Start, pos) {
		return Nobody
	}
	s := p.Sentences[c.Sentence]
	// 怨灵被阿雅的冰枪命中，损失…: the owner of the weapon does not take the damage.
	if m, ok := p.LastCalled(s.Start, c.Start); ok && p.isAgent(m) {
		return Nobody
	}
	if m, ok := p.PossessorBefore(c); ok && suffers {
		return m.subject()
	}
	// 药力化开，叶小舟的脸从青转白，从白转红，…: the possessor at the beginning of an earlier clause.
	if m, ok := p.LastCalled(s.Start, c.Start); ok && suffers && p.IsPossessor(m) && p.opensClause(m) && p.PartOfBody(p.SkipSpace(m.End)) {
		return m.subject()
	}
	// An earlier clause of the sentence may have an untracked subject.
	if p.BeginsWithOther(s.Start) {
		return Nobody
	}
	if c.Sentence > 0 {
		before := p.Sentences[c.Sentence-1]
		if m, ok := p.Opener(before.Span); ok {
			return m.subject()
		}
		return Nobody
	}
	if c.First {
		return Subject{IDs: p.actor, Doubtful: true}
	}
	return Nobody
}

// isAgent reports whether m, or a possession of m, is the agent of a passive: 被阿雅的冰枪击中, hit by
// Bram's arrow.
func (p *Passage) isAgent(m Mention) bool {
	return p.Is(m.Start-1, '被') || p.WordBeforeIs(m.Start, "by")
}

// PossessorBefore returns the possessor whose noun ends the clause before c: the bolt grazes your
// neck, …
func (p *Passage) PossessorBefore(c tokenize.Clause) (Mention, bool) {
	if c.First {
		return Mention{}, false
	}
	end := c.Start
	for end > 0 && (tokenize.IsBreak(p.Chars[end-1]) || p.Chars[end-1] == ' ') {
		end--
	}
	i := sort.Search(len(p.possessors), func(i int) bool { return p.possessors[i].End >= end }) - 1
	if i < 0 || p.possessors[i].Start < p.Sentences[c.Sentence].Start {
		return Mention{}, false
	}
	m := p.possessors[i]
	// 老魏的喉咙被割开，…: an event on the part of the body that begins the clause.
	if k := p.ClauseAt(m.Start); p.Unbroken(m.End, end) && p.Opens(p.Clauses[k].Start, m.Start) &&
		p.PartOfBody(p.SkipSpace(m.End)) && !p.Words.Has(m.End, end, lexicon.Creature) {
		return m, true
	}
	limit := 4
	if lexicon.IsLetter(p.Chars[end-1]) {
		limit = 16
	}
	return m, end-m.End <= limit && p.Unbroken(m.End, end)
}

// PartOfBody reports whether a part of the body, or a wound of it, is named at pos.
func (p *Passage) PartOfBody(pos int) bool {
	return p.Words.HasAt(lexicon.Body, pos) || p.Words.HasAt(lexicon.Vitals, pos)
}

// Opener returns the mention at the beginning of a sentence or clause.
func (p *Passage) Opener(s lexicon.Span) (Mention, bool) {
	m, ok := p.firstMention(s)
	return m, ok && len(m.IDs) > 0 && p.Opens(s.Start, m.Start)
}

// governs reports whether m is the subject of the claim at pos in clause c.
func (p *Passage) governs(m Mention, c tokenize.Clause, pos int, suffers bool) bool {
	// 你看着守卫走进…: the one who sees or orders is not the one who acts.
	if len(m.IDs) == 0 || p.Words.Has(m.End, pos, lexicon.Perception) {
		return false
	}
	if m.Start < c.Start {
		// 弓手中了你一剑，血量见底: the subject at the beginning of the sentence continues.
		if s := p.Sentences[c.Sentence].Start; p.BeginsWithOther(s) && !p.opensClause(m) || suffers && p.isOvertaken(m, c) {
			return false
		}
		return !nounBefore(p, m.End, pos) && (continues(p, c.Start, pos) || suffers && p.GoesOn(c.Start, pos))
	}
	// 你的生命值…: the hp word itself begins the claim.
	if m.Owner && pos-m.End <= maxModifier {
		return true
	}
	return !nounBefore(p, m.End, pos) && !anotherActs(p, m, pos) && !p.IsTakenObject(m, c.Start)
}

// isOvertaken reports whether a clause between m and c begins with an untracked subject: 秦烈反手一镖，那马匪捂着大腿栽下鞍来，….
func (p *Passage) isOvertaken(m Mention, c tokenize.Clause) bool {
	for i := p.ClauseAt(m.Start) + 1; i < len(p.Clauses) && p.Clauses[i].Start < c.Start; i++ {
		if p.BeginsWithOther(p.Clauses[i].Start) {
			return true
		}
	}
	return false
}

// nounBefore reports whether the text between ends in 的 and one to four characters, so a different
// noun is the subject: 你身边的守卫….
func nounBefore(p *Passage, from, to int) bool {
	for i := max(from, to-5); i < to-1; i++ {
		if p.Chars[i] == '的' && p.Unbroken(i, to) && lexicon.IsHan(p.Chars[i+1]) {
			// 扛着欧文的遗体: the noun is a carried thing.
			return !slices.Contains(p.Chars[max(from, i-6):i], '着')
		}
	}
	return false
}

// continues reports whether a clause without a mention continues the subject of an earlier one.
// It must begin with the claim, adverbs or a verb phrase, and not with a different noun.
func continues(p *Passage, start, pos int) bool {
	if pos-start > tokenize.MaxLead {
		return false
	}
	lead := p.SkipFillers(start, pos)
	if lead >= pos {
		return true
	}
	// 哥布林…: a creature.
	if p.BeginsWithOther(lead) {
		return false
	}
	if lexicon.IsWord(p.Chars[lead]) {
		return englishVerbPhrase(p, lead, pos)
	}
	// 顺着…, 用…: a phrase that needs a subject before it.
	if _, ok := p.Words.At(lexicon.Coverb, lead); ok {
		return true
	}
	// 举着火把…, 推开门…: one or two characters and the mark of a verb. A longer beginning is more likely
	// an unknown noun (巨型蜘蛛咆哮着…).
	return slices.ContainsFunc(p.Chars[lead+1:max(lead+1, min(lead+3, pos))], func(c rune) bool { return strings.ContainsRune("着了过住开起下上进出到完", c) })
}

// GoesOn reports whether a Chinese clause that begins with unknown words still describes what
// happens to the subject of its sentence. No word in it may be the name of a different person. Do
// not use it for moves: things have no hit points, but they can go somewhere without their owner.
func (p *Passage) GoesOn(start, pos int) bool {
	if pos-start > tokenize.MaxLead || !lexicon.IsHan(p.Chars[start]) {
		return false
	}
	for i := start; i < pos; i++ {
		if p.IsOneOf(i, agents) || p.Words.HasAt(lexicon.Creature, i) || p.Words.HasAt(lexicon.OtherSubject, i) {
			return false
		}
	}
	return true
}

// agents are the characters at the end or beginning of most words for people, beasts and spirits.
const agents = "妖鬼怪兽人者客兵贼匪师虫蛛蝠蜂蚁狼狐狸豺狮虎豹熊蛇鼠龙鸟鹰犬狗马牛魔尸僧道士女男童孩翁婆汉徒员官众军卫侠敌友伴王它他她们谁灵儡偶蝎猿猴藤盾甲阵"

// opensClause reports whether only adverbs are before m in its clause.
func (p *Passage) opensClause(m Mention) bool {
	i := p.ClauseAt(m.Start)
	return i >= 0 && p.Opens(p.Clauses[i].Start, m.Start)
}

// IsDisposed reports whether 把 or 将 shortly before pos introduces an object, so that a claim at pos is
// about it: 把钥匙留在….
func (p *Passage) IsDisposed(pos int) bool {
	for at := pos - 1; at >= max(0, pos-12) && !tokenize.IsBreak(p.Chars[at]); at-- {
		if p.Is(at, '将') || p.Is(at, '把') && !p.IsOneOf(at-1, "火拖一两几这那") {
			return true
		}
	}
	return false
}

// SubjectOfLife returns who died or fell: the mention in the clause of pos, or the opener of the clause
// before it.
func (p *Passage) SubjectOfLife(pos int) Subject {
	i := p.ClauseAt(pos)
	if i < 0 {
		return Nobody
	}
	c := p.Clauses[i]
	m, ok := p.LastMention(c.Start, pos)
	switch {
	case ok && (m.Owner || !p.governs(m, c, pos, false)):
		return Nobody
	case !ok && (c.First || !p.Opens(c.Start, pos)):
		return Nobody
	case !ok:
		if m, ok = p.Opener(p.Clauses[i-1].Span); !ok {
			if m, ok = p.PossessorBefore(c); !ok || !p.PartOfBody(p.SkipSpace(m.End)) {
				return Nobody
			}
		}
	}
	if _, other := p.victimAfter(m, pos); other {
		return Nobody
	}
	return Subject{IDs: joined(p, m, p.Sentences[c.Sentence].Start), Party: m.Party}
}

// victimAfter returns a creature between a mention and pos. 林远一剑刺去守卫当场毙命: the creature is more
// likely the victim, except after 被.
func (p *Passage) victimAfter(m Mention, pos int) (lexicon.Span, bool) {
	w, found := p.Words.Within(lexicon.Creature, m.End, pos)
	return w, found && !slices.Contains(p.Chars[max(m.End, w.Start-5):w.Start], '被')
}

// IsAnothers reports whether the text at pos is about an untracked person or thing. A creature or a noun
// begins its clause, begins the clause that it continues, or is directly before pos.
func (p *Passage) IsAnothers(pos int) bool {
	i := p.ClauseAt(pos)
	if i < 0 {
		return false
	}
	c := p.Clauses[i]
	m, ok := p.LastCalled(c.Start, pos)
	if !ok {
		if !p.Opens(c.Start, pos) {
			// In the dark the last stair is gone.
			return p.BeginsWithOther(c.Start) && !p.WordIs(c.Start, "that") || lexicon.IsLetter(p.Chars[c.Start]) && nounPhraseBefore(p, c.Start, pos)
		}
		if c.First {
			return false
		}
		before := p.Clauses[i-1].Span
		_, named := p.LastCalled(before.Start, c.End)
		return !named && p.BeginsWithOther(before.Start)
	}
	if w, other := p.victimAfter(m, pos); other && !p.WordBeforeIs(p.WordBefore(m.End, w.Start).Start, "by") {
		return true
	}
	if p.IsPossessor(m) && !p.PartOfBody(p.SkipSpace(m.End)) && p.SkipFillers(m.End, pos) < pos {
		return true
	}
	return lexicon.IsLetter(p.Chars[m.Start]) && nounPhraseBefore(p, m.End, pos)
}
