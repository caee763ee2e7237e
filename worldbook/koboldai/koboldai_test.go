package koboldai_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/worldbook/koboldai"
)

func ExampleParse() {
	book, found := koboldai.Parse([]byte(`[{"key":"borin","content":"A dwarf.","comment":"Borin"}]`))
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
		if _, problems := koboldai.Parse([]byte(bad)); problems.Err() == nil {
			t.Errorf("%q: %v", bad, problems.Err())
		}
	}
}
