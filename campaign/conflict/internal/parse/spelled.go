package parse

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// maxSpelled limits the names that are split into words, in characters.
const maxSpelled = 256

// A spelling describes a name that consists only of known words.
type spelling struct {
	words     bool // only words of the vocabularies, numbers, pronouns and names
	predicate bool // one of them says that something happens, or how much
	person    bool // one of them is a pronoun or a name
	noun      bool // the last one is a noun for people or places
}

// ReadsAsWords reports whether a name consists of words that narrations use: dies, HP, five, you,
// or Ann dies if Ann is one of the names. A name that ends in a noun for people or places is
// allowed (Fallen Guard), unless it makes a claim about a name.
func ReadsAsWords(name string, names []string) bool {
	var dict tokenize.Names
	for _, other := range names {
		dict.Add(other, nil, nil)
	}
	dict.Sort()
	return !usualName(name) && slices.ContainsFunc(spell(normalName(name), dict), func(s spelling) bool { return !s.noun || s.person && s.predicate })
}

// usualName reports whether a name is a verb that is also a common name of people or places. Its
// capital distinguishes it from the verb.
func usualName(name string) bool {
	switch strings.TrimPrefix(name, "The ") {
	case "Brook", "Chase", "Dale", "Dawn", "Drew", "Faith", "Grace", "Hope", "Jack", "Lance", "Mark", "Max", "May", "Nat", "Nick", "Norm", "Pat", "Pierce",
		"Reed", "Rob", "Rose", "Sandy", "Skip", "Storm", "Sue", "Trace", "Wade", "Will",
		"Bank", "Camp", "Court", "Dock", "Docks", "Ford", "Forge", "Haven", "Keep", "Landing", "March", "Mine", "Pass", "Rest", "Rise", "Shelter", "Vault":
		return true
	}
	return false
}

// tellsClaim reports whether a name consists of words of a claim, or of English words that change
// the meaning of a sentence, such as will.
func tellsClaim(name []rune, names tokenize.Names) bool {
	english := lexicon.IsLetter(name[0])
	return slices.ContainsFunc(spell(name, names), func(s spelling) bool {
		return s.predicate && (!s.noun || s.person) || english && !s.noun
	})
}

// nameAt returns the longest name at pos. A name that consists of words of a claim does not count
// where the text makes the claim: "Ann dies" and "HP" are claims, whatever the names of people are.
// In English such a name counts only with capitals, in Chinese never.
func (p *Passage) nameAt(names tokenize.Names, pos int) *tokenize.Name {
	return names.At(p.Chars, pos, func(n *tokenize.Name) bool {
		if n.Tells == 0 {
			n.Tells = -1
			if tellsClaim(n.Text, names) {
				n.Tells = 1
			}
		}
		if n.Tells < 0 || p.afterArticle(pos) { // into the bank
			return true
		}
		end := pos + len(n.Text)
		for at := pos; at < end; at++ {
			word := wordEnd(p.Chars, at)
			outer := word > at && !slices.ContainsFunc(p.Chars[word:end], lexicon.IsWord) || at == pos
			if lexicon.IsHan(p.Chars[at]) || outer && !p.titleCase(at) {
				return false
			}
		}
		return true
	})
}

// afterArticle reports whether the text at pos is a noun with its article.
func (p *Passage) afterArticle(pos int) bool {
	return slices.Contains([]string{"the", "a", "an", "this", "that"}, p.Word(p.WordBefore(0, pos)))
}

// titleCase reports whether the ASCII word at pos is written like a name: with a capital, and no
// second one.
func (p *Passage) titleCase(pos int) bool {
	first, second := p.Source[p.Bytes.Of(pos)], byte(0)
	if pos+1 < len(p.Chars) {
		second = p.Source[p.Bytes.Of(pos+1)]
	}
	return 'A' <= first && first <= 'Z' && (second < 'A' || second > 'Z')
}

