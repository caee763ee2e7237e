package tokenize

import (
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

// Names is the dictionary of a view, by first character, longest names first.
type Names map[rune][]Name

// Sort prepares a dictionary for searches. Call it after the last Add.
func (n Names) Sort() {
	for _, list := range n {
		slices.SortFunc(list, func(a, b Name) int { return compareNames(a, b.Text) })
	}
}

// AppendNew appends an ID unless it is the last one already.
func AppendNew(ids []string, id string) []string {
	if n := len(ids); n > 0 && ids[n-1] == id {
		return ids
	}
	return append(ids, id)
}

// compareNames compares names by the order of a list: longest first.
func compareNames(a Name, text []rune) int {
	if d := len(text) - len(a.Text); d != 0 {
		return d
	}
	return slices.Compare(a.Text, text)
}

// Add adds a name, unless it is blank, and calls mark for it. known has the index of each name in
// its list. It must be the same map for all names of a dictionary.
func (n Names) Add(known map[string]int, text string, mark func(*Name)) {
	runes, _ := Normal(text)
	s, ok := Trimmed(runes, lexicon.Between(0, len(runes)))
	if !ok {
		return
	}
	runes = runes[s.Start:s.End]
	list := n[runes[0]]
	i, ok := known[string(runes)]
	if !ok {
		i = len(list)
		known[string(runes)] = i
		list = append(list, Name{Text: runes})
	}
	mark(&list[i])
	n[runes[0]] = list
}

// At returns the longest name at pos. ASCII names match only as whole words. A name of one Chinese
// character does not match at the end of a longer word: 林 is not in 哥布林 or 森林.
func (n Names) At(text []rune, pos int) *Name {
	return n.AtIf(text, pos, func(*Name) bool { return true })
}

// AtIf returns the longest name at pos for which f reports true.
func (n Names) AtIf(text []rune, pos int, f func(*Name) bool) *Name {
	if pos > 0 && lexicon.Joined(text[pos-1], text[pos]) {
		return nil
	}
	list := n[text[pos]]
	for len(list) > 0 {
		size := len(list[0].Text)
		end := pos + size
		if end <= len(text) && (end == len(text) || !lexicon.Joined(text[end-1], text[end])) && (size > 1 || !endsWord(text, pos)) {
			if i, ok := slices.BinarySearchFunc(list, text[pos:end], compareNames); ok && f(&list[i]) {
				return &list[i]
			}
		}
		shorter := func(i int) bool { return len(list[i].Text) < size }
		list = list[sort.Search(len(list), shorter):]
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
