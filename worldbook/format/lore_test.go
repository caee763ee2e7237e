package format

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright"
)

// TestOpen shows which files are accepted, and with which problems.
func TestOpen(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, in, text string
		codes            []talewright.Code
		refused          bool
	}{
		{reason: "plain", in: `{"a":1}`, text: `{"a":1}`},
		{reason: "byte order mark", in: "\ufeff{}", text: "{}"},
		{reason: "no UTF-8", in: "\"a\xffb\"", text: "\"a\ufffdb\"", codes: []talewright.Code{badText}},
		{reason: "a whole pair", in: `"\ud83d\ude00"`, text: `"\ud83d\ude00"`},
		{reason: "first half alone", in: `"\uD83D"`, text: `"\uD83D"`, codes: []talewright.Code{badText}},
		{reason: "second half alone", in: `"a\ude00"`, text: `"a\ude00"`, codes: []talewright.Code{badText}},
		{reason: "two first halves", in: `"\ud83d\ud83d\ude00"`, text: `"\ud83d\ud83d\ude00"`,
			codes: []talewright.Code{badText}},
		{reason: "a backslash and the letters of an escape", in: `"\\ud83d"`, text: `"\\ud83d"`},
		{reason: "nothing", refused: true},
		{reason: "cut off", in: `{"a":[1,`, refused: true},
		{reason: "more behind the value", in: `{}{}`, refused: true},
		{reason: "deep", in: strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), refused: true},
		{reason: "many values", in: "[" + strings.Repeat("1,", maxValues) + "1]", refused: true},
		{reason: "long", in: `"` + strings.Repeat("x", maxBytes) + `"`, refused: true},
	} {
		s, err := open([]byte(tc.in))
		if (err != nil) != tc.refused {
			t.Errorf("%s: error %v", tc.reason, err)
		}
		if err != nil {
			continue
		}
		if got := codesOf(s.problems); string(s.Text) != tc.text || !slices.Equal(got, tc.codes) {
			t.Errorf("%s: %q with %v, want %q with %v", tc.reason, s.Text, got, tc.text, tc.codes)
		}
	}
}

// TestBook shows the places of entries, and that equal ids replace each other.
func TestBook(t *testing.T) {
	t.Parallel()
	s, err := open([]byte(`{"l":[{"id":5},7,{"id":"x","k":1,"k":2},null,{"id":5}],"o":{"b":{},"1":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, list := range []string{"l", "o", "none"} {
		err := s.Each(list, s.Object()[list], func(e loreItem) members {
			seen = append(seen, fmt.Sprint(e.Index, " ", e.Path))
			return members{"uid": or(e.take("id"), e.Index), "order": json.RawMessage(nil)}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"0 l[0]", "2 l[2]", "4 l[4]", `5 o["1"]`, `6 o["b"]`}
	if !slices.Equal(seen, want) {
		t.Errorf("entries %q, want %q", seen, want)
	}
	book, err := s.Book("B")
	if err != nil {
		t.Fatal(err)
	}
	var uids []string
	for _, e := range book.Entries {
		uids = append(uids, e.UID)
	}
	if want := []string{"5", "6", "x"}; !slices.Equal(uids, want) || book.Name != "B" {
		t.Errorf("uids %q of %q, want %q", uids, book.Name, want)
	}
	if string(book.Extra["originalData"]) != string(s.Text) {
		t.Errorf("original data is %s", book.Extra["originalData"])
	}
	var got []string
	for _, p := range s.problems {
		got = append(got, string(p.Code)+" "+p.Path)
	}
	want = []string{"bad_type l[1]", "duplicate l[2].k", "not_carried l[2].k", "bad_type l[3]", "duplicate l[4]",
		"bad_type o", `duplicate o["1"]`, "no_entries none"}
	if !slices.Equal(got, want) {
		t.Errorf("problems %q, want %q", got, want)
	}
	if err := s.Each("l", []byte("5"), nil); err == nil {
		t.Error("a number was read as a list")
	}
}

// TestBounds shows that the numbers of entries and problems are limited.
func TestBounds(t *testing.T) {
	t.Parallel()
	s, err := open([]byte("[" + strings.Repeat("0,", maxEntries) + "0]"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Each("", s.Text, func(loreItem) members { return nil }); err != nil {
		t.Fatal(err)
	}
	problems := s.problems
	if len(problems) != maxProblems+1 || problems[0].Code != tooLarge ||
		problems[maxProblems].Code != more || s.seen != maxEntries {
		t.Errorf("%d entries, %d problems, first %v", s.seen, len(problems), problems[0])
	}
}

// TestSlot shows the names for ids of all types.
func TestSlot(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`7`: "7", `7.0`: "7", `1.5`: "1.5", `"7"`: "7", `"魔"`: "魔", `""`: "", `true`: "true",
		`null`: "null", `[1]`: "3", `{}`: "3",
	} {
		if got := slot(json.RawMessage(raw), 3); got != want {
			t.Errorf("%s gives %q, want %q", raw, got, want)
		}
	}
}

// TestUnused shows which members count as lost.
func TestUnused(t *testing.T) {
	t.Parallel()
	var o object
	in := `{"used":1,"b":1,"a":"x","c":null,"d":false,"e":0,"f":"","g":[],"h":{},"i":[0],"j":-0.0,"k":true}`
	if err := json.Unmarshal([]byte(in), &o); err != nil {
		t.Fatal(err)
	}
	if got := unused(o, "used"); !slices.Equal(got, []string{"a", "b", "i", "k"}) {
		t.Errorf("unused %q", got)
	}
}

func codesOf(problems talewright.Problems) []talewright.Code {
	var codes []talewright.Code
	for _, p := range problems {
		codes = append(codes, p.Code)
	}
	return codes
}
