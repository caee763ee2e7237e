package tokenize

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// A Name is a name in the dictionary of a view.
type Name struct {
	Text       []rune
	Characters []string
	Areas      []string
	Tells      int8 // whether it consists of words of a claim: 1 yes, -1 no, 0 not yet known
}

// Names is a dictionary. Call Sort after the last Add.
type Names struct {
	list  []Name // by first character, longest names first
	runes []rune // of all names
}

// Add adds a name with the characters and areas that it means, unless it is blank.
func (n *Names) Add(text string, characters, areas []string) {
	start := len(n.runes)
	n.runes = appendNormal(n.runes, text)
	if s, ok := Trimmed(n.runes, lexicon.Between(start, len(n.runes))); ok {
		n.list = append(n.list, Name{Text: n.runes[s.Start:s.End:s.End], Characters: characters, Areas: areas})
	}
}

// Sort prepares a dictionary for searches. A name that was added twice means all its characters and areas.
func (n *Names) Sort() {
	slices.SortStableFunc(n.list, func(a, b Name) int { return compareNames(a, b.Text) })
	out := n.list[:0]
	for _, name := range n.list {
		last := len(out) - 1
		if last < 0 || !slices.Equal(out[last].Text, name.Text) {
			out = append(out, name)
			continue
		}
		out[last].Characters = union(out[last].Characters, name.Characters)
		out[last].Areas = union(out[last].Areas, name.Areas)
	}
	n.list = out
}

// union returns a new list of the IDs of two lists.
func union(a, b []string) []string {
	isKnown := func(id string) bool { return slices.Contains(a, id) }
	return slices.Concat(a, slices.DeleteFunc(slices.Clone(b), isKnown))
}

// compareNames compares names by the order of a dictionary.
func compareNames(a Name, text []rune) int {
	return cmp.Or(int(a.Text[0]-text[0]), len(text)-len(a.Text), slices.Compare(a.Text, text))
}

// At returns the longest name at pos for which f reports true, if f is not nil. ASCII names match only as whole words. A name of one
// Chinese character does not match at the end of a longer word: 林 is not in 哥布林 or 森林.
func (n Names) At(text []rune, pos int, f func(*Name) bool) *Name {
	if pos > 0 && lexicon.Joined(text[pos-1], text[pos]) {
		return nil
	}
	from := sort.Search(len(n.list), func(i int) bool { return n.list[i].Text[0] >= text[pos] })
	for list := n.list[from:]; len(list) > 0 && list[0].Text[0] == text[pos]; {
		size := len(list[0].Text)
		end := pos + size
		if end <= len(text) && (end == len(text) || !lexicon.Joined(text[end-1], text[end])) && (size > 1 || !endsWord(text, pos)) {
			if i, ok := slices.BinarySearchFunc(list, text[pos:end], compareNames); ok && (f == nil || f(&list[i])) {
				return &list[i]
			}
		}
		isShorter := func(i int) bool { return list[i].Text[0] != text[pos] || len(list[i].Text) < size }
		list = list[sort.Search(len(list), isShorter):]
	}
	return nil
}

// beforeName are the characters that may stand directly before a name of one Chinese character:
// particles, prepositions, conjunctions, the ends of verbs with an object, and familiar forms of
// address.
const beforeName = "的地得了着过和与及跟同或对给让叫使令把将被由替帮为向朝往从自离在到至于比像是有也又还却但而若当因则且并只都才已再便就这那" +
	"入进达抵回出登去来见看听闻说道问喊唤名即非除连用中伤死杀住倒开向扑刺咬砍抓拉推扶救找等追老小阿"

// endsWord reports whether the Chinese character at pos is the end of a longer word.
func endsWord(text []rune, pos int) bool {
	return pos > 0 && lexicon.IsHan(text[pos]) && lexicon.IsHan(text[pos-1]) && !strings.ContainsRune(beforeName, text[pos-1])
}
