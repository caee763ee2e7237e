package format_test

import (
	"fmt"

	"github.com/talewright/talewright/worldbook/format"
)

func ExampleParse_aidungeon() {
	book, found := format.Parse([]byte(`[{"keys":"borin","value":"A dwarf.","title":"Borin"}]`))
	if err := found.Err(); err != nil {
		fmt.Println(err)
		return
	}
	e := book.Entries[0]
	fmt.Println(e.Comment, e.Keys, e.Content)
	// Output: Borin [borin] A dwarf.
}
