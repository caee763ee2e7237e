package memory_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/internal/tokens"
)

// book is the simplest memory: it stores turns, and computes everything for each query.
type book struct{ turns []memory.Turn }

func (b *book) remember(turn memory.Turn) {
	for i, t := range b.turns {
		if t.ID == turn.ID {
			turn.Parent, turn.Index = t.Parent, cmp.Or(turn.Index, t.Index)
			b.turns[i] = turn
			return
		}
	}
	b.turns = append(b.turns, turn)
}

func (b *book) turn(id string) (memory.Turn, bool) {
	i := slices.IndexFunc(b.turns, func(t memory.Turn) bool { return t.ID == id })
	if i < 0 {
		return memory.Turn{}, false
	}
	return b.turns[i], true
}

// leads reports whether a turn leads to the head.
func (b *book) leads(id, head string) bool {
	for t, ok := b.turn(head); ok; t, ok = b.turn(t.Parent) {
		if t.ID == id {
			return true
		}
	}
	return head == ""
}

// page is a passage of the oracle.
type page struct {
	memory.Item
	part, index int
	counts      map[string]int
	length      int
	score       int64
}

func (b *book) pages(q memory.Query) []*page {
	var out []*page
	for _, t := range b.turns {
		if !b.leads(t.ID, q.Head) || q.Before > 0 && t.Index >= q.Before ||
			q.Viewer != "" && len(t.Witnesses) > 0 && !slices.Contains(t.Witnesses, q.Viewer) {
			continue
		}
		for i, one := range t.Passages() {
			p := &page{Item: memory.Item{ID: one.ID, TurnID: t.ID, Hash: t.Hash(), Text: one.Text, Witnesses: t.Witnesses},
				part: i, index: t.Index, counts: map[string]int{}}
			if n, found := strings.CutPrefix(one.ID, t.ID+"/summary/"); found {
				p.part, _ = strconv.Atoi("-" + n)
			}
			for _, term := range memory.Terms(one.Text) {
				p.counts[term]++
				p.length++
			}
			out = append(out, p)
		}
	}
	return out
}

// recall scores every passage with every term, sorts all of them, and cuts.
func (b *book) recall(q memory.Query) []memory.Item {
	pages := b.pages(q)
	length := 0
	for _, p := range pages {
		length += p.length
	}
	mean := float64(length) / float64(len(pages))
	var order []string
	weights := map[string]float64{}
	for i, text := range q.Texts {
		own := memory.Terms(text)
		slices.Sort(own)
		own = slices.Compact(own)
		for _, term := range own {
			if weights[term] == 0 {
				order = append(order, term)
			}
			weights[term] += math.Pow(2, -float64(i)) / float64(len(own))
		}
	}
	for _, term := range order {
		having := 0
		for _, p := range pages {
			if p.counts[term] > 0 {
				having++
			}
		}
		idf := weights[term] * math.Log(1+(float64(len(pages)-having)+0.5)/(float64(having)+0.5))
		for _, p := range pages {
			if tf := float64(p.counts[term]); tf > 0 {
				norm := float64(1.2 * float64(0.25+float64(0.75*(float64(p.length)/mean))))
				p.score += max(int64(math.Round(1e6*idf*float64(tf*2.2)/float64(tf+norm))), 1)
			}
		}
	}
	slices.SortFunc(pages, func(x, y *page) int {
		return cmp.Or(-cmp.Compare(x.score, y.score), -cmp.Compare(x.index, y.index),
			-cmp.Compare(x.TurnID, y.TurnID), cmp.Compare(x.part, y.part))
	})
	var out []memory.Item
	told := map[string]bool{}
	for _, p := range pages {
		key := fmt.Sprintf("%q %q", p.Text, p.Witnesses)
		if p.score == 0 || told[key] {
			continue
		}
		told[key] = true
		q.Limit -= tokens.Estimate(p.Text)
		if q.Limit < 0 || len(out) == memory.MaxItems || p.score < pages[0].score/4 {
			break
		}
		p.Item.Score = float64(p.score) / 1e6
		out = append(out, p.Item)
	}
	return out
}

