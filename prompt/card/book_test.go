package card_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/card"
)

// TestBook shows all fields of a book and an entry, and their defaults.
func TestBook(t *testing.T) {
	t.Parallel()
	in := `{"name":"N","description":"D","scan_depth":5,"token_budget":300,
		"recursive_scanning":false,"extensions":{"e":1},"own":2,"entries":[
		{"keys":["a"],"content":"A","extensions":{"x":1},"enabled":false,"insertion_order":-1.5,
		 "case_sensitive":false,"use_regex":true,"constant":true,"name":"n","priority":0,"id":"u1",
		 "comment":"c","selective":true,"secondary_keys":["b"],"position":"before_char","uid":9},
		{}]}`
	b, problems, err := parsed(card.ParseBook([]byte(in)))
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	want := card.Book{
		Name: "N", Description: "D", ScanDepth: new(5), TokenBudget: new(300),
		RecursiveScanning: new(false), Extensions: rawMembers("e", "1"), Extra: rawMembers("own", "2"),
		Entries: []card.BookEntry{
			{Keys: []string{"a"}, Content: "A", Extensions: rawMembers("x", "1"),
				InsertionOrder: -1.5, CaseSensitive: new(false), UseRegex: true, Constant: true,
				Name: "n", Priority: new(0.0), ID: json.RawMessage(`"u1"`), Comment: "c",
				Selective: true, SecondaryKeys: []string{"b"}, Position: "before_char",
				Extra: rawMembers("uid", "9")},
			{Enabled: true, Position: "after_char"},
		},
	}
	if diff := cmp.Diff(want, b); diff != "" {
		t.Errorf("book (-want +got):\n%s", diff)
	}
	out, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	checkMembers(t, "book", gjson.Parse(in).Value(), gjson.ParseBytes(out).Value())
	var again card.Book
	if err = json.Unmarshal(out, &again); err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(again)
	if err != nil || string(second) != string(out) {
		t.Errorf("second round trip: %v\n%s\n%s", err, out, second)
	}
}

// TestBookLeniency shows entries of unusual forms, and their problems.
func TestBookLeniency(t *testing.T) {
	t.Parallel()
	c, problems, err := parsed(card.ParseJSON([]byte(v2("A", `,"character_book":{"scan_depth":"x",
		"token_budget":1e12,"entries":{
			"10":{"content":"ten"},"2":{"content":"two","enabled":0,"id":[]},"x":{"content":"x"},
			"1":null,"3":5,"02":{"content":"also two","keys":"k","position":"top"}}}`))))
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, p := range problems {
		paths = append(paths, p.Path)
	}
	want := []string{"scan_depth", "token_budget", "entries", "entries.1", "entries.2.enabled",
		"entries.2.id", "entries.3", "entries.02.keys"}
	for i := range want {
		want[i] = "data.character_book." + want[i]
	}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	b, ok := c.Book()
	if !ok || b.ScanDepth != nil || b.TokenBudget != nil {
		t.Fatalf("book %+v, %v", b, ok)
	}
	var contents []string
	for _, e := range b.Entries {
		contents = append(contents, e.Content)
	}
	if diff := cmp.Diff([]string{"two", "ten", "x", "also two"}, contents); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if e := b.Entries[3]; e.Position != "top" || cmp.Diff([]string{"k"}, e.Keys) != "" {
		t.Errorf("last entry %+v", e)
	}
	if e := b.Entries[0]; e.Enabled || string(e.Extra["id"]) != "[]" {
		t.Errorf("first entry %+v", e)
	}
}

// TestNoBook shows the cases without a book.
func TestNoBook(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", "null", "[]", "{", `"x"`} {
		if b, ok := (card.Card{CharacterBook: json.RawMessage(raw)}).Book(); ok {
			t.Errorf("%q is the book %+v", raw, b)
		}
	}
}

// TestParseBook shows the forms of stand-alone books.
func TestParseBook(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		in, name string
		err      talewright.Code
	}{
		{in: `{"spec":"lorebook_v3","data":{"name":"N","entries":[]}}`, name: "N"},
		{in: "\ufeff" + `{"name":"N","entries":{}}`, name: "N"},
		{in: `{"spec":"lorebook_v3","data":{"name":"N"}}`, err: "not_a_book"},
		{in: v2("A", ""), err: "not_a_book"},
		{in: `[]`, err: "not_a_book"},
		{in: `{`, err: "bad_json"},
	} {
		b, _, err := parsed(card.ParseBook([]byte(tc.in)))
		if b.Name != tc.name || errorCode(err) != tc.err {
			t.Errorf("%s: %q, %v; want %q, %q", tc.in, b.Name, err, tc.name, tc.err)
		}
	}
	var b card.Book
	if err := json.Unmarshal([]byte(`{"entries":[{"content":5}],"name":7}`), &b); err != nil ||
		b.Name != "7" || b.Entries[0].Content != "5" {
		t.Errorf("lenient book %+v, %v", b, err)
	}
	var e card.BookEntry
	err := json.Unmarshal([]byte(`{"keys":"k"}`), &e)
	if err != nil || e.Keys[0] != "k" || !e.Enabled {
		t.Errorf("lenient entry %+v, %v", e, err)
	}
	if err := json.Unmarshal([]byte(`[]`), &e); errorCode(err) != "not_a_book" {
		t.Errorf("entry of a list: %v", err)
	}
}

// TestTruth shows which values count as true and false.
func TestTruth(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]bool{
		"true": true, "1": true, `"true"`: true, "false": false, "0": false, `"false"`: false,
		"null": true, `"no"`: true, "2": true, "[]": true, // missing or unreadable: enabled
	} {
		b, problems, err := parsed(card.ParseBook([]byte(`{"entries":[{"enabled":` + raw + `}]}`)))
		if err != nil || b.Entries[0].Enabled != want {
			t.Errorf("%s counts as %v, %v", raw, b.Entries, err)
		}
		if exact := raw == "true" || raw == "false" || raw == "null"; exact != (len(problems) == 0) {
			t.Errorf("%s: problems %v", raw, problems)
		}
	}
}

// TestBookBlanks shows that a book set by hand may have blanks around it.
func TestBookBlanks(t *testing.T) {
	t.Parallel()
	c := card.Card{Name: "A",
		CharacterBook: json.RawMessage(" \n{ \"name\" : \"N\" , \"entries\":[ ] }\n")}
	if b, ok := c.Book(); !ok || b.Name != "N" {
		t.Errorf("book %+v, %v", b, ok)
	}
	out := mustEncode(t, c, card.V2, card.EncodeOptions{DropNewer: true})
	if got := gjson.Get(out, "data.character_book").Raw; got != `{"entries":[],"name":"N"}` {
		t.Errorf("book is written as %s", got)
	}
}
