package memory_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/internal/testkit"
)

// TestTwiceIsOnce: a turn that is added again changes nothing. A turn whose text changed is found
// by the new text only.
func TestTwiceIsOnce(t *testing.T) {
	t.Parallel()
	index := &memory.Index{}
	turn := memory.Turn{ID: "t1", Index: 1, Text: "The bridge stands."}
	remember(t, index, "c", turn, turn, turn)
	q := memory.Query{Campaign: "c", Head: "t1", Texts: []string{"bridge tower"}, Limit: 100}
	if items := recall(t, index, q); len(items) != 1 || items[0].Hash != turn.Hash() {
		t.Errorf("after three times: %v", items)
	}
	if passages, _ := index.Held("c"); passages != 1 {
		t.Errorf("%d passages", passages)
	}
	turn.Text = "The tower stands."
	remember(t, index, "c", turn)
	if items := recall(t, index, q); len(items) != 1 || items[0].Text != turn.Text || items[0].Hash != turn.Hash() {
		t.Errorf("after an edit: %v", items)
	}
	turn.Summary = "They reached the mill."
	remember(t, index, "c", turn)
	if items := recall(t, index, memory.Query{Campaign: "c", Head: "t1", Texts: []string{"mill"}, Limit: 100}); len(items) != 1 || items[0].Text != turn.Summary {
		t.Errorf("with a summary: %v", items)
	}
	turn.Witnesses = []string{"mara"}
	remember(t, index, "c", turn)
	q.Viewer = "orrin"
	if items := recall(t, index, q); len(items) != 0 {
		t.Errorf("orrin knows of %v", items)
	}
	for _, c := range []struct {
		hearers []string
		public  bool
		want    int
	}{{nil, false, 1}, {[]string{"mara"}, false, 1}, {[]string{"mara", "orrin"}, false, 0}, {nil, true, 0}} {
		q.Viewer, q.Hearers, q.Public = "mara", c.hearers, c.public
		if items := recall(t, index, q); len(items) != c.want {
			t.Errorf("for %v, public %t: %v", c.hearers, c.public, items)
		}
	}
}

