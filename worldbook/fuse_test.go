package worldbook_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

// greedy is a regex key that takes too many steps on long rows of a and b.
const greedy = `/(?:(a|b))*\1c/`

// stall is such a row.
var stall = wb.Message{Text: "bab " + strings.Repeat("ab", 6000)}

// A stopped key rests for fuseRest messages.
const fuseRest = 100

func fuseBook(t *testing.T, keys ...string) *wb.Compiled {
	t.Helper()
	var entries []wb.Entry
	for i, k := range keys {
		entries = append(entries, wb.Entry{UID: fmt.Sprint(i + 1), Keys: []string{k}, Content: "x"})
	}
	c, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, wb.Exact())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return c
}

// TestFuse: a regex that takes too many steps is stopped for the scan, listed in the result, and
// rests for a while. Then it is tried again (WB-33).
func TestFuse(t *testing.T) {
	t.Parallel()
	c := fuseBook(t, greedy, "bab")
	in := wb.Input{Messages: []wb.Message{{Text: "aac"}, stall}, ContextSize: 4096}
	first, st := c.Scan(in, wb.State{})
	want := []wb.Fuse{{Key: greedy, Start: 2, End: 2 + fuseRest}}
	if diff := cmp.Diff(want, st.Fuses); diff != "" || !slices.Equal(first.Fuses, []string{greedy}) {
		t.Fatalf("fuses %q\n%s", first.Fuses, diff)
	}
	in.Messages = append(in.Messages, wb.Message{Text: "aac bab"})
	later, next := c.Scan(in, st)
	if diff := cmp.Diff([]string{"2"}, activated(&later)); diff != "" || !slices.Equal(later.Fuses, []string{greedy}) {
		t.Errorf("resting: fuses %q\n%s", later.Fuses, diff)
	}
	if diff := cmp.Diff(st.Fuses, next.Fuses); diff != "" {
		t.Error(diff)
	}
	for len(in.Messages) < 2+fuseRest {
		in.Messages = append(in.Messages, wb.Message{Text: "aac bab"})
	}
	awake, next := c.Scan(in, st)
	if len(awake.Activated) != 2 || awake.Fuses != nil || next.Fuses != nil {
		t.Errorf("awake: %v, fuses %q %v", activated(&awake), awake.Fuses, next.Fuses)
	}
	in.Messages = []wb.Message{{Text: "aac bab"}}
	back, next := c.Scan(in, st)
	if len(back.Activated) != 2 || next.Fuses != nil {
		t.Errorf("a chat that went back: %v, fuses %v", activated(&back), next.Fuses)
	}
	in.DryRun, in.Messages = true, []wb.Message{{Text: "x"}, stall}
	if dry, next := c.Scan(in, wb.State{}); len(dry.Fuses) != 1 || next.Fuses != nil {
		t.Errorf("a dry run: %q, remembers %v", dry.Fuses, next.Fuses)
	}
}

// TestFuseWhateverIsCached: results and states are the same with a cache, without a cache, and with
// a cache of texts from other states.
func TestFuseWhateverIsCached(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	c := fuseBook(t, greedy, `/(?=(b+))\1a+c/`, "bab", `/x\s+{{char}}$/m`, `/(a+)[^]*?\1 (b)\2/`)
	shared := wb.NewCache(0)
	run := func(cache func() *wb.Cache) (out []wb.Result, states []wb.State) {
		var st wb.State
		in := wb.Input{ContextSize: 4096, Char: "Ann"}
		for i := range 2 * fuseRest {
			text := wb.Message{Text: fmt.Sprintf("aac bab %d x Ann", i)}
			if i%37 == 5 {
				text = stall
			}
			in.Messages = append(in.Messages, text)
			in.Cache = cache()
			var r wb.Result
			r, st = c.Scan(in, st)
			out, states = append(out, r), append(states, st)
		}
		return out, states
	}
	want, wantStates := run(func() *wb.Cache { return wb.NewCache(-1) })
	for range 2 {
		got, gotStates := run(func() *wb.Cache { return shared })
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(wb.Result{})); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(wantStates, gotStates); diff != "" {
			t.Fatal(diff)
		}
	}
	blown := 0
	for _, st := range wantStates {
		blown = max(blown, len(st.Fuses))
	}
	if blown == 0 {
		t.Error("no fuse blew")
	}
}

// TestManyStallsAreShort: the total cost of all regexes of a scan is limited too, and a second scan
// does not pay it again.
func TestManyStallsAreShort(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	var keys []string
	for i := range 200 {
		keys = append(keys, fmt.Sprintf(`/(?:(a|b))*\1\dc{%d}/`, i+20))
	}
	c := fuseBook(t, keys...)
	in := wb.Input{Messages: []wb.Message{{Text: "hello"}, stall}, ContextSize: 4096, Cache: wb.NewCache(-1)}
	r, st := c.Scan(in, wb.State{})
	if len(r.Fuses) != len(keys) || len(st.Fuses) != len(keys) {
		t.Errorf("%d of %d were given up", len(r.Fuses), len(keys))
	}
	again, next := c.Scan(in, st)
	if diff := cmp.Diff(st, next); diff != "" || !slices.Equal(r.Fuses, again.Fuses) {
		t.Error(diff)
	}
}

// TestCut lists the entries that the budget refused (WB-22).
func TestCut(t *testing.T) {
	t.Parallel()
	entry := func(uid string, order float64) wb.Entry {
		return wb.Entry{UID: uid, Constant: true, Order: order, Content: strings.Repeat("word", 10)}
	}
	free := entry("free", 1)
	free.IgnoreBudget = true
	settings := wb.Exact()
	settings.BudgetCap = 15
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{
		entry("a", 9), entry("b", 8), entry("c", 7), free,
	}}}}, settings)
	r, _ := c.Scan(wb.Input{ContextSize: 4096, CountTokens: quarter}, wb.State{})
	want := []wb.Cut{
		{ID: wb.ID{Book: "b", UID: "b"}, Tokens: 21, Budget: 15},
		{ID: wb.ID{Book: "b", UID: "c"}, Budget: 15},
	}
	if diff := cmp.Diff(want, r.Cut); diff != "" || !r.Overflowed {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := activated(&r); !slices.Equal(got, []string{"a", "free"}) {
		t.Errorf("active %v", got)
	}
	each := wb.Input{ContextSize: 4096, CountEach: true, CountTokens: func(s string) int { return len(s) / 3 }}
	r, _ = c.Scan(each, wb.State{})
	if len(r.Cut) != 2 || r.Used != 26 {
		t.Errorf("counted each: %+v, used %d", r.Cut, r.Used)
	}
}
