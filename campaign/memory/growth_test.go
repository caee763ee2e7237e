package memory_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/internal/testkit"
)

// TestGrowth: adding turns and answering queries takes time linear in their length and in the
// number of turns.
func TestGrowth(t *testing.T) {
	var atoms []testkit.Atom
	for _, text := range []string{
		"a", "ab ", "a'", "''", "s", "ies ", "key ", "of ", "铜", "铜a", "铜钥匙。", "ーa", "늑대 ", "ไ", "。", "…", ". ", "”",
		".”", "“。”", ", ", "\n", "\xff", "\u0301", "é", "ＡＢ", "12", "\t\n ", "K", "İ", ". a", "0",
	} {
		atoms = append(atoms, testkit.Repeat(text))
	}
	atoms = append(atoms, testkit.Nest("“", "key.", "”"), testkit.Nest("(", "铜", ")"),
		testkit.Atom{Head: "key. ", Open: "a", Tail: "铜"})
	turn := func(text string) memory.Turn {
		return memory.Turn{ID: "t", Player: text, Text: text, Summary: text, Witnesses: []string{"mara"}}
	}
	known := &memory.Index{}
	remember(t, known, "c", turn(strings.Repeat("key of the 铜钥匙 ", 1000)))
	testkit.Growth(t,
		testkit.Reader{Name: "turn", Atoms: atoms, Read: func(text string) {
			remember(t, &memory.Index{}, "c", turn(text))
		}},
		testkit.Reader{Name: "passages", Atoms: atoms, Read: func(text string) { memory.Pieces(text) }},
		testkit.Reader{Name: "query", Atoms: atoms, Read: func(text string) {
			recall(t, known, memory.Query{Campaign: "c", Texts: []string{text, text}, Limit: 600})
		}},
		testkit.Reader{Name: "campaign", Atoms: []testkit.Atom{
			testkit.Repeat("key\n"), testkit.Repeat("铜钥匙。\n"), testkit.Repeat("\n"),
			testkit.Repeat("+key\n"), testkit.Repeat("=key\n"), testkit.Repeat("key\n+key\n"),
		}, Read: readCampaign(t)})
}

// readCampaign reads a turn from each line. After a line that begins with + the story returns to
// the first turn. A line that begins with = replaces the previous turn.
func readCampaign(t *testing.T) func(string) {
	return func(text string) {
		index, parent, n := &memory.Index{}, "", 0
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "=") {
				n++
			}
			id := "t" + strconv.Itoa(n)
			remember(t, index, "c", memory.Turn{ID: id, Parent: parent, Index: n, Text: line})
			if parent = id; strings.HasPrefix(line, "+") {
				parent = "t1"
			}
		}
		recall(t, index, memory.Query{Campaign: "c", Head: parent, Texts: []string{"key 铜钥匙"}, Limit: 600})
		recall(t, index, memory.Query{Campaign: "c", Texts: []string{"key 铜钥匙"}, Limit: 600})
	}
}
