package novelai_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/talewright/talewright/worldbook/novelai"
)

func ExampleParse() {
	book, problems, err := novelai.Parse([]byte(`{"lorebookVersion":4,"entries":[
		{"text":"A dwarf.","displayName":"Borin","keys":["borin"],"enabled":true,"forceActivation":true}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	e := book.Entries[0]
	fmt.Println(e.Comment, e.Keys, e.Content)
	fmt.Println(problems[0].Path)
	// Output:
	// Borin [borin] A dwarf.
	// entries[0].forceActivation
}

func TestNotThisFormat(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "5", "{}", "\"x\""} {
		if _, _, err := novelai.Parse([]byte(bad)); !errors.Is(err, novelai.ErrNotBook) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
