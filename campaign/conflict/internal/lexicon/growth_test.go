package lexicon_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/internal/testkit"
)

// The number of words of each class in the search, and the number of combinations that it tries.
const (
	perClass     = 2
	combinations = 1500
	worst        = 8 // atoms whose growth is measured
)

var separators = []string{"，", ", ", ",", "", " ", "\n", "、", ". ", "。", ":", "|", "—", "（", "“", "”"}

// The cost of a text that repeats words of the vocabularies is linear in its length, whatever the
// words, the marks between them and their order are. The search reads short texts of every atom. It
// measures the growth of those with the highest cost for their length.
func TestGrowthOfTheVocabulary(t *testing.T) {
	testkit.Need(t)
	view := conflict.View{ActorID: "lin", Party: []string{"lin", "su"}, CheckAllowed: true,
		Rules: []conflict.WorldRule{{ID: "curfew", Keywords: []string{"宵禁", "curfew"}}},
		Characters: []conflict.Character{
			{ID: "lin", Name: "林远", Aliases: []string{"Ann"}, HP: conflict.HP{Current: 9, Max: 12}, AreaID: "hall"},
			{ID: "su", Name: "苏晴", Aliases: []string{"Su"}, HP: conflict.HP{Current: 9, Max: 12}, AreaID: "hall"}},
		Areas: []conflict.Area{{ID: "hall", Name: "大厅", Aliases: []string{"Hall"}}, {ID: "gate", Name: "城门", Aliases: []string{"Gate"}}}}
	read := func(text string) { conflict.Detect(text, nil, view, conflict.Options{}) }
	atoms := atomsOf(rand.New(rand.NewPCG(1, 2)))
	const size = 4 << 10
	costs := make([]time.Duration, len(atoms))
	for i, atom := range atoms {
		text := atom.Text(size)
		costs[i] = testkit.Best(2, func() { read(text) })
	}
	order := make([]int, len(atoms))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(costs[b] - costs[a]) })
	t.Logf("%d atoms of %d bytes: median %v, worst %v", len(atoms), size, costs[order[len(order)/2]], costs[order[0]])
	slowest := make([]testkit.Atom, worst)
	for i := range slowest {
		slowest[i] = atoms[order[i]]
		t.Logf("%v\t%v", costs[order[i]], slowest[i])
	}
	testkit.Growth(t, testkit.Reader{Name: "vocabulary", Size: 16 << 10, Atoms: slowest, Read: read})
}

// atomsOf returns words of every class with every separator, in lower case and in capitals, and
// combinations of words of different classes with names, pronouns and numbers.
func atomsOf(random *rand.Rand) []testkit.Atom {
	classes := map[lexicon.Class][]string{}
	lexicon.EachWord(func(class lexicon.Class, word string) { classes[class] = append(classes[class], word) })
	words := []string{"你", "林远", "苏晴的", "Su", "you", "your", "大厅", "Hall", "他", "she", "5", "五", "3/12", "的", "了", "便", "宵禁"}
	for class := range lexicon.Class(len(classes) + 1) {
		list := classes[class]
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		words = append(words, list[:min(perClass, len(list))]...)
	}
	words = append(words, "dies", "死了", "死", "血", "伤", "归地", "满血")
	var atoms []testkit.Atom
	for _, word := range words {
		for _, separator := range separators {
			atoms = append(atoms, testkit.Repeat(word+separator))
		}
		atoms = append(atoms, testkit.Repeat(strings.ToUpper(word)+". "))
	}
	pick := func() string {
		return words[random.IntN(len(words))] + separators[random.IntN(len(separators))]
	}
	for range combinations {
		atoms = append(atoms, testkit.Repeat(pick()+pick()), testkit.Repeat(pick()+pick()+pick()),
			testkit.Atom{Head: pick(), Open: pick(), Close: pick(), Tail: pick()})
	}
	return atoms
}

// The search uses the words of every class.
func TestEachWord(t *testing.T) {
	count := map[lexicon.Class]int{}
	lexicon.EachWord(func(class lexicon.Class, _ string) {
		count[class]++
	})
	if len(count) < 100 || count[lexicon.Dead] < 100 {
		t.Errorf("%d classes, %d words of death", len(count), count[lexicon.Dead])
	}
}
