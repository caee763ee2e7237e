package tree_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidwall/sjson"

	"github.com/talewright/talewright/memvars/tree"
)

// TestEditAgreesWithTextEditing compares edits of the tree with edits of the JSON text by a
// different library. It uses edits with the same meaning in both: plain keys, existing objects,
// indexes within a list. The results must be equal byte for byte, including the order of keys.
func TestEditAgreesWithTextEditing(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		text := `{"a":{"b":{},"list":[1,2.50,"three"]},"c":1e2}`
		doc, err := tree.ParseDocument([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		edit := doc.Edit()
		for step := range 12 {
			path := randomTarget(rnd)
			if rnd.IntN(4) == 0 {
				if !edit.Lookup(path).Exists() {
					continue
				}
				if text, err = sjson.Delete(text, strings.Join(path, ".")); err != nil {
					t.Fatal(err)
				}
				if err := edit.Delete(path); err != nil {
					t.Fatalf("step %d: %v", step, err)
				}
				continue
			}
			if !edit.Lookup(path[:len(path)-1]).Exists() {
				continue // the other library would create the parents
			}
			value := fmt.Sprintf(`{"n":%d.0}`, rnd.IntN(100))
			if edit.Set(path, mustParse(t, value)) != nil {
				continue // beyond the end of a list; the other library pads with nulls
			}
			if text, err = sjson.SetRaw(text, strings.Join(path, "."), value); err != nil {
				t.Fatal(err)
			}
		}
		if got := edit.Document().String(); got != text {
			t.Fatalf("edited tree and edited text differ:\n%s\n%s", got, text)
		}
	}
}

func randomTarget(rnd *rand.Rand) tree.Path {
	if rnd.IntN(4) == 0 {
		return tree.Path{"a", "list", fmt.Sprint(rnd.IntN(4))}
	}
	path := tree.Path{[]string{"a", "c", "new"}[rnd.IntN(3)]}
	if path[0] == "a" {
		path = append(path, []string{"b", "x", "y"}[rnd.IntN(3)])
		if rnd.IntN(2) == 0 {
			path = append(path, []string{"p", "q"}[rnd.IntN(2)])
		}
	}
	return path
}

func mustParse(t *testing.T, text string) tree.Value {
	t.Helper()
	v, err := tree.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
