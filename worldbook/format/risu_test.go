package format_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

func ExampleParse_risu() {
	book, found := format.Parse([]byte(`{"type":"risu","data":[
		{"key":"borin","content":"A dwarf.","comment":"Borin","insertorder":5,"mode":"folder"}]}`))
	if err := found.Err(); err != nil {
		fmt.Println(err)
		return
	}
	e := book.Entries[0]
	fmt.Println(e.Comment, e.Keys, e.Content)
	// Output: Borin [borin] A dwarf.
}

func ExampleParseRisuExact() {
	book, problems := format.ParseRisuExact([]byte(`{"type":"risu","data":[
		{"key":"/dwarf, old/i","content":"A dwarf.","useRegex":true}]}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q %s\n", book.Entries[0].Keys, problems[0].Path)
	// Output: ["/dwarf" "old/i"] data[0].useRegex
}

// TestRegexAndConstant: useRegex, constant and mode have the meaning of RisuAI.
func TestRegexAndConstant(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, entry string
		text          string
		active        bool
		problem       talewright.Code
	}{
		{"a pattern with a comma is one key", `"key":"/dwarf, (old|grey)/i","useRegex":true`,
			"a Dwarf, grey", true, ""},
		{"a pattern without slashes", `"key":"dwar(f|ves)","useRegex":true`, "two dwarves", true, ""},
		{"slashes inside are no end", `"key":"and/or","useRegex":true`, "one and/or two", true, ""},
		{"secondary keys are a pattern too", `"key":"dwarf","secondkey":"ol(d|der)","selective":true,"useRegex":true`,
			"a dwarf, older", true, ""},
		{"and must be found", `"key":"dwarf","secondkey":"ol(d|der)","selective":true,"useRegex":true`,
			"a dwarf", false, ""},
		{"a broken pattern never matches", `"key":"dwar(f","useRegex":true`, "dwar(f", false, "bad_pattern"},
		{"no key is no pattern", `"key":" ","useRegex":true`, "x", false, ""},
		{"without useRegex commas cut", `"key":"dwar(f, elf"`, "an elf", true, ""},
		{"constant", `"key":"none","constant":true`, "x", true, ""},
		{"alwaysActive", `"key":"none","alwaysActive":true`, "x", true, ""},
		{"mode constant", `"key":"none","mode":"constant"`, "x", true, ""},
		{"mode normal", `"key":"none","mode":"normal"`, "x", false, ""},
	} {
		book, problems := format.Parse([]byte(`{"type":"risu","data":[{"content":"c",` + tc.entry + `}]}`))
		if err := problems.Err(); err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		if tc.problem == "" && len(problems) > 0 || tc.problem != "" && (len(problems) != 1 || problems[0].Code != tc.problem) {
			t.Errorf("%s: problems %v", tc.reason, problems)
		}
		r, _ := worldbook.Scan(book.Entries, []worldbook.Message{{Text: tc.text}}, worldbook.State{})
		if (len(r.Activated) == 1) != tc.active {
			t.Errorf("%s: %q activates %d", tc.reason, tc.text, len(r.Activated))
		}
	}
}