// showsThrough reports whether a word of a claim counts although it is inside a name: in English,
// if it has no capital.
func (p *Passage) showsThrough(class lexicon.Class, w, _ lexicon.Span) bool {
	return lexicon.IsClaim(class) && lexicon.IsLetter(p.Chars[w.Start]) && !p.titleCase(w.Start)
}

func normalName(name string) []rune {
	runes, _ := tokenize.Normal(strings.TrimSpace(name))
	return runes
}

// spell returns the ways in which a name, also with 了 after it, consists of known words, names and
// numbers. It returns nothing if the name has an unknown word.
func spell(name []rune, names tokenize.Names) []spelling {
	if len(name) == 0 || len(name) > maxSpelled {
		return nil
	}
	bare := len(name)
	if lexicon.IsHan(name[bare-1]) {
		name = append(slices.Clip(name), '了')
	}
	ways := make([][]spelling, len(name)+1)
	ways[0] = []spelling{{}}
	for pos := range name {
		if len(ways[pos]) == 0 {
			continue
		}
		add := func(end int, change func(*spelling)) {
			for _, s := range ways[pos] {
				change(&s)
				if !slices.Contains(ways[end], s) {
					ways[end] = append(ways[end], s)
				}
			}
		}
		if pos == bare {
			add(pos+1, func(*spelling) {})
			continue
		}
		eachPart(name, bare, pos, names, add)
	}
	out := ways[len(name)]
	if len(name) > bare {
		out = append(out, ways[bare]...)
	}
	return slices.DeleteFunc(out, func(s spelling) bool { return !s.words })
}

// eachPart calls add for each possible continuation of a name at pos.
func eachPart(name []rune, bare, pos int, names tokenize.Names, add func(end int, change func(*spelling))) {
	if c := name[pos]; !lexicon.IsWord(c) && !lexicon.IsHan(c) || strings.ContainsRune("的了着过得地们", c) {
		add(pos+1, func(*spelling) {})
	}
	if n := names.At(name, pos, func(n *tokenize.Name) bool { return len(n.Text) < bare }); n != nil {
		add(pos+len(n.Text), func(s *spelling) { s.words, s.person, s.noun = true, true, false })
	}
	if tokenize.IsNumeral(name[pos]) || lexicon.IsDigit(name[pos]) {
		add(pos+1, func(s *spelling) { s.words, s.noun = true, false })
	}
	if end := wordEnd(name, pos); end > pos {
		switch word := string(name[pos:end]); {
		case tokenize.IsNumberWord(word):
			add(end, func(s *spelling) { s.words, s.noun = true, false })
		case word == "s" || strings.HasSuffix(word, "ly"):
			add(end, func(*spelling) {})
		}
	}
	ofThe := string(name[max(0, pos-len("of the ")):pos])
	described := strings.HasSuffix(ofThe, "of ") || ofThe == "of the " // City of the Dead
	last, word := 0, spelling{}                                        // the classes of one word follow each other
	addWord := func() {
		if last > 0 {
			add(last, func(s *spelling) {
				s.words, s.noun = true, word.noun
				s.person, s.predicate = s.person || word.person, s.predicate || word.predicate
			})
		}
	}
	lexicon.EachAt(name, pos, func(end int, class lexicon.Class) {
		if end != last {
			addWord()
			last, word = end, spelling{noun: described}
		}
		word.person = word.person || slices.Contains(pronouns, class)
		word.noun = word.noun || lexicon.IsNoun(class)
		word.predicate = word.predicate || !described && lexicon.IsClaim(class)
	})
	addWord()
}

// wordEnd returns the end of the ASCII word that begins at pos, or pos if there is none.
func wordEnd(name []rune, pos int) int {
	if pos > 0 && lexicon.IsWord(name[pos-1]) {
		return pos
	}
	end := pos
	for end < len(name) && lexicon.IsWord(name[end]) {
		end++
	}
	return end
}
