package keyindex

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWords: random graphs have the words that a walk through all of their links finds. Half of the
// values end at nodes that several words share.
func TestWords(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(7, 1))
	for round := range 200 {
		var g Graph
		type path struct {
			node int32
			word string
		}
		want := map[string]string{}
		for value := int32(1); value <= 5; value++ {
			at := []path{{}}
			for range 1 + rnd.IntN(4) { // each part is one of some characters, or is left out
				next := g.Grow()
				var longer []path
				for _, c := range []rune("ab那")[rnd.IntN(3):] {
					seen := map[int32]bool{}
					for _, p := range at {
						if !seen[p.node] {
							g.Link(p.node, c, next)
						}
						seen[p.node] = true
						longer = append(longer, path{next, p.word + string(c)})
					}
				}
				if rnd.IntN(3) == 0 {
					longer = append(longer, at...)
				}
				at = longer
			}
			for _, p := range at {
				if p.node != 0 {
					g.End(p.node, value)
					if s := fmt.Sprint(value, " "); len(want[p.word]) < len(s) || want[p.word][len(want[p.word])-len(s):] != s {
						want[p.word] += s
					}
				}
			}
		}
		words, got := g.Join(), map[string]string{}
		words.Each(func(word string, values []int32) {
			for _, v := range values {
				got[word] += fmt.Sprint(v, " ")
			}
			node := int32(0)
			for _, c := range word {
				node = words.Next(node, c)
			}
			if !slices.Equal(words.Values(node), values) || words.Next(node, '?') != 0 {
				t.Errorf("round %d: %s leads to %v", round, word, words.Values(node))
			}
		})
		if !maps.Equal(got, want) {
			t.Fatalf("round %d: got %v, want %v", round, got, want)
		}
	}
	if words := new(Graph).Join(); words.Next(0, 'a') != 0 || len(words.Values(0)) != 0 {
		t.Error("an empty graph has words")
	}
}
