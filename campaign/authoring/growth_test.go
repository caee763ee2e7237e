package authoring

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
)

// TestGrowth: the work is in proportion to the text, for files of YAML and of JSON.
func TestGrowth(t *testing.T) {
	var atoms []testkit.Atom
	for _, piece := range []string{"- a\n", "a: 1\n", "[", "{", "- ", "? ", "[a, ", "'", "\"", "# c\n", "\n", " ", "\t", "&a ", "*a ", "- {id: a, trigger: {type: keywrd}, nmae: x}\n", "- |\n  x\n", "灯", "{\"a\": 1}, "} {
		atoms = append(atoms, testkit.Repeat(piece))
	}
	atoms = append(atoms, testkit.Nest("[", "", "]"), testkit.Nest("{\"a\":", "1", "}"),
		testkit.Atom{Head: "a: &x [1, 2, 3]\nb:\n", Open: "- *x\n"}, testkit.Atom{Head: "[", Open: "{\"id\": \"a\", \"id\": 5},", Tail: "0]"},
		testkit.Atom{Head: "{\"", Open: "a", Mid: "\": [", Close: "0,", Tail: "0]}"}, // a long name and many values in it
		testkit.Atom{Head: "{\"rules\": [{\"id\": \"a\", \"", Open: "a", Mid: "\": {\"b\": [", Close: "{},", Tail: "0]}}]}"})
	for _, name := range []string{"rules.yaml", "rules.json"} {
		testkit.Growth(t, testkit.Reader{Name: name, Atoms: atoms, Read: func(text string) {
			g, problems := Load(folder(map[string]string{name: strings.ToValidUTF8(text, "")}))
			if problems.Err() == nil {
				g.Compile()
			}
		}})
	}
}
