package novelai_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/talewright/talewright/worldbook/novelai"
)

func ExampleParse() {
	book, _, err := novelai.Parse([]byte(`{"lorebookVersion":4,"entries":[{"text":"A dwarf.","displayName":"Borin","keys":["borin"],"enabled":true,"forceActivation":true}]}`))
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
		if _, _, err := novelai.Parse([]byte(bad)); !errors.Is(err, novelai.ErrNotBook) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
