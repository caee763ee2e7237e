package stbook_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/stbook"
)

func ExampleParse() {
	book, problems, err := stbook.Parse([]byte(`{"entries": {
		"1": {"uid": 1, "key": ["b"], "content": "second", "order": "90"},
		"0": {"uid": 0, "key": ["a"], "content": "first"}}}`))
	fmt.Println(err, len(book.Entries), book.Entries[0].Content)
	fmt.Println(problems[0])
	// Output:
	// <nil> 2 first
	// worldbook: entries[1].order: has an unusual type: it acts as SillyTavern converts it
}

func ExampleEncode() {
	book := worldbook.Book{Name: "w", Entries: []worldbook.Entry{{UID: "4", Keys: []string{"elf"}, Order: 100}}}
	out, _ := stbook.Encode(book)
	back, _, _ := stbook.Parse(out)
	fmt.Println(strings.HasPrefix(string(out), `{"name":"w","entries":{"4":{"uid":4,"key":["elf"]`), back.Entries[0].Keys)
	// Output: true [elf]
}

func ExampleSplitKeys() {
	fmt.Printf("%q\n", stbook.SplitKeys("dragon, wyrm , /a,b+/i"))
	// Output: ["dragon" "wyrm" "/a,b+/i"]
}

func ExampleParseMetadata() {
	state, err := stbook.ParseMetadata([]byte(`{"timedWorldInfo": {
		"sticky": {"w.1": {"hash": 123, "start": 2, "end": 5, "protected": false}}, "cooldown": {}}}`))
	fmt.Println(err, state.Sticky["w.1"].End, state.Sticky["w.1"].Hash)
	out, _ := stbook.EncodeMetadata(state)
	fmt.Println(string(out))
	// Output:
	// <nil> 5 123
	// {"timedWorldInfo":{"sticky":{"w.1":{"hash":123,"start":2,"end":5,"protected":false}},"cooldown":{}}}
}

func ExampleEncodeMetadata() {
	out, _ := stbook.EncodeMetadata(worldbook.State{
		Cooldown: map[string]worldbook.Record{"w.1": {Hash: "ab12", Start: 3, End: 5, Protected: true}},
	})
	fmt.Println(string(out))
	// Output: {"timedWorldInfo":{"sticky":{},"cooldown":{"w.1":{"hash":"ab12","start":3,"end":5,"protected":true}}}}
}

func TestSplitKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":             nil,
		" , ,":         nil,
		"a,/x,y/":      {"a", "/x", "y/"},
		"a, /x,y/i":    {"a", "/x,y/i"},
		"a,,b":         {"a", ",b"},
		"/x,y":         {"/x", "y"},
		"/(/, b":       {"/(/", "b"},
		"/[,/ , b":     {"/[", "/", "b"},
		`/a\/,b/`:      {`/a\/,b/`},
		" 魔法 , 龙 ":     {"魔法", "龙"},
		"/x/ ,/y/":     {"/x/", "/y/"},
		"/x/gg, a":     {"/x/gg", "a"},
		"dragon lord,": {"dragon lord"},
	} {
		if got := stbook.SplitKeys(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzSplitKeys(f *testing.F) {
	f.Add("a, /x,y/i,,b")
	f.Add(`/a\/b/,c`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, key := range stbook.SplitKeys(text) {
			if keyindex.TrimSpace(key) == "" {
				t.Errorf("%q gives an empty key", text)
			}
		}
	})
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{``, `[]`, `{}`, `{"entries":null}`} {
		if _, _, err := stbook.Parse([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
	if _, err := stbook.ParseMetadata([]byte(`{"timedWorldInfo":[]}`)); err == nil {
		t.Error("a list was read as metadata")
	}
}
