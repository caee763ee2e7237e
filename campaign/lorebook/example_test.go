package lorebook_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/lorebook"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/profile"
)

// An entry of an author's book is changed for one campaign.
func ExampleOverlay() {
	books := []worldbook.Attachment{{Book: worldbook.Book{Name: "tavern", Entries: []worldbook.Entry{
		{UID: "1", Content: "The barrel leaks."}, {UID: "2", Content: "The bell is cracked."}}}}}
	compiled, _ := worldbook.Compile(books, profile.Exact())
	index := lorebook.NewIndex(compiled, books)

	text := "The barrel holds."
	edits, _ := lorebook.Edits{}.Change(index.Find("1")[0], effect.UpdateEntry{Content: &text})
	edits, _ = edits.Remove(index.Find("2")[0])
	added := lorebook.Add(nil, effect.AddEntry{ID: "note", BookID: "notes", Content: "Beware."})

	add, without := lorebook.Overlay(added, edits, func() *lorebook.Index { return index })
	for _, a := range add {
		fmt.Println(a.Book.Name, a.Book.Entries[0].UID, a.Book.Entries[0].Content)
	}
	fmt.Println("without", without)
	// Output:
	// notes note Beware.
	// tavern 1 The barrel holds.
	// without [tavern.1 tavern.2]
}
