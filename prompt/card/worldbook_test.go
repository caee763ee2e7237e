package card_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/talewright/talewright/prompt/card"
)

// TestWorldBook shows the lorebook of a card as a world book (WB-38, PR-10).
func TestWorldBook(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, book, name string
		entries            int
	}{
		{reason: "a name of its own", book: `{"name":"Coast","entries":[{"keys":["sea"],
			"content":"It sings.","insertion_order":1}]}`, name: "Coast", entries: 1},
		{reason: "named after the character", book: `{"entries":[{"keys":["a"],"content":"A"},
			{"keys":["b"],"content":"B"}]}`, name: "Ann", entries: 2},
		{reason: "no lorebook", name: "Ann"},
	} {
		c := card.Card{Name: "Ann", CharacterBook: []byte(tc.book)}
		book, problems := c.WorldBook()
		if err := problems.Err(); err != nil || book.Name != tc.name || len(book.Entries) != tc.entries {
			t.Errorf("%s: %q with %d entries, %v", tc.reason, book.Name, len(book.Entries), problems)
		}
	}
	broken := card.Card{CharacterBook: []byte("[]")}
	if _, problems := broken.WorldBook(); len(problems.Of("unreadable")) != 1 {
		t.Errorf("a list: %v", problems)
	}
}

// TestOneOrder shows that the two ways to read a lorebook give the same order of entries. If the
// entries are an object, number keys are ascending and the others as written.
func TestOneOrder(t *testing.T) {
	t.Parallel()
	for _, entries := range []string{
		`[{"content":"a"},{"content":"b","enabled":null},5,null,{"content":"c"}]`,
		`{"10":{"content":"c"},"x":{"content":"e"},"9":{"content":"b"},"010":{"content":"f"},
			"0":{"content":"a"},"-1":{"content":"g"},"x":{"content":"again"},"4294967295":{}}`,
		`{}`, `[]`,
	} {
		c := card.Card{Name: "A", CharacterBook: []byte(`{"entries":` + entries + `}`)}
		book, _ := c.Book()
		world, problems := c.WorldBook()
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		var one, two []string
		for _, e := range book.Entries {
			one = append(one, fmt.Sprint(e.Content, e.Enabled))
		}
		for _, e := range world.Entries {
			two = append(two, fmt.Sprint(e.Content, !e.Disable))
		}
		if !slices.Equal(one, two) {
			t.Errorf("%s: Book has %q, WorldBook %q", entries, one, two)
		}
	}
}

func ExampleCard_WorldBook() {
	c, _, err := parsed(card.Parse([]byte(`{"data": {"name": "Ann", "character_book": {"entries": [
		{"keys": ["tower"], "content": "It leans.", "insertion_order": 10}]}}}`)))
	if err != nil {
		fmt.Println(err)
		return
	}
	book, problems := c.WorldBook()
	fmt.Println(book.Name, book.Entries[0].Content, problems.Err())
	// Output: Ann It leans. <nil>
}
