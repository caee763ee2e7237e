package memory_test

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
)

// TestVectorsGrowth checks that Remember and Recall take time in proportion to the length and number of
// turns.
func TestVectorsGrowth(t *testing.T) {
	testkit.Growth(t,
		testkit.Reader{Name: "turn", Size: 4 << 10, Atoms: []testkit.Atom{
			testkit.Repeat("key. "), testkit.Repeat("铜钥匙。"), testkit.Repeat("a"), testkit.Repeat("\xff"), testkit.Repeat("\n"),
		}, Read: func(text string) {
			m := openVectors(t, memory.VectorConfig{Embedder: &scripted{}})
			rememberIn(t, m, memory.Turn{ID: "t", Player: text, Summary: text})
			recallNear(t, m, memory.Query{Texts: []string{text, text}, Limit: 600})
		}},
		testkit.Reader{Name: "campaign", Size: 1 << 10, Atoms: []testkit.Atom{
			testkit.Repeat("key\n"), testkit.Repeat("a key of the wolf\n"), testkit.Repeat("\n"),
		}, Read: func(text string) {
			m, n := openVectors(t, memory.VectorConfig{Embedder: &scripted{}}), 0
			for line := range strings.Lines(text) {
				n++
				rememberIn(t, m, memory.Turn{ID: strconv.Itoa(n), Parent: strconv.Itoa(n - 1), Text: fmt.Sprint(line, n)})
			}
			recallNear(t, m, memory.Query{Head: strconv.Itoa(n), Texts: []string{"key"}, Limit: 600})
		}})
}

// FuzzVectors compares Recall with an oracle that compares every passage.
func FuzzVectors(f *testing.F) {
	f.Add("The key.\nThe wolf.\nA tower, and a wolf.\n", "key tower", "wolf", 600, "2")
	f.Add("铜钥匙在。\n狼\n狼\n", "铜钥匙", "\xff", 50, "")
	f.Fuzz(func(t *testing.T, story, newest, older string, limit int, head string) {
		if len(story)+len(newest)+len(older) > 1900 || strings.TrimSpace(newest) != newest || strings.TrimSpace(older) != older || newest == "" || older == "" {
			return // the oracle neither limits queries nor trims blanks
		}
		m, oracle := openVectors(t, memory.VectorConfig{Embedder: &scripted{}}), &vectorBook{}
		for line := range strings.Lines(story) {
			n := len(oracle.turns)
			turn := memory.Turn{ID: strconv.Itoa(n), Parent: strconv.Itoa(n - 1), Index: n, Text: line}
			rememberIn(t, m, turn)
			oracle.remember(turn)
		}
		q := memory.Query{Texts: []string{newest, older}, Limit: limit, Head: head}
		want := oracle.recall(q)
		if limit <= 0 {
			want = nil
		}
		if diff := gocmp.Diff(want, recallNear(t, m, q)); diff != "" {
			t.Error(diff)
		}
	})
}

// waves is an embedder of long vectors that costs almost no time.
type waves struct{}

func (waves) Embed(_ context.Context, _ string, texts []string) ([][]float32, *llm.Usage, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, 1000)
		for j := range out[i] {
			out[i][j] = float32(math.Sin(float64(len(text)*j + int(text[len(text)-1])*j*j)))
		}
	}
	return out, nil, nil
}

// BenchmarkVectors queries campaigns of different lengths, with one passage for each turn.
func BenchmarkVectors(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprintf("turns=%d", n), func(b *testing.B) {
			m := openVectors(b, memory.VectorConfig{Embedder: waves{}})
			for i := range n {
				rememberIn(b, m, memory.Turn{ID: strconv.Itoa(i), Parent: strconv.Itoa(i - 1), Text: strings.Repeat("a", i%200) + strconv.Itoa(i)})
			}
			q := memory.Query{Campaign: "c", Head: strconv.Itoa(n - 1), Texts: []string{"aaa3"}, Limit: 600}
			for b.Loop() {
				if items := recallNear(b, m, q); len(items) == 0 || items[0].Score < 0.99 {
					b.Fatalf("%+v", items)
				}
			}
		})
	}
}
