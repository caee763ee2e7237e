package talewright_test

import (
	"encoding/json"
	"testing"

	"github.com/talewright/talewright"
)

func TestProblemRoundTrip(t *testing.T) {
	for _, severity := range []talewright.Severity{talewright.Warning, talewright.Error, talewright.Fatal, 7, -9} {
		want := talewright.Problem{Path: "a[1]", ID: "x", Code: "bad", Severity: severity, Text: "wrong"}
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got talewright.Problem
		if err := json.Unmarshal(data, &got); err != nil || got != want {
			t.Errorf("%s reads back as %+v, %v, want %+v", data, got, err, want)
		}
	}
	if err := json.Unmarshal([]byte(`{"severity":"deadly"}`), new(talewright.Problem)); err == nil {
		t.Error("a severity that does not exist is read")
	}
	if got := talewright.Severity(7).String(); got != "Severity(7)" {
		t.Errorf("String() = %q", got)
	}
}

func TestProblemsGrouped(t *testing.T) {
	for _, row := range []struct {
		why  string
		list talewright.Problems
		want string
	}{
		{"none", nil, ""},
		{"one index each", talewright.Problems{{Path: "a[1]", Text: "x"}, {Path: "a[22]", Text: "x"}}, "a[1]: x (and 1 more like it)"},
		{"several indices", talewright.Problems{{Path: "a[1].b[2]", Text: "x"}, {Path: "a[2].b[0]", Text: "x"}}, "a[1].b[2]: x (and 1 more like it)"},
		{"other members", talewright.Problems{{Path: "a[1].b", Text: "x"}, {Path: "a[1].c", Text: "x"}}, "a[1].b: x\na[1].c: x"},
		{"names in brackets", talewright.Problems{{Path: "a[x1]", Text: "x"}, {Path: "a[x2]", Text: "x"}}, "a[x1]: x\na[x2]: x"},
		{"other texts", talewright.Problems{{Path: "a[1]", Text: "x"}, {Path: "a[2]", Text: "y"}}, "a[1]: x\na[2]: y"},
		{"other severities", talewright.Problems{{Path: "a[1]", Text: "x"}, {Path: "a[2]", Severity: talewright.Fatal, Text: "x"}}, "a[1]: x\na[2]: x"},
		{"an open bracket", talewright.Problems{{Path: "a[", Text: "x"}, {Path: "a[1", Text: "x"}}, "a[: x (and 1 more like it)"},
	} {
		if got := row.list.Grouped().Error(); got != row.want {
			t.Errorf("%s: %q, want %q", row.why, got, row.want)
		}
	}
	list := talewright.Problems{{Path: "a[1]", Text: "x"}, {Path: "a[2]", Text: "x"}}
	if list.Grouped(); list[0].Text != "x" {
		t.Error("Grouped changed the list it was called on")
	}
}

func TestProblemsInLeavesTheListAlone(t *testing.T) {
	list := talewright.Problems{{Path: "[2].key"}, {Path: ""}, {Path: "name"}}
	in := list.In("books")
	for i, want := range []string{"books[2].key", "books", "books.name"} {
		if in[i].Path != want {
			t.Errorf("In: path %q, want %q", in[i].Path, want)
		}
	}
	if list[0].Path != "[2].key" {
		t.Error("In changed the list it was called on")
	}
}
