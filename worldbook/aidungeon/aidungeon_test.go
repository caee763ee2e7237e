package aidungeon_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/talewright/talewright/worldbook/aidungeon"
)

func ExampleParse() {
	book, _, err := aidungeon.Parse([]byte(`[{"keys":"borin","value":"A dwarf.","title":"Borin"}]`))
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
		if _, _, err := aidungeon.Parse([]byte(bad)); !errors.Is(err, aidungeon.ErrNotCards) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
