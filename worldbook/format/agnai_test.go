package format_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/worldbook/format"
)

func ExampleParseAgnai() {
	book, found := format.ParseAgnai([]byte(`{"kind":"memory","entries":[
		{"name":"Borin","entry":"A dwarf.","keywords":["borin"],"weight":7,"enabled":true}]}`))
	if err := found.Err(); err != nil {
		fmt.Println(err)
		return
	}
	e := book.Entries[0]
	fmt.Println(e.Comment, e.Keys, e.Content)
	// Output: Borin [borin] A dwarf.
}

func TestNotThisFormat(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "5", "{}", "\"x\""} {
		if _, problems := format.ParseAgnai([]byte(bad)); problems.Err() == nil {
			t.Errorf("%q: %v", bad, problems.Err())
		}
	}
}
