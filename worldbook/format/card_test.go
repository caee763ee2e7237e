package format_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

func ExampleParseCard() {
	book, problems := format.ParseCard([]byte(`{"name": "Hills", "description": "Low ones.", "scan_depth": 5, "entries": [
		{"keys": ["dwarf"], "content": "They dig.", "extensions": {"depth": 2, "position": 4}}]}`))
	err := problems.Err()
	fmt.Println(err, book.Name, book.Entries[0].Position, book.Entries[0].Depth)
	fmt.Println(problems[0].Path, problems[0].Code)
	// Output:
	// <nil> Hills atDepth 2
	// book.scan_depth not_carried
}

func ExampleParseLorebookV3() {
	book, found := format.ParseLorebookV3([]byte(`{"entries": [
		{"keys": ["dwar(f|ves)"], "use_regex": true, "content": "They dig."}]}`), format.RegexByWriter)
	err := found.Err()
	settings := worldbook.Exact()
	settings.Decorators = worldbook.DecoratorsCardV3
	compiled, _ := worldbook.Compile([]worldbook.Attachment{{Book: book}}, settings)
	chat := []worldbook.Message{{Name: "Ann", Text: "Two dwarves!"}}
	result, _ := compiled.Scan(worldbook.Input{Messages: chat, ContextSize: 4096}, worldbook.State{})
	fmt.Println(err, result.Activated[0].Text)
	// Output: <nil> They dig.
}

func ExampleWriteCard() {
	book := worldbook.Book{Name: "Hills", Entries: []worldbook.Entry{{
		UID: "3", Keys: []string{"dwarf"}, Content: "They dig.", Order: 5,
		CharacterFilter: &worldbook.CharacterFilter{Names: []string{"Borin"}},
	}}}
	out, problems := format.WriteCard(book)
	err := problems.Err()
	var card struct {
		Entries []struct {
			ID       int      `json:"id"`
			Keys     []string `json:"keys"`
			Position string   `json:"position"`
		} `json:"entries"`
	}
	_ = json.Unmarshal(out, &card)
	fmt.Println(err, card.Entries[0].ID, card.Entries[0].Keys, card.Entries[0].Position)
	fmt.Println(problems[0].Path)
	// Output:
	// <nil> 3 [dwarf] before_char
	// entries[0].characterFilter
}

