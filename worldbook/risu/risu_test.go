package risu_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/talewright/talewright/worldbook/risu"
)

func ExampleParse() {
	book, _, err := risu.Parse([]byte(`{"type":"risu","data":[
		{"key":"borin","content":"A dwarf.","comment":"Borin","insertorder":5,"mode":"folder"}]}`))
	if err != nil {
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
		if _, _, err := risu.Parse([]byte(bad)); !errors.Is(err, risu.ErrNotBook) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
