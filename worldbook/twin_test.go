package worldbook_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	wb "github.com/talewright/talewright/worldbook"
)

// TestTwins: if one loop activates several entries with one id, one activation is left. It has the
// place of the first entry and all other data of the last. All entries are charged to the budget.
func TestTwins(t *testing.T) {
	t.Parallel()
	entry := func(uid, content string, order float64) wb.Entry {
		return wb.Entry{UID: uid, Keys: []string{"cat"}, Content: content, Order: order}
	}
	settings := wb.Exact()
	settings.Recursive = true
	var loops []wb.Loop
	scan := func(in wb.Input, entries ...wb.Entry) (r wb.Result, st wb.State) {
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "main", Entries: entries}}}, settings)
		in.Messages = []wb.Message{{Text: "a cat"}}
		if in.ContextSize == 0 {
			in.ContextSize = 4096
		}
		in.CountTokens = func(s string) int { return len(s) }
		r, st, loops = wb.ScanLoops(c, in, wb.State{})
		return r, st
	}
	three := []wb.Entry{entry("0", "first", 100), entry("1", "between", 95), entry("0", "second", 90)}
	t.Run("one activation", func(t *testing.T) {
		r, _ := scan(wb.Input{}, three...)
		if diff := cmp.Diff([]string{"0", "1"}, activated(&r)); diff != "" {
			t.Error(diff)
		}
		if got := wb.Join(r.Before); got != "second\nbetween" || r.Activated[0].Text != "second" {
			t.Errorf("before %q, first active %+v", got, r.Activated[0])
		}
		if want := len("first\nbetween\nsecond\n"); r.Used != want {
			t.Errorf("%d tokens, want %d", r.Used, want)
		}
	})
	t.Run("trace", func(t *testing.T) {
		r, _ := scan(wb.Input{Explain: true}, three...)
		want := "an entry of the same id took its place"
		if x := r.Trace[0]; x.Active || x.Gate != want || !r.Trace[2].Active {
			t.Errorf("%v", r.Trace)
		}
	})
	t.Run("the last one's effects", func(t *testing.T) {
		timed := entry("0", "second", 90)
		timed.Sticky = 3
		_, st := scan(wb.Input{}, three[0], three[1], timed)
		if len(st.Sticky) != 1 {
			t.Errorf("the last has an effect: %v", st.Sticky)
		}
		first := entry("0", "first", 100)
		first.Sticky = 3
		if _, st = scan(wb.Input{}, first, three[1], three[2]); len(st.Sticky) != 0 {
			t.Errorf("the first had one: %v", st.Sticky)
		}
	})
	t.Run("the last one's group", func(t *testing.T) {
		first, late := entry("0", "first", 100), entry("2", "late", 10)
		first.Group, late.Group = "pets", "pets"
		late.Keys = []string{"second"}
		r, _ := scan(wb.Input{}, first, three[1], three[2], late)
		if diff := cmp.Diff([]string{"0", "1", "2"}, activated(&r)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("without ids", func(t *testing.T) {
		r, _ := scan(wb.Input{}, entry("", "a", 3), entry("", "b", 2), entry("", "c", 1))
		if got := wb.Join(r.Before); got != "c" {
			t.Errorf("before %q", got)
		}
	})
	t.Run("forced, one candidate", func(t *testing.T) {
		id := wb.ID{Book: "main", UID: "0"}
		force := wb.Input{Forced: []wb.Forced{{ID: id, Override: json.RawMessage(`{"content":"forced"}`)}}}
		r, _ := scan(force, three...)
		if diff := cmp.Diff([]string{"0", "1"}, activated(&r)); diff != "" {
			t.Error(diff)
		}
		if want := len("forced\nbetween\n"); r.Used != want || len(loops[0].Added) != 2 {
			t.Errorf("%d tokens, want %d; candidates %v", r.Used, want, loops[0].Added)
		}
	})
	t.Run("many", func(t *testing.T) {
		var list []wb.Entry
		for range 300 {
			list = append(list, entry("0", "x", 1), entry("", "y", 1))
		}
		list[len(list)-1].Content = "last"
		r, _ := scan(wb.Input{ContextSize: 1 << 20}, list...)
		if got := wb.Join(r.Before); len(r.Activated) != 2 || !strings.Contains(got, "last") {
			t.Errorf("%d active: %q", len(r.Activated), got)
		}
	})
}

// TestNoRollWithoutChance: without random numbers, an entry is active unless its probability is 0
// or less.
func TestNoRollWithoutChance(t *testing.T) {
	t.Parallel()
	for p, want := range map[float64]int{0: 0, -1: 0, 0.5: 1, 50: 1} {
		r, _ := wb.Scan([]wb.Entry{{Constant: true, UseProbability: true, Probability: p, Content: "x"}}, nil, wb.State{})
		if len(r.Activated) != want {
			t.Errorf("probability %v: %d active, want %d", p, len(r.Activated), want)
		}
	}
}

// TestSaidAgainWhileSticky: with the RoleplayConfig profile, a keyword that is said during a sticky
// effect activates the entry after the effect. Earlier keywords do not.
func TestSaidAgainWhileSticky(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason string
		chat   []string
		want   []bool
	}{
		{"said once", []string{"dragon", "x", "y", "z", "w"}, []bool{true, true, true, false, false}},
		{"said again", []string{"dragon", "x", "dragon", "z", "u", "v", "w"},
			[]bool{true, true, true, true, true, true, false}},
	} {
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{
			{UID: "1", Keys: []string{"dragon"}, Content: "x", Sticky: 3},
		}}}}, wb.Roleplay())
		var st wb.State
		in := wb.Input{ContextSize: 4096}
		for i, text := range row.chat {
			in.Messages = append(in.Messages, wb.Message{Text: text})
			var r wb.Result
			r, st = c.Scan(in, st)
			if got := len(r.Activated) == 1; got != row.want[i] {
				t.Errorf("%s, message %d: active %v", row.reason, i+1, got)
			}
		}
	}
}
