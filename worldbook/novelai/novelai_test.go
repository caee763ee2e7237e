package novelai_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/worldbook/novelai"
)

func ExampleParse() {
	book, problems := novelai.Parse([]byte(`{"lorebookVersion":4,"entries":[
		{"text":"A dwarf.","displayName":"Borin","keys":["borin"],"forceActivation":true,"searchRange":500}]}`))
	if err := problems.Err(); err != nil {
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
	book, problems := novelai.ParseExact([]byte(`{"lorebookVersion":4,"entries":[
		{"text":"A dwarf.","keys":["borin"],"forceActivation":true}]}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(book.Entries[0].Constant, problems[0].Path, problems[0].Code)
	// Output: false entries[0].forceActivation not_carried
}

func TestNotThisFormat(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "5", "{}", "\"x\""} {
		if _, problems := novelai.Parse([]byte(bad)); problems.Err() == nil {
			t.Errorf("%q: %v", bad, problems.Err())
		}
	}
}
