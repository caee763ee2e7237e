package memory_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/campaign/memory"
)

// BenchmarkRecall asks for facts that were mentioned once, in campaigns of different lengths.
func BenchmarkRecall(b *testing.B) {
	for _, language := range []string{"en", "zh"} {
		for _, n := range []int{100, 1000, 10000} {
			b.Run(fmt.Sprintf("%s/turns=%d", language, n), func(b *testing.B) {
				facts := plantedFacts(language)
				turns, places := newSaga(language, 1).Play(n, facts)
				index := &memory.Index{}
				remember(b, index, "c", turns...)
				q := memory.Query{Campaign: "c", Head: turnID(n), Limit: 600}
				found, asked := 0, 0
				b.ReportAllocs()
				for b.Loop() {
					f := asked % len(facts)
					q.Texts = []string{facts[f].Asked, turns[n-1].Text}
					items := recall(b, index, q)
					if asked++; rankOf(items, places[f]) < 5 {
						found++
					}
				}
				if asked > len(facts) && found < asked/2 {
					b.Errorf("%d of %d were found", found, asked)
				}
			})
		}
	}
}

// BenchmarkRemember adds turns to campaigns of different lengths.
func BenchmarkRemember(b *testing.B) {
	for _, n := range []int{100, 10000} {
		b.Run(fmt.Sprintf("turns=%d", n), func(b *testing.B) {
			turns, _ := newSaga("en", 1).Play(n, nil)
			index := &memory.Index{}
			remember(b, index, "c", turns...)
			s, i := newSaga("en", 2), n
			b.ReportAllocs()
			for b.Loop() {
				i++
				remember(b, index, "c", s.Turn(i, ""))
			}
			if seen, err := index.Has(b.Context(), "c", turnID(i)); !seen || err != nil {
				b.Errorf("turn %d: %v, %v", i, seen, err)
			}
		})
	}
}
