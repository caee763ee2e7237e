package worldbook_test

import (
	"encoding/json"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// TestOverlayChangedInPlace: what is remembered of an overlay goes by what it says.
// The host may change its entries where they are, or build equal ones anew.
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
