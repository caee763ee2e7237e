package worldbook_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	wb "github.com/talewright/talewright/worldbook"
)

// TestAdopt: an edited book keeps the effects that still apply (WB-23). Each row edits an entry
// whose sticky effect runs from message 1 to 6, and scans messages 2 and 3.
func TestAdopt(t *testing.T) {
	t.Parallel()
	entry := wb.Entry{UID: "1", Keys: []string{"curse"}, Content: "Cursed.", Sticky: 5, Cooldown: 2}
	for _, row := range []struct {
		reason string
		edit   func(*wb.Entry)
		lost   string // active without Adopt
		kept   string // and with it
		sticky map[string]wb.Record
	}{
		{"nothing", func(*wb.Entry) {}, "1", "1", map[string]wb.Record{"b.1": {Start: 1, End: 6}}},
		{"another text", func(e *wb.Entry) { e.Content = "Badly cursed." }, "", "1",
			map[string]wb.Record{"b.1": {Start: 1, End: 6}}},
		{"a shorter effect ends as it was begun", func(e *wb.Entry) { e.Sticky = 1 }, "", "1",
			map[string]wb.Record{"b.1": {Start: 1, End: 6}}},
		{"no effect", func(e *wb.Entry) { e.Sticky = 0 }, "", "", nil},
		{"another entry in its place", func(e *wb.Entry) { e.UID = "2" }, "", "",
			map[string]wb.Record{"b.1": {Start: 1, End: 6}}},
		{"another book, the same id", func(e *wb.Entry) { e.World, e.Comment = new("b"), "moved" }, "", "1",
			map[string]wb.Record{"b.1": {Start: 1, End: 6}}},
	} {
		_, state := featureBook(t, wb.Exact(), entry).Scan(says("A curse!"), wb.State{})
		before := maps.Clone(state.Sticky)
		edited := entry
		row.edit(&edited)
		c := featureBook(t, wb.Exact(), edited)
		in := says("A curse!", "…", "Well.")
		r, _ := c.Scan(in, state)
		wantText(t, row.reason+", not adopted", uids(r), row.lost)
		adopted := c.Adopt(state)
		r, _ = c.Scan(in, adopted)
		wantText(t, row.reason+", adopted", uids(r), row.kept)
		hashes := cmpopts.IgnoreFields(wb.Record{}, "Hash")
		if diff := cmp.Diff(row.sticky, adopted.Sticky, hashes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
		if !maps.Equal(before, state.Sticky) {
			t.Errorf("%s: the argument was changed", row.reason)
		}
	}
}

// TestAdoptKeepsOverlay: the effects of an entry that rules added stay while the
// book below is edited (WB-37).
func TestAdoptKeepsOverlay(t *testing.T) {
	t.Parallel()
	in := says("A rumour.")
	in.Overlay.Add = []wb.Attachment{{Book: wb.Book{Name: "added", Entries: []wb.Entry{
		{UID: "9", Keys: []string{"rumour"}, Content: "It was poison.", Sticky: 4},
	}}}}
	king := wb.Entry{UID: "1", Keys: []string{"king"}, Content: "Dead."}
	_, state := featureBook(t, wb.Exact(), king).Scan(in, wb.State{})
	king.Content = "Long dead."
	c := featureBook(t, wb.Exact(), king)
	in.Messages = append(in.Messages, wb.Message{Text: "…"}, wb.Message{Text: "Well."})
	r, _ := c.Scan(in, c.Adopt(state))
	wantText(t, "active", uids(r), "9")
}

// TestNamesWithDots: an id as text has no escapes, so it is tried at every dot.
func TestNamesWithDots(t *testing.T) {
	t.Parallel()
	book := wb.Book{Name: "v1.2", Entries: []wb.Entry{
		{UID: "a.b", Keys: []string{"curse"}, Content: "Cursed.", Sticky: 5},
	}}
	c, _ := wb.Compile([]wb.Attachment{{Book: book}}, wb.Exact())
	state := c.Adopt(wb.State{Sticky: map[string]wb.Record{"v1.2.a.b": {Start: 1, End: 6}}})
	wantText(t, "active", uids(first(c.Scan(says("Hello.", "Well."), state))), "a.b")
}

// first drops the state of a scan.
func first(r wb.Result, _ wb.State) wb.Result { return r }

// TestSetEffects: effects by hand, with and without the quirk that makes them inactive in
// SillyTavern (Q13).
func TestSetEffects(t *testing.T) {
	t.Parallel()
	entries := []wb.Entry{
		{UID: "1", Keys: []string{"rain"}, Content: "It rains.", Sticky: 4, Cooldown: 2},
		{UID: "2", Keys: []string{"rain"}, Content: "Wet."},
	}
	id := func(uid string) wb.ID { return wb.ID{Book: "b", UID: uid} }
	set := wb.Exact()
	exact := featureBook(t, set, entries...)
	set.QuirksOff = []wb.Quirk{"hand-set-effect"}
	c := featureBook(t, set, entries...)
	sunny, rain := says("Hello.", "Hi."), says("Hello.", "Rain?")
	for _, row := range []struct {
		reason string
		on     *wb.Compiled
		state  wb.State
		in     wb.Input
		want   string
	}{
		{"sticky", c, c.SetSticky(wb.State{}, id("1"), true, 1), sunny, "1"},
		{"cooldown", c, c.SetCooldown(wb.State{}, id("1"), true, 1), rain, "2"},
		{"with the quirk", exact, exact.SetSticky(wb.State{}, id("1"), true, 1), sunny, ""},
		{"not yet over", c, c.SetSticky(wb.State{}, id("1"), true, -1), sunny, "1"},
		{"over", c, c.SetSticky(wb.State{}, id("1"), true, -2), sunny, ""},
	} {
		wantText(t, row.reason, uids(first(row.on.Scan(row.in, row.state))), row.want)
	}
	stuck := c.SetSticky(wb.State{}, id("1"), true, 1)
	for reason, got := range map[string]wb.State{
		"switched off":   c.SetSticky(stuck, id("1"), false, 1),
		"unknown entry":  c.SetSticky(wb.State{}, id("7"), true, 1),
		"no such effect": c.SetSticky(wb.State{}, id("2"), true, 1),
	} {
		if diff := cmp.Diff(wb.State{}, got); diff != "" {
			t.Errorf("%s: %s", reason, diff)
		}
	}
	if len(stuck.Sticky) != 1 {
		t.Error("the argument was changed")
	}
}
