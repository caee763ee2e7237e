package format_test

import (
	"fmt"

	"github.com/talewright/talewright/worldbook/format"
)

func ExampleParse_novelai() {
	book, problems := format.Parse([]byte(`{"lorebookVersion":4,"entries":[
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

func ExampleParseNovelAIExact() {
	book, problems := format.ParseNovelAIExact([]byte(`{"lorebookVersion":4,"entries":[
		{"text":"A dwarf.","keys":["borin"],"forceActivation":true}]}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(book.Entries[0].Constant, problems[0].Path, problems[0].Code)
	// Output: false entries[0].forceActivation not_carried
}
