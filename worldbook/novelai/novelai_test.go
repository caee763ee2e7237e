package novelai_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/talewright/talewright/worldbook/novelai"
)

func ExampleParse() {
	book, problems, err := novelai.Parse([]byte(`{"lorebookVersion":4,"entries":[
		{"text":"A dwarf.","displayName":"Borin","keys":["borin"],"forceActivation":true,"searchRange":500}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	e := book.Entries[0]
	fmt.Println(e.Comment, e.Keys, e.Content, e.Constant, e.Disable)
	fmt.Println(problems[0].Path)
	// Output:
	// Borin [borin] A dwarf. true false
	// entries[0].searchRange
}

func ExampleParseExact() {
	book, problems, err := novelai.ParseExact([]byte(`{"lorebookVersion":4,"entries":[
		{"text":"A dwarf.","keys":["borin"],"forceActivation":true}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(book.Entries[0].Constant, problems[0].Path, problems[0].Code)
	// Output: false entries[0].forceActivation not_carried
}

func TestNotThisFormat(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "5", "{}", "\"x\""} {
		if _, _, err := novelai.Parse([]byte(bad)); !errors.Is(err, novelai.ErrNotBook) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
