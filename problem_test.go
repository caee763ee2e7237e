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