// TestReplacedTurnsAreSwept: replaced turns do not take space permanently. The answers equal the
// answers of an index with only the last texts.
func TestReplacedTurnsAreSwept(t *testing.T) {
	t.Parallel()
	edited, fresh := &memory.Index{}, &memory.Index{}
	for version := range 60 {
		for i := 1; i <= 40; i++ {
			seed := version*100 + i
			if i <= 5 { // never replaced, so every sweep moves it
				seed = 5900 + i
			}
			turn := newSaga("en", uint64(seed)).Turn(i, fmt.Sprintf("word%d", seed))
			if i > 5 || version == 0 {
				remember(t, edited, "c", turn)
			}
			if version == 59 {
				remember(t, fresh, "c", turn)
			}
		}
	}
	passages, terms := edited.Held("c")
	if want, _ := fresh.Held("c"); passages > 2*want+2000 {
		t.Errorf("%d passages are held for %d", passages, want)
	}
	if terms > 2000 {
		t.Errorf("%d terms are held", terms)
	}
	for i := 1; i <= 80; i++ {
		seed := uint64(i) // of a first version, or of a last one
		if i > 40 {
			seed = uint64(5900 + i - 40)
		}
		q := memory.Query{Campaign: "c", Head: turnID(40), Limit: 600, Texts: []string{newSaga("en", seed).Turn(i%40, "").Text}}
		if diff := cmp.Diff(recall(t, fresh, q), recall(t, edited, q)); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestIndexForgetsTheOldest: a campaign keeps Passages passages, from the newest turns. It still
// reports that it has seen the removed turns.
func TestIndexForgetsTheOldest(t *testing.T) {
	t.Parallel()
	index := &memory.Index{Passages: 5}
	for i := 1; i <= 20; i++ {
		remember(t, index, "c", memory.Turn{ID: turnID(i), Parent: turnID(i - 1), Index: i, Text: fmt.Sprintf("The key, for the time number %d.", i)})
	}
	remember(t, index, "c", memory.Turn{ID: turnID(1), Index: 1, Text: "The key, after an edit."})
	items := recall(t, index, memory.Query{Campaign: "c", Texts: []string{"key"}, Limit: 600})
	var got []string
	for _, item := range items {
		got = append(got, item.TurnID)
	}
	if diff := cmp.Diff([]string{turnID(20), turnID(19), turnID(18), turnID(17), turnID(16)}, got); diff != "" {
		t.Error(diff)
	}
	if seen, err := index.Has(t.Context(), "c", turnID(1)); !seen || err != nil {
		t.Errorf("the first turn: %v, %v", seen, err)
	}
}

// TestIndexForgetsUnusedCampaigns: with too many campaigns, the least recently used one is removed.
// Seen is then false for it, so that it can be added again.
func TestIndexForgetsUnusedCampaigns(t *testing.T) {
	t.Parallel()
	index := &memory.Index{Campaigns: 2}
	turn := memory.Turn{ID: "t1", Text: "The key."}
	remember(t, index, "a", turn)
	remember(t, index, "b", turn)
	recall(t, index, memory.Query{Campaign: "a"})
	remember(t, index, "c", turn)
	index.Forget("c")
	for id, want := range map[string]bool{"a": true, "b": false, "c": false} {
		if got, err := index.Has(t.Context(), id, "t1"); got != want || err != nil {
			t.Errorf("%s: %v, %v", id, got, err)
		}
	}
}

// TestLimits: an answer respects the limit of tokens and MaxItems. Texts that are too long are read
// up to their limits, and a query without a result is not an error.
func TestLimits(t *testing.T) {
	t.Parallel()
	index := &memory.Index{}
	for i := 1; i <= 100; i++ {
		remember(t, index, "c", memory.Turn{ID: turnID(i), Parent: turnID(i - 1), Index: i, Text: fmt.Sprintf("key %d", i)})
	}
	long := strings.Repeat("钥匙 word, ", 262144/10)
	remember(t, index, "long", memory.Turn{ID: "t1", Text: long + "needle", Summary: long + "needle"})
	ask := func(campaign, text string, limit int) int {
		return len(recall(t, index, memory.Query{Campaign: campaign, Texts: []string{text}, Limit: limit}))
	}
	for _, c := range []struct {
		reason      string
		items, want int
	}{
		{"no limit asks for nothing", ask("c", "key", 0), 0},
		{"no room for one", ask("c", "key", 1), 0},
		{"room for three of two tokens", ask("c", "key", 6), 3},
		{"MaxItems", ask("c", "key", 1<<20), memory.MaxItems},
		{"an unknown campaign", ask("d", "key", 100), 0},
		{"no text", ask("c", "", 100), 0},
		{"an unknown word", ask("c", "xyzzy", 100), 0},
		{"what is behind MaxTurnBytes", ask("long", "needle", 100), 0},
		{"what is before", min(ask("long", "钥匙", 100), 1), 1},
		{"what is behind MaxQueryBytes in all texts", len(recall(t, index, memory.Query{Campaign: "c", Texts: []string{strings.Repeat("x ", 16384/2), "key"}, Limit: 100})), 0},
		{"what is behind MaxQueryBytes", ask("c", strings.Repeat("x ", 16384/2)+"key", 100), 0},
	} {
		if c.items != c.want {
			t.Errorf("%s: %d items, want %d", c.reason, c.items, c.want)
		}
	}
}

// TestOlderTextsCountLess: a line of three words counts even next to a long older text, and an old
// text counts least.
func TestOlderTextsCountLess(t *testing.T) {
	t.Parallel()
	index := &memory.Index{}
	for i, text := range []string{"The bridge.", "The tower.", "The wolf."} {
		remember(t, index, "c", memory.Turn{ID: fmt.Sprint("t", i), Index: i, Text: text})
	}
	items := recall(t, index, memory.Query{Campaign: "c", Limit: 100,
		Texts: []string{"a wolf?", "we saw many things: " + strings.Repeat("rain ", 50) + "tower", "to a bridge"}})
	var got []string
	for _, item := range items {
		got = append(got, item.Text)
	}
	if diff := cmp.Diff([]string{"The wolf."}, got[:1]); diff != "" {
		t.Error(diff)
	}
}

// TestDoneContext: every method returns the error of a done context.
func TestDoneContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	index := &memory.Index{}
	_, recalled := index.Recall(ctx, memory.Query{})
	_, seen := index.Has(ctx, "c", "t")
	for _, err := range []error{index.Remember(ctx, "c", memory.Turn{}), recalled, seen} {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// TestConcurrentUse: campaigns are written and queried at the same time. Each answer is the answer
// before or after a write.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	index := &memory.Index{Campaigns: 3}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			campaign := fmt.Sprint("c", worker/2)
			for i := 1; i <= 200; i++ {
				remember(t, index, campaign, memory.Turn{ID: turnID(i), Parent: turnID(i - 1), Index: i, Text: fmt.Sprint("key ", i)})
				items := recall(t, index, memory.Query{Campaign: campaign, Head: turnID(i), Texts: []string{fmt.Sprint("key ", i)}, Limit: 100})
				if len(items) == 0 || items[0].TurnID != turnID(i) {
					t.Errorf("turn %d: %v", i, items)
				}
			}
		})
	}
	group.Wait()
}

