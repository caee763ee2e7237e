package state_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// An entry of an author's book is changed for one campaign.
func ExampleOverlayLore() {
	books := []worldbook.Attachment{{Book: worldbook.Book{Name: "tavern", Entries: []worldbook.Entry{
		{UID: "1", Content: "The barrel leaks."}, {UID: "2", Content: "The bell is cracked."}}}}}
	compiled, _ := worldbook.Compile(books, worldbook.Exact())
	index := state.NewLoreIndex(compiled, books)

	text := "The barrel holds."
	edits, _ := state.LoreEdits{}.Change(index.Find("1")[0], effect.UpdateEntry{Content: &text})
	edits, _ = edits.Remove(index.Find("2")[0])
	added := state.AddLore(nil, effect.AddEntry{ID: "note", BookID: "notes", Content: "Beware."})

	add, without := state.OverlayLore(added, edits, func() *state.LoreIndex { return index })
	for _, a := range add {
		fmt.Println(a.Book.Name, a.Book.Entries[0].UID, a.Book.Entries[0].Content)
	}
	fmt.Println("without", without)
	// Output:
	// notes note Beware.
	// tavern 1 The barrel holds.
	// without [tavern.1 tavern.2]
}

// An added entry has an ID of its own, or one made from its index.
func ExampleAddedEntryID() {
	fmt.Println(state.AddedEntryID(0, effect.AddEntry{BookID: "notes", ID: "door"}), state.AddedEntryID(1, effect.AddEntry{BookID: "notes"}))
	// Output: notes.door notes.added-2
}

// UpdateLore changes an added entry.
func ExampleUpdateLore() {
	text := "The door is open."
	change := effect.UpdateEntry{Content: &text}
	list := state.UpdateLore([]effect.AddEntry{{ID: "door", Content: "The door is shut."}}, 0, change)
	fmt.Println(list[0].Content)
	// Output: The door is open.
}

// Added entries are found by their IDs. After a removal the others keep their IDs.
func ExampleRemoveLore() {
	list := state.AddLore(state.AddLore(nil, effect.AddEntry{BookID: "notes", Content: "first"}), effect.AddEntry{BookID: "notes", Content: "second"})
	list = state.RemoveLore(list, state.FindAddedLore(list, "added-1")[0])
	fmt.Println(state.AddedEntryID(0, list[0]), list[0].Content)
	// Output: notes.added-2 second
}
