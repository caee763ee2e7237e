package format_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

func ExampleParseSillyTavern() {
	book, problems := format.ParseSillyTavern([]byte(`{"entries": {
		"1": {"uid": 1, "key": ["b"], "content": "second", "order": "90"},
		"0": {"uid": 0, "key": ["a"], "content": "first"}}}`))
	err := problems.Err()
	fmt.Println(err, len(book.Entries), book.Entries[0].Content)
	fmt.Println(problems[0])
	// Output:
	// <nil> 2 first
	// entries[1].order: has an unusual type: it acts as SillyTavern converts it
}

func ExampleWriteSillyTavern() {
	book := worldbook.Book{Name: "w", Entries: []worldbook.Entry{
		{UID: "4", Keys: []string{"elf"}, Order: 100}}}
	out, _ := format.WriteSillyTavern(book)
	back, _ := format.ParseSillyTavern(out)
	fmt.Println(string(out[:49]), back.Entries[0].Keys)
	// Output: {"name":"w","entries":{"4":{"uid":4,"key":["elf"] [elf]
}

func ExampleSplitKeys() {
	fmt.Printf("%q\n", format.SplitKeys("dragon, wyrm , /a,b+/i"))
	// Output: ["dragon" "wyrm" "/a,b+/i"]
}

func ExampleParseSillyTavernMetadata() {
	state, err := format.ParseSillyTavernMetadata([]byte(`{"timedWorldInfo": {
		"sticky": {"w.1": {"hash": 123, "start": 2, "end": 5, "protected": false}}, "cooldown": {}}}`))
	fmt.Println(err, state.Sticky["w.1"].End, state.Sticky["w.1"].Hash)
	out, _ := format.WriteSillyTavernMetadata(state)
	fmt.Println(string(out))
	// Output:
	// <nil> 5 123
	// {"timedWorldInfo":{"sticky":{"w.1":{"hash":123,"start":2,"end":5,"protected":false}},"cooldown":{}}}
}

func ExampleWriteSillyTavernMetadata() {
	out, _ := format.WriteSillyTavernMetadata(worldbook.State{
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
		if got := format.SplitKeys(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzSplitKeys(f *testing.F) {
	f.Add("a, /x,y/i,,b")
	f.Add(`/a\/b/,c`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, key := range format.SplitKeys(text) {
			if keyindex.TrimSpace(key) == "" {
				t.Errorf("%q gives an empty key", text)
			}
		}
	})
}

// FuzzParseMetadata reads the metadata of chats, writes it and reads it again.
func FuzzParseMetadata(f *testing.F) {
	f.Add([]byte(`{"timedWorldInfo":{"sticky":{"w.1":{"hash":1e3,"start":2,"end":5,"protected":true}}}}`))
	f.Add([]byte(`{"timedWorldInfo":{"cooldown":{"":{"hash":"\ud800","start":-1}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		state, err := format.ParseSillyTavernMetadata(data)
		if err != nil {
			return
		}
		out, err := format.WriteSillyTavernMetadata(state)
		if err != nil {
			t.Fatal(err)
		}
		again, err := format.ParseSillyTavernMetadata(out)
		if err != nil || len(again.Sticky) != len(state.Sticky) || len(again.Cooldown) != len(state.Cooldown) {
			t.Fatalf("%s became %s: %v", data, out, err)
		}
	})
}

// TestOddFiles shows unusual files of other programs, and their reported problems.
func TestOddFiles(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, file string
		entries      int
		want         []string // code and path
	}{
		{"byte order mark", "\ufeff" + `{"entries":{"0":{}}}`, 1, nil},
		{"entries that are no objects", `{"entries":{"0":5,"1":{},"2":null,"3":[],"4":"x"}}`, 1,
			[]string{`bad_type entries["0"]`, `bad_type entries["2"]`, `bad_type entries["3"]`,
				`bad_type entries["4"]`}},
		{"a list", `{"entries":[{"uid":3},7,{}]}`, 2,
			[]string{"bad_type entries[1]", "bad_type entries"}},
		{"a name that is no text", `{"name":{"a":1},"entries":{}}`, 0, []string{"bad_type name"}},
		{"a name that is null", `{"name":null,"entries":{}}`, 0, nil},
		{"an entry twice", `{"entries":{"0":{"uid":1},"0":{"uid":2}}}`, 1,
			[]string{`duplicate entries["0"]`}},
		{"a member twice", `{"entries":{"0":{"uid":1,"uid":2}}}`, 1,
			[]string{`duplicate entries["0"].uid`}},
		{"uids that are texts or numbers", `{"entries":{"0":{"uid":"1"},"1":{"uid":"a"},"2":{"uid":1.5}}}`, 3, nil},
		{"a uid that is neither", `{"entries":{"0":{"uid":true}}}`, 1, []string{"bad_type entries[0].uid"}},
		{"types", `{"entries":{"7":{"order":"90","key":"k","sticky":null}}}`, 1,
			[]string{"bad_type entries[0].key", "bad_type entries[0].order"}},
	} {
		book, problems := format.ParseSillyTavern([]byte(tc.file))
		err := problems.Err()
		var got []string
		for _, p := range problems {
			got = append(got, string(p.Code)+" "+p.Path)
		}
		if err != nil || len(book.Entries) != tc.entries || !slices.Equal(got, tc.want) {
			t.Errorf("%s: %d entries, %q, %v; want %d, %q", tc.reason, len(book.Entries), got, err,
				tc.entries, tc.want)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{``, `[]`, `{}`, `{"entries":null}`} {
		if _, problems := format.ParseSillyTavern([]byte(bad)); problems.Err() == nil {
			t.Errorf("%q was read", bad)
		}
	}
	if _, err := format.ParseSillyTavernMetadata([]byte(`{"timedWorldInfo":[]}`)); err == nil {
		t.Error("a list was read as metadata")
	}
}
