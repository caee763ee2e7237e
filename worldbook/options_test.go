package worldbook_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// own is an entry whose options are read from JSON.
func own(t *testing.T, uid, keys, options string) wb.Entry {
	t.Helper()
	e := wb.Entry{UID: uid, Content: "Text of " + uid + ".", Order: 100}
	if keys != "" {
		e.Keys = strings.Split(keys, ",")
	}
	var read wb.Entry
	if err := json.Unmarshal([]byte(`{"extensions":{"talewright":`+options+`}}`), &read); err != nil {
		t.Fatal(err)
	}
	e.Extensions, e.Options = read.Extensions, read.Options
	return e
}

// gateOf returns the line of an entry in the trace of a scan.
func gateOf(c *wb.Compiled, in wb.Input, st wb.State, uid string) string {
	in.Explain = true
	r, _ := c.Scan(in, st)
	for _, x := range r.Trace {
		if x.ID.UID == uid {
			return x.String()
		}
	}
	return ""
}

// TestOptionsRoundTrip: options are written back as they were read, unknown members included. A
// change of the options changes only their members.
func TestOptionsRoundTrip(t *testing.T) {
	t.Parallel()
	for _, r := range []struct {
		reason, in string
		change     func(*wb.Entry)
		want       string // "" means in
	}{
		{"no options", `{"extensions":{"a":1}}`, nil, ""},
		{"options", `{"extensions":{"talewright":{"when":"a OR b"}}}`, nil, ""},
		{"unknown and odd members stay", `{"extensions":{"x":[2],"talewright":{"when":7,"later":{"a":null}}}}`, nil, ""},
		{"odd extensions stay", `{"extensions":"talewright"}`, nil, ""},
		{"an empty object stays", `{"extensions":{"talewright":{}}}`, nil, ""},
		{"a new option is added", `{"extensions":{"x":2}}`, func(e *wb.Entry) { e.Options = &wb.Options{When: "a"} },
			`{"extensions":{"x":2,"talewright":{"when":"a"}}}`},
		{"a changed option is written", `{"extensions":{"talewright":{"when":"a","later":1}}}`, func(e *wb.Entry) { e.Options.When = "b" },
			`{"extensions":{"talewright":{"when":"b","later":1}}}`},
		{"a removed option goes, the rest stays", `{"extensions":{"talewright":{"when":"a","later":1}}}`, func(e *wb.Entry) { e.Options = nil },
			`{"extensions":{"talewright":{"later":1}}}`},
		{"the last option goes with its object", `{"extensions":{"talewright":{"when":"a"}}}`, func(e *wb.Entry) { e.Options = nil },
			`{"extensions":{}}`},
	} {
		var e wb.Entry
		if err := json.Unmarshal([]byte(r.in), &e); err != nil {
			t.Fatal(r.reason, err)
		}
		if r.change != nil {
			r.change(&e)
		}
		got, err := json.Marshal(e)
		if want := r.want; err != nil {
			t.Fatal(r.reason, err)
		} else if want == "" && string(got) != r.in {
			t.Errorf("%s: got %s, want %s", r.reason, got, r.in)
		} else if want != "" && canonical(t, got) != canonical(t, []byte(want)) {
			t.Errorf("%s: got %s, want %s", r.reason, got, want)
		}
	}
}

// canonical writes JSON with sorted members.
func canonical(t *testing.T, data []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// TestOptionMistakes: Compile reports a mistake in the options with its place. The other options
// still act.
func TestOptionMistakes(t *testing.T) {
	t.Parallel()
	for _, r := range []struct{ reason, options, want string }{
		{"no object", `7`, `b.entries[0].extensions.talewright: must be an object, not a number: correct it`},
		{"wrong type", `{"when":["a"]}`, `b.entries[0].extensions.talewright.when: must be a text, not a list: correct it`},
		{"unknown", `{"wehn":"a"}`, `b.entries[0].extensions.talewright.wehn: there is no such option: correct the name or remove it`},
		{"empty", `{"when":""}`, ``},
		{"null", `{"when":null}`, ``},
		{"open bracket", `{"when":"(a OR b"}`, `b.entries[0].extensions.talewright.when: column 8: a bracket is not closed; add )`},
		{"closing bracket", `{"when":"a) OR b"}`, `b.entries[0].extensions.talewright.when: column 2: this bracket closes nothing; remove it`},
		{"nothing after an operator", `{"when":"a AND"}`, `b.entries[0].extensions.talewright.when: column 6: a key is missing at the end; add it`},
		{"operator first", `{"when":"OR a"}`, `b.entries[0].extensions.talewright.when: column 1: a key is missing here; add it`},
		{"two keys", `{"when":"龙 \"b\""}`, `b.entries[0].extensions.talewright.when: column 3: AND or OR is missing before this key; add it, or put one key into quotation marks`},
		{"open quotation", `{"when":"\"a"}`, `b.entries[0].extensions.talewright.when: column 1: a quotation mark is not closed; add "`},
		{"empty key", `{"when":"a OR \" \""}`, `b.entries[0].extensions.talewright.when: column 6: a key is empty; write a text into the quotation marks`},
		{"open regex", `{"when":"/a"}`, `b.entries[0].extensions.talewright.when: column 1: a regular expression is not closed; add /, or put the key into quotation marks`},
		{"bad regex", `{"when":"/(/"}`, `b.entries[0].extensions.talewright.when: key 1, "/(/", is not a JavaScript regex`},
		{"small operator", `{"when":"salt and pepper"}`, `b.entries[0].extensions.talewright.when: "and" in small letters is part of a key; write AND, or put the key into quotation marks`},
		{"too deep", `{"when":"` + strings.Repeat("(", 99) + `a"}`, `b.entries[0].extensions.talewright.when: column 65: nested deeper than 64 levels; make it simpler`},
		{"too long", `{"when":"a` + strings.Repeat("|a", 999) + `"}`, `b.entries[0].extensions.talewright.when: column 513: more than 256 keys; make it shorter`},
	} {
		_, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{own(t, "1", "a", r.options)}}}}, wb.Exact())
		var got string
		for _, p := range problems {
			got += p.Path + ": " + p.Text
		}
		if r.want == "" && got != "" || !strings.HasPrefix(got, r.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", r.reason, got, r.want)
		}
	}
}

// TestLaterOptionsLeaveAState: options are part of an entry's identity, so an edited option ends
// its running effects, as every edit does.
func TestLaterOptionsLeaveAState(t *testing.T) {
	t.Parallel()
	e := wb.Entry{UID: "1", Keys: []string{"bell"}, Content: "x", Sticky: 9}
	_, st := featureBook(t, wb.Exact(), e).Scan(says("A bell."), wb.State{})
	e.Options = &wb.Options{When: "bell"}
	r, _ := featureBook(t, wb.Exact(), e).Scan(says("A bell.", "", "", "Hm."), st)
	wantText(t, "edited", strings.Join(slices.Sorted(slices.Values(activated(&r))), " "), "")
}
