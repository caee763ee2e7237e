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

// An entry that was added during play has an id of its own, or one by its place.
func ExampleID() {
	fmt.Println(lorebook.ID(0, effect.AddEntry{BookID: "notes", ID: "door"}), lorebook.ID(1, effect.AddEntry{BookID: "notes"}))
	// Output: notes.door notes.added-2
}

// Update changes an entry that was added during play, Applied an entry of an author's book.
func ExampleUpdate() {
	text := "The door is open."
	change := effect.UpdateEntry{Content: &text}
	list := lorebook.Update([]effect.AddEntry{{ID: "door", Content: "The door is shut."}}, 0, change)
	fmt.Println(list[0].Content)
	fmt.Println(lorebook.Applied(worldbook.Entry{UID: "7", Content: "The door is shut."}, change).Content)
	// Output:
	// The door is open.
	// The door is open.
}

// Entries that were added are found by their ids. After a removal the others keep theirs.
func ExampleRemove() {
	list := lorebook.Add(lorebook.Add(nil, effect.AddEntry{BookID: "notes", Content: "first"}), effect.AddEntry{BookID: "notes", Content: "second"})
	list = lorebook.Remove(list, lorebook.Find(list, "added-1")[0])
	fmt.Println(lorebook.ID(0, list[0]), list[0].Content)
	// Output: notes.added-2 second
}
