package worldbook_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// TestOverlayChangedInPlace: overlays are cached by their content. The host may change its entries
// in place, or build equal ones again.
func TestOverlayChangedInPlace(t *testing.T) {
	t.Parallel()
	c := featureBook(t, wb.Exact(), wb.Entry{UID: "1", Keys: []string{"elf"}, Content: "Elves."})
	e := wb.Entry{
		UID: "2", Keys: []string{"inn"}, Content: "Ale.", ScanDepth: new(1), Order: 1,
		Extra:           map[string]json.RawMessage{"a": json.RawMessage(`1`), "b": json.RawMessage(`2`)},
		CharacterFilter: &wb.CharacterFilter{Names: []string{"Mara"}},
	}
	add := []wb.Attachment{{Book: wb.Book{Name: "now", Entries: []wb.Entry{e}}}}
	in := says("To the inn!", "Yes.")
	in.Overlay.Add, in.Speaker = add, wb.Speaker{Name: "Mara"}
	at := &add[0].Book.Entries[0]
	for _, row := range []struct {
		reason string
		change func()
		want   string
	}{
		{"the key is too far back", func() {}, ""},
		{"a depth, behind its pointer", func() { *at.ScanDepth = 2 }, "2"},
		{"a key, inside its list", func() { at.Keys[0] = "tavern" }, ""},
		{"the same key elsewhere in memory", func() { at.Keys = []string{"inn"} }, "2"},
		{"a name, inside the filter", func() { at.CharacterFilter.Names[0] = "Bo" }, ""},
		{"no filter", func() { at.CharacterFilter = nil }, "2"},
		{"a switch", func() { at.Disable = true }, ""},
		{"another switch", func() { at.Disable, at.Constant = false, true }, "2"},
		{"an entry more", func() {
			add[0].Book.Entries = append(add[0].Book.Entries, wb.Entry{UID: "3", Constant: true, Content: "x"})
		}, "2 3"},
		{"the name of the book", func() { add[0].Book.Entries = add[0].Book.Entries[:1]; add[0].Book.Name = "later" }, "2"},
	} {
		row.change()
		wantText(t, row.reason, scanned(c, in), row.want)
	}
	r, _ := c.Scan(in, wb.State{})
	if got := r.Activated[0].ID; got != (wb.ID{Book: "later", UID: "2"}) {
		t.Errorf("id %v", got)
	}
}

// TestOverlayClosed: the entries of a closed book never take part, and the trace gives the reason.
// The entries of other books take part as before.
func TestOverlayClosed(t *testing.T) {
	t.Parallel()
	attach := func(name, uid string) wb.Attachment {
		return wb.Attachment{Book: wb.Book{Name: name, Entries: []wb.Entry{
			{UID: uid, Keys: []string{"inn"}, Content: "Ale.", Probability: 100}}}}
	}
	c, problems := wb.Compile([]wb.Attachment{attach("house", "1"), attach("cellar", "2")}, wb.Exact())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	in := says("To the inn!")
	wantText(t, "both are open", scanned(c, in), "1 2")
	in.Overlay.Closed = []string{"cellar", "attic"}
	wantText(t, "one is closed", scanned(c, in), "1")
	in.Overlay.Switch = map[string]bool{"2": true, "cellar.2": true}
	wantText(t, "switched on", scanned(c, in), "1")
	in.Forced = []wb.Forced{{ID: wb.ID{Book: "cellar", UID: "2"}}}
	wantText(t, "forced", scanned(c, in), "1")
	in.Overlay.Closed = nil
	wantText(t, "open again", scanned(c, in), "2 1")
	in.Forced, in.Overlay.Closed = nil, []string{"attic"}
	in.Overlay.Add = []wb.Attachment{attach("attic", "3")}
	wantText(t, "an added entry", scanned(c, in), "1 2")
	in.Explain = true
	r, _ := c.Scan(in, wb.State{})
	if got := r.Trace[len(r.Trace)-1].Gate; got != "its book is closed" {
		t.Errorf("gate %q", got)
	}
}

// TestSwitchesByUIDAndByName: a uid alone switches an entry off and on. A switch by the full name
// has precedence.
func TestSwitchesByUIDAndByName(t *testing.T) {
	t.Parallel()
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{
		{UID: "on", Constant: true, Content: "x"}, {UID: "off", Constant: true, Content: "x", Disable: true}}}}}, wb.Exact())
	for _, row := range []struct {
		switches map[string]bool
		want     string
	}{
		{nil, "on"}, {map[string]bool{"on": false}, ""}, {map[string]bool{"off": true}, "off on"}, {map[string]bool{"on": true, "off": false}, "on"},
		{map[string]bool{"on": false, "b.on": true}, "on"}, {map[string]bool{"on": true, "b.on": false}, ""}, {map[string]bool{"b.off": true}, "off on"},
	} {
		r, _ := c.Scan(wb.Input{ContextSize: 4096, Overlay: wb.Overlay{Switch: row.switches}}, wb.State{})
		got := activated(&r)
		slices.Sort(got)
		if strings.Join(got, " ") != row.want {
			t.Errorf("%v: active %v, want %q", row.switches, got, row.want)
		}
	}
}