// TestThereAndBack: an exported book has the same data when it is read again.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	in := []byte(`{"name":"B","entries":[{"id":0,"keys":["a"],"secondary_keys":["b"],"comment":"c","content":"d",
		"constant":true,"selective":true,"insertion_order":7,"enabled":false,"position":"before_char",
		"use_regex":true,"extensions":{"position":0,"depth":3,"probability":50,"useProbability":true,
		"group":"g","own":{"x":1}}}]}`)
	first, found := format.ParseCard(in)
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	out, found := format.WriteCard(first)
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	second, found := format.ParseCard(out)
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	a, b := first.Entries[0], second.Entries[0]
	b.Extensions = a.Extensions
	b.UseGroupScoring = a.UseGroupScoring // the export writes false for null
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if diff := cmp.Diff(string(x), string(y)); diff != "" {
		t.Error(diff)
	}
}

// TestCamelCase: two members of an entry also act in the spelling of other programs.
func TestCamelCase(t *testing.T) {
	t.Parallel()
	book, problems := format.ParseCard([]byte(`{"entries":[
		{"id":"e1","keys":["sword"],"secondaryKeys":["cave"],"selective":true,"content":"x","insertionOrder":110,"position":0},
		{"id":"e2","keys":["sword"],"content":"y","insertionOrder":90,"position":1},
		{"id":"e3","keys":["sword"],"content":"z","insertionOrder":5,"insertion_order":100,"position":1}]}`))
	if len(problems) != 1 || problems[0].Path != "entries[2].insertionOrder" {
		t.Errorf("problems %v", problems) // the proper spelling is there too
	}
	compiled, _ := worldbook.Compile([]worldbook.Attachment{{Book: book}}, worldbook.Exact())
	for text, want := range map[string]string{"A sword.": "|y\nz", "A sword in a cave.": "x|y\nz"} {
		r, _ := compiled.Scan(worldbook.Input{Messages: []worldbook.Message{{Text: text}}, ContextSize: 4096},
			worldbook.State{})
		if got := worldbook.Join(r.Before) + "|" + worldbook.Join(r.After); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestWorldInfoInACard: entries with the members of a world book act as they do there, beside entries of
// the specification. One problem says so.
func TestWorldInfoInACard(t *testing.T) {
	t.Parallel()
	book, problems := format.ParseCard([]byte(`{"entries":{
		"0":{"uid":7,"key":["fox"],"keysecondary":["tail"],"selective":true,"content":"It has nine tails.","order":90,"position":0},
		"1":{"key":["fox"],"content":"It is old.","order":10,"position":1,"disable":true},
		"2":{"keys":["fox"],"content":"It is red.","insertion_order":20,"position":"before_char"}}}`))
	if len(problems) != 2 || problems[1].Path != `entries["0"]` { // the first one is about the object
		t.Errorf("%v", problems)
	}
	compiled, _ := worldbook.Compile([]worldbook.Attachment{{Book: book}}, worldbook.Exact())
	for text, want := range map[string]string{"A fox.": "It is red.", "The tail of a fox.": "It is red.\nIt has nine tails."} {
		r, _ := compiled.Scan(worldbook.Input{Messages: []worldbook.Message{{Text: text}}, ContextSize: 4096}, worldbook.State{})
		if got := worldbook.Join(r.Before); got != want || len(r.After) > 0 {
			t.Errorf("%s: %q and %v, want %q", text, got, r.After, want)
		}
	}
}

// TestKeysInOneText: keys that are one text are separated by commas.
func TestKeysInOneText(t *testing.T) {
	t.Parallel()
	book, problems := format.ParseCard([]byte(`{"entries":[{"keys":"fox, /a,b/i","secondary_keys":"","content":"x"}]}`))
	if diff := cmp.Diff([]string{"fox", "/a,b/i"}, book.Entries[0].Keys); diff != "" || len(problems) != 1 {
		t.Errorf("(-want +got):\n%s\n%v", diff, problems)
	}
}

func TestLeniency(t *testing.T) {
	t.Parallel()
	book, problems := format.ParseCard([]byte(`{"entries":{"x":{"content":"z"},"10":{"keys":["b"],"content":"y"},
		"9":{"keys":["a"],"content":"x","enabled":null},"2":5}}`))
	err := problems.Err()
	if err != nil || len(book.Entries) != 3 || book.Entries[0].Content != "x" ||
		book.Entries[1].Content != "y" || book.Entries[2].UID != "3" {
		t.Fatalf("%v %+v", err, book.Entries)
	}
	if book.Entries[0].Disable {
		t.Error("an entry without enabled is off")
	}
	if len(problems) != 2 {
		t.Errorf("problems %v", problems)
	}
	for _, bad := range []string{``, `5`, `{"entries":5}`} {
		if _, problems := format.ParseCard([]byte(bad)); problems.Err() == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// TestUseRegexOfSillyTavern: SillyTavern writes use_regex into every entry and never reads it. Keys of its
// entries are found as they are written.
func TestUseRegexOfSillyTavern(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, extensions, key, said string
		reading                       format.UseRegex
		want, told                    bool
	}{
		{"its position", `{"position":0}`, "蔡夫人(蔡氏)", "蔡夫人(蔡氏)来了", format.RegexByWriter, true, true},
		{"another of its members", `{"useProbability":true}`, "a+b", "what is a+b?", format.RegexByWriter, true, true},
		{"a pattern between slashes stays one", `{"position":0}`, "/drag(on|ake)/i", "A Dragon!", format.RegexByWriter, true, false},
		{"a plain key says nothing", `{"position":0}`, "dragon", "A dragon!", format.RegexByWriter, true, false},
		{"what would be a broken pattern", `{"display_index":0}`, "(open", "the door is (open", format.RegexByWriter, true, true},
		{"another program's entry", `{"depth":4}`, "drag(on|ake)", "A dragon!", format.RegexByWriter, true, false},
		{"a position that is no number", `{"position":"x"}`, "drag(on|ake)", "A dragon!", format.RegexByWriter, true, false},
		{"always", `{"position":0}`, "drag(on|ake)", "A dragon!", format.RegexAlways, true, false},
		{"never", `{}`, "drag(on|ake)", "A dragon!", format.RegexNever, false, true},
	} {
		book, problems := format.ParseLorebookV3([]byte(`{"entries":[{"keys":["`+c.key+`"],"use_regex":true,"content":"x","enabled":true,
			"insertion_order":1,"extensions":`+c.extensions+`}]}`), c.reading)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		settings := worldbook.Exact()
		settings.Decorators = worldbook.DecoratorsCardV3
		settings.MatchWholeWords = false
		compiled, _ := worldbook.Compile([]worldbook.Attachment{{Book: book}}, settings)
		result, _ := compiled.Scan(worldbook.Input{Messages: []worldbook.Message{{Text: c.said}}, ContextSize: 4096}, worldbook.State{})
		told := len(problems.Of("use_regex_ignored")) == 1
		if found := len(result.Activated) == 1; found != c.want || told != c.told {
			t.Errorf("%s: found %v, told %v (%v)", c.reason, found, told, problems)
		}
	}
	two := `{"keys":["a+b"],"use_regex":true,"content":"x","extensions":{"position":0}}`
	if _, problems := format.ParseLorebookV3([]byte(`{"entries":[`+two+`,`+two+`]}`), format.RegexByWriter); len(problems.Of("use_regex_ignored")) != 1 {
		t.Errorf("a book is told of once: %v", problems)
	}
}
