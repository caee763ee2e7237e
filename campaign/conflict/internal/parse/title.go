package parse

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// titlesOf returns the titles in the names of people, which can mean a person named before: the
// sergeant for Sergeant Cole, 舰长 for 胡舰长. A title of two people is left out.
func titlesOf(cast *Cast) tokenize.Names {
	dict, known := tokenize.Names{}, map[string]int{}
	for i := range cast.People {
		who := &cast.People[i]
		mark := func(n *tokenize.Name) { n.Characters = tokenize.AppendNew(n.Characters, who.ID) }
		if title, _, ok := strings.Cut(who.Name, " "); ok {
			dict.Add(known, "the "+title, mark)
			continue
		}
		for name := []rune(who.Name); len(name) > 2 && lexicon.IsHan(name[0]); {
			name = name[1:]
			dict.Add(known, string(name), mark)
		}
	}
	dict.Sort()
	return dict
}

// titled returns the mentions by title of people who were named at most some sentences before, in
// the order of the text. names are the positions of all names.
func titled(p *Passage, dict tokenize.Names, names []lexicon.Span) []Mention {
	titles := titlesOf(&p.Cast)
	if len(titles) == 0 {
		return nil
	}
	var out []Mention
	called := map[string]int{} // the sentence that last named a person
	for pos, k := 0, 0; pos < len(p.Chars); pos++ {
		if k < len(names) && names[k].Start == pos {
			for _, id := range p.nameAt(dict, pos).Characters {
				called[id] = p.SentenceAt(pos)
			}
			pos = names[k].End - 1
			k++
			continue
		}
		n := titles.At(p.Chars, pos)
		if n == nil || len(n.Characters) != 1 {
			continue
		}
		s := lexicon.Between(pos, pos+len(n.Text))
		if at, named := called[n.Characters[0]]; named && p.SentenceAt(pos)-at <= maxPronounSentences && titleStands(p, s) {
			out = append(out, Mention{Span: s, IDs: n.Characters})
			called[n.Characters[0]] = p.SentenceAt(pos)
			pos = s.End - 1
		}
	}
	return out
}

// titleStands reports whether the words at s are a title used alone: a word for people, and not a
// part of a different one such as 副舰长 or the captain of the guard.
func titleStands(p *Passage, s lexicon.Span) bool {
	at := s.Start
	if lexicon.IsLetter(p.Chars[at]) {
		at += len("the ")
		next := p.WordAt(p.SkipSpace(s.End))
		for _, t := range []lexicon.Class{lexicon.Creature, lexicon.Preposition, lexicon.InPlace, lexicon.Pronoun} {
			if next.Start < next.End && p.Words.HasAt(t, next.Start) { // the captain of the guard, the sergeant at the desk, the captain who …
				return false
			}
		}
		if p.Word(next) == "on" {
			return false
		}
	} else if at > 0 && lexicon.IsHan(p.Chars[at-1]) && !p.IsOneOf(at-1, "把被对向给让但而可将连和与是朝替") || p.IsOneOf(s.End, "们") {
		return false
	}
	w, ok := p.Words.At(lexicon.Creature, at)
	return ok && w.End == s.End
}

// withTitles returns the positions of names and titles in one list, sorted by start.
func withTitles(names []lexicon.Span, titles []Mention) []lexicon.Span {
	if len(titles) == 0 {
		return names
	}
	for _, m := range titles {
		names = append(names, m.Span)
	}
	slices.SortFunc(names, func(a, b lexicon.Span) int { return a.Start - b.Start })
	return names
}
