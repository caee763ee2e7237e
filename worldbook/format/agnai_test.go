package format_test

import (
	"fmt"

	"github.com/talewright/talewright/worldbook/format"
)

func ExampleParse_agnai() {
	book, found := format.Parse([]byte(`{"kind":"memory","entries":[
		{"name":"Borin","entry":"A dwarf.","keywords":["borin"],"weight":7,"enabled":true}]}`))
	if err := found.Err(); err != nil {
		fmt.Println(err)
		return
	}
	e := book.Entries[0]
	fmt.Println(e.Comment, e.Keys, e.Content)
	// Output: Borin [borin] A dwarf.
}
