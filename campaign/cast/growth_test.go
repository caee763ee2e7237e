package cast_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/worldbook"
)

// TestGrowth: the cost of texts of players and models is linear in their length, and the cost of
// cards and chats is linear in their size.
func TestGrowth(t *testing.T) {
	var atoms []testkit.Atom
	for _, text := range []string{
		"a", "ab ", "Ash ", "白", "白露", "露", "白a", "a白", "_", "7号", "ーカ", "가", "น้ำ", "\u0301", "e\u0301", "\xff", "ＡＢ ", "K", "İ",
		"\n", " ", "·", "，", "<", "<FIELDNAME", "<FIELDNAME>", "\r", "<START>", "{{", "\t\r\n",
	} {
		atoms = append(atoms, testkit.Repeat(text))
	}
	atoms = append(atoms, testkit.Nest("<", "FIELDNAME", ">"), testkit.Atom{Open: "白", Tail: "露"})
	members := []cast.Member{{ID: "ash", Name: "Ash"}, {ID: "bai", Name: "白白白露"}, {ID: "lao", Name: "老陈 of the Hill"}}
	choose := func(r cast.Round) {
		r.Random = func() float64 { return 0.5 }
		if _, err := cast.Choose(r); err != nil {
			t.Fatal(err)
		}
	}
	testkit.Growth(t,
		testkit.Reader{Name: "line", Atoms: atoms, Read: func(text string) {
			choose(cast.Round{Members: members, Input: text})
		}},
		testkit.Reader{Name: "name", Atoms: atoms, Read: func(text string) {
			choose(cast.Round{Members: []cast.Member{{ID: "a", Name: text}}, Input: "Ash 白白白露"})
		}},
		testkit.Reader{Name: "card", Atoms: atoms, Read: func(text string) {
			c := cast.Card{Description: text, Examples: text}
			sheet, _ := cast.MakeSheet([]cast.Member{{ID: "a", Card: c}, {ID: "b", Card: c}}, nil, "a",
				cast.Putting{Cards: "join", Prefix: text, Suffix: text})
			sheet.Examples.Expand(nil)
		}},
		testkit.Reader{Name: "chat", Atoms: []testkit.Atom{
			testkit.Repeat("m\n"), testkit.Repeat("p\n"), testkit.Repeat("n\nm\n"), testkit.Repeat("\n"),
		}, Read: func(text string) {
			for _, order := range []cast.Order{"natural", "pooled"} {
				choose(cast.Round{Members: members, Order: order, Chat: chat(text)})
			}
			choose(cast.Round{Members: members, Kind: worldbook.Continue, Chat: append(chat(text), cast.Line{By: cast.ByPlayer})})
		}},
		testkit.Reader{Name: "members", Atoms: []testkit.Atom{
			testkit.Repeat("Ash\n"), testkit.Repeat("白\n"), testkit.Repeat("\n"),
		}, Read: func(text string) {
			var many []cast.Member
			for name := range strings.Lines(text) {
				many = append(many, cast.Member{ID: string(rune(len(many))), Name: name})
			}
			for _, order := range []cast.Order{"natural", "list", "manual", "pooled"} {
				choose(cast.Round{Members: many, Order: order})
			}
		}})
}

// chat returns a line by a member for each m, one by the player for each p, and one by the narrator
// for any other letter.
func chat(text string) []cast.Line {
	lines := make([]cast.Line, 0, 1+strings.Count(text, "\n"))
	for line := range strings.Lines(text) {
		switch l := (cast.Line{Text: line}); line {
		case "m\n":
			l.ID, l.Name = "bai", "白白白露"
			lines = append(lines, l)
		case "p\n":
			l.By = cast.ByPlayer
			lines = append(lines, l)
		default:
			l.By = cast.ByNarrator
			lines = append(lines, l)
		}
	}
	return lines
}
