package conflict_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/internal/testkit"
)

// The cost of reading a narration and of its questions is linear in its length, whatever it contains.
func TestGrowth(t *testing.T) {
	var atoms []testkit.Atom
	for _, text := range []string{
		"你失去了5点生命值", "又", "“", "你的", "大厅走进", "走进大厅", "hp 1 ", "从现在起地图", "规则", "宵禁",
		"you take the ", "掉", "loses 5 hp ", "又你", "dies1", "Hall1", "dies", "Hall", "you1", "die 1",
		"is1", "is dead", "knocked out", "you is ", "into1", "1", "一", "点", "5点", "hp-1", "-1 hp", "hp ",
		"的", "地", "，", ", ", "\n", " ", "*", "\"", "‘", "你死了，", "复活", "被死了", "not ", "maybe ", "没有",
		"力量提升", "rolled 1 ", "natural 1", "最终目标", "\xff", "\uFFFC", "苏晴", "Su's ", "your hp ", "to Su ",
		"hits Su for ", "on the ", "of ", "and ", "very", "slowly ", "将", "从", "the ", "HP: 1/2\n", "| hp | 1 |\n",
		"进大厅", "失血", "Lin is bleeding, ", "苏晴倒下", "Su enters the Hall. ", "苏晴走进大厅", "Su 1/2 ", "大厅吞没",
		"Su's heart, cold and glassy ", "Su slumps. ", "苏晴的心跳停了", "苏晴，永远，", "rubble of the Hall ", "Hall. Ash. ",
	} {
		atoms = append(atoms, testkit.Repeat(text))
	}
	for _, text := range []string{"dies", "Hall", "is dead", "you", "hp", "Su", "rolled", "你失去", "大厅"} {
		atoms = append(atoms,
			testkit.Atom{Head: text, Open: "a"}, testkit.Atom{Open: "a", Tail: text},
			testkit.Atom{Head: text, Open: " ", Tail: text}, testkit.Atom{Head: text, Open: "9", Tail: text})
	}
	atoms = append(atoms, testkit.Nest("“", "你死了", "”"), testkit.Nest("（", "hp 1", "）"))
	view := town()
	view.Rules = []conflict.WorldRule{{ID: "curfew", Keywords: []string{"宵禁", "curfew"}}}
	view.Actions = []conflict.Action{{HP: []conflict.HPChange{
		{CharacterID: "lin", Requested: -5, Effective: -5}, {CharacterID: "su", Requested: -3, Effective: -3},
	}}}
	size := 16 << 10
	if testkit.Wanted() {
		size *= 2 // times of short texts are noise
		atoms = append(atoms, manyClaims()...)
	}
	testkit.Growth(t, testkit.Reader{Name: "narration", Size: size, Atoms: atoms, Read: func(text string) {
		r := conflict.Read(text, nil, view)
		conflict.Suspect(r, r.Detect(conflict.Options{}), conflict.Options{})
	}})
}

// manyClaims are texts with claims that name no one, so readers search backwards for each, and
// texts with a word far before many claims. They cost time but no memory.
func manyClaims() []testkit.Atom {
	var atoms []testkit.Atom
	for _, text := range []string{"dies，", "dies,", "死了，", "伤", "血", "归地", "没便死了", "但死", "|\n", "You stand in the Hall. ", "你走进大厅，", "DIES. ", "像梦死了"} {
		atoms = append(atoms, testkit.Repeat(text))
	}
	for _, head := range []string{"苏晴的手", "Su's hand ", "没", "|\n", "梦", "The sign says: "} {
		for _, claim := range []string{"但死", "但死，", "死了，", "HP: 3/12\n", "DIES. ", "dies, "} {
			atoms = append(atoms, testkit.Atom{Head: head, Open: claim}, testkit.Nest(head, "", claim))
		}
	}
	return atoms
}
