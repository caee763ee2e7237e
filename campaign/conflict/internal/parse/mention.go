package parse

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// A Mention is a name, an alias or a pronoun of the second person in a text.
type Mention struct {
	lexicon.Span
	// IDs are the characters that are meant. It is empty for an untracked character, and for a name
	// that several characters share.
	IDs   []string
	Party bool // 你们, the party: its place is that of the acting character
	// Owner means a possessive followed by a card or hit points.
	Owner bool
	you   bool // the English word you, or I or we
	// Doubtful means the first person, who may be the acting character, or a pronoun that may mean another.
	Doubtful bool
	// Pronoun means 他, she and similar words. IDs has the result if a character fits.
	Pronoun bool
}

// pronouns are the classes of the pronouns. OtherPronoun has those that mean no character.
var pronouns = []lexicon.Class{lexicon.You, lexicon.YouAll, lexicon.Me, lexicon.Us, lexicon.He, lexicon.She, lexicon.OtherPronoun}

// pronoun returns the mention of a pronoun or of words for the party.
func (p *Passage) pronoun(w lexicon.Span, class lexicon.Class) Mention {
	m := Mention{Span: w, IDs: p.actor, you: lexicon.IsLetter(p.Chars[w.Start])}
	switch class {
	case lexicon.PartyWord:
		m = Mention{Span: w, Party: true}
		if !strangeParty(p, w) {
			m.IDs = p.Cast.Party
		}
	case lexicon.YouAll:
		m.IDs, m.Party = p.Cast.Party, true
	case lexicon.Me: // the narrator may be the acting character
		m.Doubtful = true
	case lexicon.Us:
		m.IDs, m.Party, m.Doubtful = p.Cast.Party, true, true
	case lexicon.He, lexicon.She:
		m = Mention{Span: w, Pronoun: true}
		m.IDs, m.Doubtful = p.antecedent(w.Start, genders[class])
	}
	return m
}

// strangeParty reports whether the words for a party mean a different group: 敌人的队伍, 一支队伍, the party
// of goblins.
func strangeParty(p *Passage, w lexicon.Span) bool {
	if p.Word(p.WordAt(p.SkipSpace(w.End))) == "of" {
		return true
	}
	if w.Start == 0 {
		return false
	}
	// 一支队伍, 敌方小队: counted, or with the name of a side before it.
	switch p.Chars[w.Start-1] {
	case '支', '队', '方', '军', '个', '商':
		return true
	case '的':
		before := p.Chars[max(0, w.Start-3) : w.Start-1]
		return !slices.Contains(before, '你') && !slices.Contains(before, '您')
	}
	return false
}

// possessive returns the end of a possessive, including its particle.
func possessive(p *Passage, m Mention) (end int, ok bool) {
	if m.you {
		return m.End, p.Word(m.Span) == "your" || p.Word(m.Span) == "my" || p.Word(m.Span) == "our"
	}
	if m.Pronoun && lexicon.IsLetter(p.Chars[m.Start]) {
		switch p.Word(m.Span) {
		case "his":
			return m.End, true
		case "her": // gave her 3 hp, but her hand
			next := p.WordAt(p.SkipSpace(m.End))
			return m.End, next.Start < next.End && lexicon.IsLetter(p.Chars[next.Start]) &&
				!p.Words.HasAt(lexicon.Preposition, next.Start) && !p.Words.HasAt(lexicon.Filler, next.Start) &&
				!p.Words.HasAt(lexicon.Connective, next.Start)
		}
		return m.End, false
	}
	if n := unmarkedOwner(p, m.End); n > 0 {
		return m.End, true
	}
	if p.Is(m.End, '的') {
		return m.End + 1, !p.Is(m.End+1, '确') // 你的确 is "you indeed"
	}
	if !p.Is(m.End, '\'') || !p.Is(m.End+1, 's') {
		return m.End, false
	}
	return m.End + 2, true
}

// unmarkedOwner returns the number of characters after a mention that make it a possessor without a
// particle: 你身后, 你这一剑; 0 if there are none.
func unmarkedOwner(p *Passage, pos int) int {
	switch {
	case p.Is(pos, '眼') && p.Is(pos+1, '下'): // now
		return 0
	case p.IsOneOf(pos, "怀肩脚手眼耳剑刀枪掌头膝胸腰臂腿嘴鼻唇床") && p.IsOneOf(pos+1, "里中上下边前后头旁间底畔") && !p.Is(pos+2, '一'):
		return 2
	case p.Is(pos, '身') && p.IsOneOf(pos+1, "后边旁前侧"), p.Is(pos, '背') && p.Is(pos+1, '后'),
		p.IsOneOf(pos, "面跟") && p.Is(pos+1, '前'):
		return 2
	case p.IsOneOf(pos, "这那") && p.Is(pos+1, '一') && p.IsOneOf(pos+2, "记剑刀枪拳掌脚招箭击棍鞭腿"):
		return 3
	}
	return 0
}

// ownsNext reports whether a card or hp word follows a possessive, with at most a few characters or
// two English words between them.
func ownsNext(p *Passage, end int) bool {
	limit := end + 4 // 你的当前生命值
	pos := p.SkipSpace(end)
	if pos < len(p.Chars) && lexicon.IsLetter(p.Chars[pos]) {
		limit = pos + 1
		for range 2 { // your remaining hit points
			w := p.WordAt(pos)
			pos = p.SkipSpace(w.End)
			limit = max(limit, pos+1)
		}
	}
	for _, t := range []lexicon.Class{lexicon.HPWord, lexicon.CardLabel, lexicon.CardPhrase} {
		if w, ok := p.Words.Next(t, end); ok && w.Start < limit {
			return p.Unbroken(end, w.Start)
		}
	}
	return false
}

// isObject reports whether a mention is the object of a preposition or verb (被你, 对你, 拉着你,
// at you). Then it is not a subject.
func isObject(p *Passage, m Mention) bool {
	if m.you && m.Party { // the two of you
		return false
	}
	if p.IsOneOf(m.Start-1, "被对向朝从替着") {
		return true
	}
	if m.Start < 2 || p.Chars[m.Start-1] != ' ' {
		return false
	}
	_, ok := p.Words.EndsAt(lexicon.Preposition, m.Start-1)
	return ok
}
