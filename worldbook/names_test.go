package worldbook_test

import (
	"slices"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// TestBooksOfOneName: two cards with the same book name lose no book, and their entries have
// different ids. A book that is attached again is not a third book.
func TestBooksOfOneName(t *testing.T) {
	t.Parallel()
	attach := func(name, content string, source wb.Source) wb.Attachment {
		return wb.Attachment{Sources: []wb.Source{source}, Book: wb.Book{Name: name, Entries: []wb.Entry{
			{UID: "0", Constant: true, Content: content},
		}}}
	}
	books := []wb.Attachment{
		attach("Lorebook", "one", wb.SourceCharacter), attach("Lorebook", "two", wb.SourceCharacter),
		attach("Lorebook", "one", wb.SourceChat), attach("Lorebook", "two", wb.SourceChat),
		attach("Lorebook (3)", "own", wb.SourceGlobal), attach("Lorebook", "three", wb.SourceGlobal),
		attach("", "free", wb.SourceGlobal), attach("", "free too", wb.SourceGlobal),
	}
	c, problems := wb.Compile(books, wb.Exact())
	r, _ := c.Scan(wb.Input{Messages: []wb.Message{{Text: "Hi."}}, ContextSize: 1 << 16}, wb.State{})
	var got []string
	for _, a := range r.Activated {
		got = append(got, a.ID.Book+": "+a.Text)
	}
	slices.Sort(got)
	want := []string{"(2): free too", ": free", "Lorebook (2): two", "Lorebook (3): own", "Lorebook (4): three", "Lorebook: one"}
	if !slices.Equal(got, want) {
		t.Errorf("activated %q, want %q", got, want)
	}
	if len(problems) != 3 || problems[0].Code != "duplicate_name" || problems[0].Path != "Lorebook" {
		t.Errorf("problems %v", problems)
	}
	if books[1].Book.Name != "Lorebook" {
		t.Error("the input is changed")
	}
}
