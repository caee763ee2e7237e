package koboldai_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/talewright/talewright/worldbook/koboldai"
)

func ExampleParse() {
	book, _, err := koboldai.Parse([]byte(`[{"key":"borin","content":"A dwarf.","comment":"Borin"}]`))
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
		if _, _, err := koboldai.Parse([]byte(bad)); !errors.Is(err, koboldai.ErrNotBook) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
