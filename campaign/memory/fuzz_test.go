package memory_test

import (
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/memory"
)

// FuzzPassages: every text is split into passages that contain all of it.
func FuzzPassages(f *testing.F) {
	for _, seed := range []string{"", "He nods. “Yes.” 他点头。……", strings.Repeat("a", 300), strings.Repeat("剑。", 90), "\xff\n. \xe9\x93"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkPassages(t, text, memory.Pieces(text)) })
}

// FuzzRecall: for any turns and any query, the index returns the same as the oracle. Each line of
// the story is a turn; a digit before it is the number of turns that it goes back.
func FuzzRecall(f *testing.F) {
	f.Add("The key.\nThe wolf.\n1The tower.\n", "key tower", "wolf", 600, 0, "t2")
	f.Add("铜钥匙在。\n狼\n", "铜钥匙", "\xff", 50, 2, "")
	f.Add("keys keys\n0keys\n9\n", "Key's", "", 1<<20, -1, "t9")
	f.Fuzz(func(t *testing.T, story, newest, older string, limit, before int, head string) {
		if len(story)+len(newest)+len(older) > 16384 {
			return // the oracle has no limits of queries: TestLimits checks them
		}
		if len(memory.Terms(newest))+len(memory.Terms(older)) > 256 {
			return
		}
		index, oracle := &memory.Index{}, &book{}
		n := 0
		for line := range strings.Lines(story) {
			n++
			back := 1
			if c := line[0]; '0' < c && c <= '9' {
				back = int(c - '0')
			}
			turn := memory.Turn{ID: "t" + strconv.Itoa(n), Parent: "t" + strconv.Itoa(n-back), Index: n, Text: line, Player: strings.ToUpper(line)}
			if n%3 == 0 {
				turn.Summary, turn.Witnesses = story[:n], []string{"mara"}
			}
			remember(t, index, "c", turn)
			oracle.remember(turn)
		}
		q := memory.Query{Campaign: "c", Head: head, Before: before, Texts: []string{newest, older}, Limit: min(limit, 1<<30)}
		want := oracle.recall(q)
		if limit <= 0 {
			want = nil
		}
		if diff := gocmp.Diff(want, recall(t, index, q)); diff != "" {
			t.Error(diff)
		}
	})
}
