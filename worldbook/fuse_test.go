package worldbook_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	wb "github.com/talewright/talewright/worldbook"
)

// TestFuse: a regex that runs into a limit is switched off for the scan, named in
// the result, and stays off in a replay that has the name (WB-33).
func TestFuse(t *testing.T) {
	t.Parallel()
	const greedy = `/(?:(a|b))*\1c/`
	entries := []wb.Entry{
		{UID: "1", Keys: []string{greedy}, Content: "x"},
		{UID: "2", Keys: []string{"bab"}, Content: "y"},
	}
	c, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, wb.Exact())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	in := wb.Input{
		Messages:    []wb.Message{{Text: "aac"}, {Text: "bab " + strings.Repeat("ab", 60000)}},
		ContextSize: 4096,
	}
	r, _ := c.Scan(in, wb.State{})
	if !slices.Equal(r.Fuses, []string{greedy}) {
		t.Fatalf("fuses %q", r.Fuses)
	}
	in.Messages[1].Text = "bab" // the replay has the name, not the trouble
	in.BlownFuses = r.Fuses
	replay, _ := c.Scan(in, wb.State{})
	if diff := cmp.Diff(activated(&r), activated(&replay)); diff != "" {
		t.Error(diff)
	}
	in.BlownFuses = nil
	free, _ := c.Scan(in, wb.State{})
	if len(free.Activated) != 2 || len(free.Fuses) > 0 {
		t.Errorf("without trouble: %v, fuses %q", activated(&free), free.Fuses)
	}
}

// TestCut lists what the budget refused (WB-22).
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
	r, _ := c.Scan(wb.Input{ContextSize: 4096}, wb.State{})
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