// TestLineage: rollbacks, branches and alternatives of one turn.
func TestLineage(t *testing.T) {
	t.Parallel()
	var l memory.Lineage
	for _, turn := range []struct{ id, parent string }{
		{"1", "0"}, {"2", "1"}, {"3", "2"}, // 0 is unknown: the beginning
		{"4", "1"}, {"5", "4"}, // after a rollback to 1
		{"3b", "2"}, {"6", "3b"}, // an alternative of 3, continued
		{"5", "3"},           // known: it does not move
		{"x", "x"}, {"", ""}, // first turns, with any parents
	} {
		l.Add(turn.id, turn.parent)
	}
	for head, want := range map[string]string{
		"1": "1", "3": "1 2 3", "5": "1 4 5", "6": "1 2 3b 6", "4": "1 4", "x": "x", "0": "", "9": "",
	} {
		var got []string
		path := l.Path(head)
		for _, id := range []string{"0", "1", "2", "3", "4", "5", "3b", "6", "x", "9"} {
			if path.Has(id) {
				got = append(got, id)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("to %s lead %q, want %q", head, s, want)
		}
	}
	if !l.Has("3b") || l.Has("0") {
		t.Error("Has")
	}
}

// TestRoundTrip: turns, queries and items are restored from their JSON unchanged.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	turn := memory.Turn{ID: "t", Parent: "s", Index: 3, Player: "p", Text: "铜\n", Summary: "s", Witnesses: []string{"mara"}}
	query := memory.Query{Campaign: "c", Branch: "b", Head: "h", Before: 2, Viewer: "v", Texts: []string{"", "x"}, Limit: 9}
	item := memory.Item{ID: "i", TurnID: "t", Hash: turn.Hash(), Text: "x", Score: 0.123456, Witnesses: []string{"orrin"}}
	roundTrip(t, turn)
	roundTrip(t, memory.Turn{})
	roundTrip(t, query)
	roundTrip(t, item)
	roundTrip(t, memory.Item{})
	if other := (memory.Turn{Player: "p铜", Text: "\n"}); other.Hash() == turn.Hash() {
		t.Error("the line and the answer are not told apart")
	}
}

func roundTrip[T any](t *testing.T, v T) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var back T
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, back); diff != "" {
		t.Error(diff)
	}
}

// TestCostFollowsTheTurn: the allocation of adding depends on the new turns, not on the known ones:
// four times as many turns cost about four times as much.
func TestCostFollowsTheTurn(t *testing.T) {
	turns, _ := newSaga("en", 1).Play(8000, nil)
	cost := func(n int) uint64 {
		index := &memory.Index{}
		return testkit.Bytes(func() { remember(t, index, "c", turns[:n]...) })
	}
	few, many := cost(2000), cost(8000)
	t.Logf("per turn: %d bytes in 2,000, %d in 8,000", few/2000, many/8000)
	if many > 5*few {
		t.Errorf("8,000 turns allocate %d bytes, 2,000 turns %d", many, few)
	}
}

// TestTermsOfAQueryAreLimited: only the first 256 terms of the texts of a query count.
func TestTermsOfAQueryAreLimited(t *testing.T) {
	t.Parallel()
	index := &memory.Index{}
	remember(t, index, "c", memory.Turn{ID: "t1", Index: 1, Text: "The bridge stands."})
	for words, want := range map[int]int{255: 1, 256: 0} {
		var text strings.Builder
		for n := range words {
			fmt.Fprintf(&text, "word%d ", n)
		}
		if items := recall(t, index, memory.Query{Campaign: "c", Head: "t1", Texts: []string{text.String() + "bridge"}, Limit: 100}); len(items) != want {
			t.Errorf("after %d other terms: %d items", words, len(items))
		}
	}
}

// TestTwinsOfDifferentWitnesses: a text that two turns share is found once, unless different
// characters know it.
func TestTwinsOfDifferentWitnesses(t *testing.T) {
	t.Parallel()
	for second, want := range map[string]int{"mara": 1, "orrin": 2} {
		index := &memory.Index{}
		remember(t, index, "c", memory.Turn{ID: "t1", Index: 1, Text: "The bridge stands.", Witnesses: []string{"mara"}},
			memory.Turn{ID: "t2", Parent: "t1", Index: 2, Text: "The bridge stands.", Witnesses: []string{second}})
		if items := recall(t, index, memory.Query{Campaign: "c", Head: "t2", Texts: []string{"bridge"}, Limit: 100}); len(items) != want {
			t.Errorf("mara and %s: %d items", second, len(items))
		}
	}
	// The later turn is found, also if the earlier one was remembered after it.
	index := &memory.Index{}
	remember(t, index, "c", memory.Turn{ID: "t1", Index: 1, Text: "Fog."}, memory.Turn{ID: "t2", Parent: "t1", Index: 2, Text: "The bridge stands."},
		memory.Turn{ID: "t1", Index: 1, Text: "The bridge stands."})
	if items := recall(t, index, memory.Query{Campaign: "c", Head: "t2", Texts: []string{"bridge"}, Limit: 100}); len(items) != 1 || items[0].TurnID != "t2" {
		t.Errorf("a text of two turns: %+v", items)
	}
}