// chance makes turns and queries from few words, so that they often match.
type chance struct {
	*rand.Rand
	made int
}

func (c *chance) text(words int) string {
	list := strings.Fields("key keys Mara's wolf wolf. tower! 钥匙 铜钥匙 狼， 塔。 늑대 12 of of of…")
	out := make([]string, c.IntN(words+1))
	for i := range out {
		out[i] = list[c.IntN(len(list))]
	}
	return strings.Join(out, " ")
}

func (c *chance) id(n int) string { return fmt.Sprintf("t%d", n) }

func (c *chance) witnesses() []string {
	return [][]string{nil, nil, nil, {"mara"}, {"mara", "orrin"}}[c.IntN(5)]
}

// turn returns a new turn, after the last one or an earlier one, or a new text for an old one.
func (c *chance) turn() memory.Turn {
	n := c.made
	if c.IntN(4) == 0 && n > 0 {
		n = c.IntN(n)
	} else {
		c.made++
	}
	parent := n - 1
	if c.IntN(6) == 0 {
		parent = c.IntN(n+1) - 1
	}
	t := memory.Turn{ID: c.id(n), Parent: c.id(parent), Index: n + 1, Player: c.text(4), Text: c.text(120), Witnesses: c.witnesses()}
	if c.IntN(5) == 0 {
		t.Summary = c.text(150)
	}
	return t
}

func (c *chance) query() memory.Query {
	q := memory.Query{Campaign: "c", Limit: c.IntN(1500)}
	for range 1 + c.IntN(3) {
		q.Texts = append(q.Texts, c.text(5))
	}
	if c.IntN(3) > 0 {
		q.Head = c.id(c.IntN(c.made + 1))
	}
	if c.IntN(3) == 0 {
		q.Before = c.IntN(c.made + 2)
	}
	q.Viewer = []string{"", "mara", "orrin"}[c.IntN(3)]
	return q
}

// TestIndexIsTheOracle: the incremental index answers like a memory that computes everything for
// each query, on all branches and for all viewers, also after turns were replaced.
func TestIndexIsTheOracle(t *testing.T) {
	t.Parallel()
	answered := 0
	for seed := range uint64(30) {
		c := &chance{Rand: rand.New(rand.NewPCG(seed, 1))}
		index, oracle := &memory.Index{}, &book{}
		for range 60 {
			turn := c.turn()
			remember(t, index, "c", turn)
			oracle.remember(turn)
			q := c.query()
			got, want := recall(t, index, q), oracle.recall(q)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, %d turns, %+v: %s", seed, c.made, q, diff)
			}
			answered += len(got)
		}
	}
	if answered < 5000 {
		t.Errorf("only %d items in all", answered)
	}
}

// TestAnswerIsOfTheStory: an answer is the same as from an index that only received the turns that
// lead to the head and that the viewer witnessed. Undone turns and secrets do not affect it, not
// even the scores.
func TestAnswerIsOfTheStory(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		c := &chance{Rand: rand.New(rand.NewPCG(seed, 2))}
		whole, oracle := &memory.Index{}, &book{}
		for range 60 {
			turn := c.turn()
			remember(t, whole, "c", turn)
			oracle.remember(turn)
		}
		for range 20 {
			q := c.query()
			story := &memory.Index{}
			for _, turn := range oracle.turns {
				if oracle.leads(turn.ID, q.Head) && (q.Viewer == "" || len(turn.Witnesses) == 0 || slices.Contains(turn.Witnesses, q.Viewer)) {
					remember(t, story, "c", turn)
				}
			}
			alone := q
			alone.Head, alone.Viewer = "", ""
			if diff := gocmp.Diff(recall(t, story, alone), recall(t, whole, q)); diff != "" {
				t.Fatalf("seed %d, %+v: %s", seed, q, diff)
			}
		}
	}
}
