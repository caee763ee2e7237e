package format_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/worldbook/format"
)

func ExampleParseAIDungeon() {
	book, found := format.ParseAIDungeon([]byte(`[{"keys":"borin","value":"A dwarf.","title":"Borin"}]`))
	if err := found.Err(); err != nil {
		fmt.Println(err)
		return
	}
	e := book.Entries[0]
	fmt.Println(e.Comment, e.Keys, e.Content)
	// Output: Borin [borin] A dwarf.
}

func TestNotThisFormatAidungeon(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "5", "{}", "\"x\""} {
		if _, problems := format.ParseAIDungeon([]byte(bad)); problems.Err() == nil {
			t.Errorf("%q: %v", bad, problems.Err())
		}
	}
}
