// Package parse finds the subjects of a text: mentions of characters, pronouns, names of areas,
// and the subject of a claim. It also decides whether a claim is stated as a fact.
package parse

import (
	"cmp"
	"slices"
	"sort"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// A Passage is a text with the people and places that it mentions.
type Passage struct {
	*tokenize.Text
	Cast  Cast
	actor []string

	mentions   []Mention // mentions that can be subjects
	Named      []Mention // mentions that are not possessives
	possessors []Mention // possessives of things other than cards and hp
	called     []Mention // mentions by name, at any position
	Places     []Place
	Keywords   []Place // the keywords of world rules
	numbers    []int   // positions where numbers may begin

	hasHan, hasLetters bool
}

// New reads a text about a cast.
func New(narration string, cast Cast) *Passage {
	p := &Passage{Cast: cast, actor: []string{cast.Actor}}
	p.Text = tokenize.New(narration, cast.Labels)
	p.hasHan = slices.ContainsFunc(p.Chars, lexicon.IsHan)
	p.hasLetters = slices.ContainsFunc(p.Chars, lexicon.IsLetter)
	p.findNames()
	p.dropCompounds()
	p.findKeywords()
	p.findNumbers()
	return p
}

// findKeywords finds the keywords of the world's rules.
func (p *Passage) findKeywords() {
	if len(p.Cast.Rules) == 0 {
		return
	}
	var dict tokenize.Names
	for _, rule := range p.Cast.Rules {
		for _, keyword := range rule.Aliases {
			dict.Add(keyword, nil, []string{rule.ID})
		}
	}
	dict.Sort()
	for pos := 0; pos < len(p.Chars); pos++ {
		if n := dict.At(p.Chars, pos, nil); n != nil {
			p.Keywords = append(p.Keywords, Place{lexicon.Between(pos, pos+len(n.Text)), n.Areas})
			pos += len(n.Text) - 1
		}
	}
}

// dropCompounds drops 血 as a word for hit points if it begins a noun: 血狼, 血翼龙. As a word of its own
// it ends a phrase, or a verb or an adverb follows.
func (p *Passage) dropCompounds() {
	p.Words.Drop(lexicon.HPWord, func(w lexicon.Span) bool {
		if !p.Is(w.Start, '血') || w.End > w.Start+1 || w.End == len(p.Chars) || !lexicon.IsHan(p.Chars[w.End]) ||
			tokenize.IsNumeral(p.Chars[w.End]) || p.IsOneOf(w.Start-1, "点滴掉扣回失丢少补满加涨损耗") || p.IsOneOf(w.End, "了的条槽格和与及跟") {
			return false
		}
		for _, t := range []lexicon.Class{lexicon.Filler, lexicon.AmountFiller, lexicon.HPDown, lexicon.HPUp, lexicon.ValueVerb,
			lexicon.LossVerb, lexicon.GainVerb, lexicon.GoneWord, lexicon.LeaveVerb, lexicon.Emptied, lexicon.Full, lexicon.Coverb,
			lexicon.Negation, lexicon.Modal, lexicon.Connective} {
			if p.Words.HasAt(t, w.End) {
				return false
			}
		}
		return p.SkipFillers(w.End, w.End+1) == w.End
	})
}

// A Place is the name of a known area in a text.
type Place struct {
	lexicon.Span
	IDs []string // the areas with this name
}

// A word is a name or a pronoun of a text.
type word struct {
	lexicon.Span
	name  *tokenize.Name
	class lexicon.Class // of a pronoun
}

// findNames sets the mentions and places of the passage.
func (p *Passage) findNames() {
	dict := namesOf(&p.Cast)
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	spans, found := s.names[:0], s.found[:0]
	for pos := 0; pos < len(p.Chars); pos++ {
		if n := p.nameAt(dict, pos); n != nil && !p.endsLater(dict, n, pos) {
			at := lexicon.Between(pos, pos+len(n.Text))
			spans, found = append(spans, at), append(found, word{Span: at, name: n})
			pos = at.End - 1
		}
	}
	p.Words.Outside(spans, p.showsThrough)
	for _, class := range append(pronouns[:len(pronouns)-1:len(pronouns)-1], lexicon.PartyWord) {
		for w := range p.Words.After(class, 0) {
			found = append(found, word{Span: w, class: class})
		}
	}
	slices.SortFunc(found, func(a, b word) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	s.names, s.found = spans, found
	p.mentions, p.Named = make([]Mention, 0, len(found)), make([]Mention, 0, len(found))
	end := 0
	for _, w := range found {
		switch {
		case w.Start < end:
			continue
		case w.name != nil:
			p.addName(w.name, w.Span)
		default:
			p.addMention(p.pronoun(w.Span, w.class))
		}
		end = w.End
	}
	clear(found)
}

// endsLater reports whether a longer name begins after the article of a name: the Mill Pond, if another place is
// called the mill.
func (p *Passage) endsLater(dict tokenize.Names, n *tokenize.Name, pos int) bool {
	if len(n.Text) <= len("the ") || string(n.Text[:len("the ")]) != "the " {
		return false
	}
	after := p.nameAt(dict, pos+len("the "))
	return after != nil && len(after.Text)+len("the ") > len(n.Text)
}

// addName adds the name of a character or an area.
func (p *Passage) addName(n *tokenize.Name, s lexicon.Span) {
	if len(n.Areas) > 0 {
		p.Places = append(p.Places, Place{s, n.Areas})
	}
	if len(n.Characters) == 0 {
		return
	}
	// A name that two characters share means neither of them. It still prevents the mention
	// before it from being the subject.
	m := Mention{Span: s}
	if len(n.Characters) == 1 {
		m.IDs = n.Characters
	}
	p.called = append(p.called, m)
	p.addMention(m)
}

// addMention stores a mention that can be a subject. A possessive (老王的…, Tom's …, your …) is stored
// as a mention only if it owns a card or hit points. Otherwise it is stored as a possessor.
func (p *Passage) addMention(m Mention) {
	end, possessive := possessive(p, m)
	if !possessive {
		p.Named = append(p.Named, m)
		if !isObject(p, m) {
			p.mentions = append(p.mentions, m)
		}
		return
	}
	if m.End, m.Owner = end, ownsNext(p, end); m.Owner {
		p.mentions = append(p.mentions, m)
		return
	}
	p.possessors = append(p.possessors, m)
}

// LastMention returns the last mention that ends in [from, to].
func (p *Passage) LastMention(from, to int) (Mention, bool) {
	i := sort.Search(len(p.mentions), func(i int) bool { return p.mentions[i].Start >= to })
	if i > 0 && p.mentions[i-1].End > to {
		i--
	}
	if i == 0 || p.mentions[i-1].Start < from {
		return Mention{}, false
	}
	return p.mentions[i-1], true
}

// firstMention returns the first mention inside s.
func (p *Passage) firstMention(s lexicon.Span) (Mention, bool) {
	i := sort.Search(len(p.mentions), func(i int) bool { return p.mentions[i].Start >= s.Start })
	if i == len(p.mentions) || p.mentions[i].End > s.End {
		return Mention{}, false
	}
	return p.mentions[i], true
}

// LastCalled returns the last mention inside [start, end), with any role in the sentence, including
// possessors and objects.
func (p *Passage) LastCalled(start, end int) (Mention, bool) {
	best, ok := Mention{}, false
	for _, list := range [][]Mention{p.mentions, p.possessors, p.Named} {
		i, _ := slices.BinarySearchFunc(list, end, func(m Mention, at int) int { return m.Start - at })
		if i > 0 && list[i-1].Start >= start && (!ok || list[i-1].Start > best.Start) {
			best, ok = list[i-1], true
		}
	}
	return best, ok
}

// CalledAt returns the mention that begins at pos, including possessors: off Eli's total.
func (p *Passage) CalledAt(pos int) (Mention, bool) {
	m, ok := p.LastCalled(pos, pos+1)
	return m, ok && m.Start == pos
}

// IsPossessor reports whether a mention is a possessive of something other than a card or hit
// points.
func (p *Passage) IsPossessor(m Mention) bool {
	_, ok := slices.BinarySearchFunc(p.possessors, m.Start, func(here Mention, at int) int { return here.Start - at })
	return ok
}

// NamedIn returns the mentions in a span, with any role in the sentence, the last one first.
func (p *Passage) NamedIn(s lexicon.Span) []Mention {
	var out []Mention
	for end := s.End; ; {
		m, ok := p.LastCalled(s.Start, end)
		if !ok {
			return out
		}
		out, end = append(out, m), m.Start
	}
}
