package parse

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// maxPronounSentences is the maximum number of sentences between a pronoun and its name.
const maxPronounSentences = 3

// maxAntecedents is the maximum number of names that are tried.
const maxAntecedents = 8

// A gender is the gender that a pronoun or a title in a name shows.
type gender uint8

const (
	anyGender gender = iota
	male
	female
)

// titles map genders to titles in names.
var titles = map[gender][]string{
	male: {"brother", "father", "sir", "lord", "king", "prince", "mr", "uncle", "grandfather",
		"伯", "叔", "爷", "公子", "僧", "哥", "道长", "和尚", "师兄", "少侠", "先生", "大爷"},
	female: {"sister", "mother", "lady", "queen", "princess", "mrs", "miss", "aunt",
		"grandmother", "dame", "婆", "娘", "姐", "妹", "姑", "姨", "妈", "婶", "嬷", "夫人", "小姐", "尼"},
}

func genderOf(c *Named) gender {
	for _, g := range []gender{female, male} {
		if hasTitle(c.Name, titles[g]) || slices.ContainsFunc(c.Aliases, func(alias string) bool { return hasTitle(alias, titles[g]) }) {
			return g
		}
	}
	return anyGender
}

// hasTitle reports whether a name contains a Chinese title or begins with an English one.
func hasTitle(name string, titles []string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(titles, func(title string) bool {
		if title[0] >= utf8.RuneSelf {
			return strings.Contains(name, title)
		}
		rest, ok := strings.CutPrefix(name, title)
		return ok && strings.HasPrefix(rest, " ")
	})
}

var genders = map[lexicon.Class]gender{lexicon.He: male, lexicon.She: female}

// antecedent returns the character that a pronoun at pos means: the last named person that fits,
// unless an untracked person was mentioned since. It is doubtful if a sentence names a second one that fits.
func (p *Passage) antecedent(pos int, g gender) (ids []string, doubtful bool) {
	here := p.SentenceAt(pos)
	// 罗锦帆把他提起来: the object of a clause is not its subject.
	isObject := p.IsOneOf(pos-1, "把将被给对向朝替让叫使") || p.WordIs(pos, "him")
	for i := len(p.called) - 1; i >= max(0, len(p.called)-maxAntecedents); i-- {
		m := p.called[i]
		if ids != nil && (p.SentenceAt(m.Start) != here || len(m.IDs) != 1) {
			return ids, false
		}
		if len(m.IDs) != 1 || p.SentenceAt(pos)-p.SentenceAt(m.Start) > maxPronounSentences ||
			p.Words.Has(m.End, pos, lexicon.Creature) {
			return nil, false
		}
		if is := genderOf(p.Cast.Person(m.IDs[0])); is != anyGender && is != g || isObject && p.sameClause(m.Start, pos) {
			continue
		}
		if ids != nil && m.IDs[0] != ids[0] {
			return ids, true
		}
		if ids == nil {
			ids, here = m.IDs, p.SentenceAt(m.Start)
		}
	}
	return ids, false
}

// sameClause reports whether only a short run of text without a mark of a clause is between two positions.
func (p *Passage) sameClause(from, to int) bool {
	return to-from <= maxSameClause && !slices.ContainsFunc(p.Chars[from:to], tokenize.IsBreak)
}

// maxSameClause is the maximum distance, in characters, between the subject and the object of a clause.
const maxSameClause = 40
