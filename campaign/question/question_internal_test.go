package question

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// TestPastWords: only the parts that a question has are words.
func TestPastWords(t *testing.T) {
	t.Parallel()
	for want, q := range map[string]Past{"": {}, "a": {Turns: []string{"a"}}, "s": {State: "s"}, "b": {Branch: "b"}, "jumps": {Jumps: true}} {
		if got := q.Words(); len(got) != min(len(want), 1) || want != "" && got[0] != want {
			t.Errorf("%+v: %q", q, got)
		}
	}
}

// TestSheets: a sheet has names only of what has a name, and no line without a content. An answer that
// is not JSON is an error.
func TestSheets(t *testing.T) {
	t.Parallel()
	q := Judge{Narration: "Rain.", Names: map[string]string{"su": "Su", "bo": "bo"}, Questions: []conflict.Question{
		{N: 1, Kind: "hp", Sentences: "Rain\n falls."}, {N: 2, Kind: "hp", Who: []string{"su", "bo", "cy"}}}}
	if got, want := q.sheet(askText{text: "t", quote: "q"}), "1. Do somebody's hit points change, or are they this number?\n   t: \"Rain falls.\"\n   q: \"\"\n"+
		"2. Do somebody's hit points change, or are they this number?\n   t: \"\"\n   q: \"\"\n   who: su (\"Su\"); bo; cy\n"; got != want {
		t.Errorf("%q", got)
	}
	if got, err := q.decode([]byte(`{"answers": 5}`)); err == nil {
		t.Errorf("%+v", got)
	}
}

// TestCacheMarks: a mark is on the last message that has nothing of later ones, with the members that
// the message has.
func TestCacheMarks(t *testing.T) {
	t.Parallel()
	said := func(role llm.Role, text string) Message { return Message{Message: llm.Message{Role: role, Text: text}} }
	r := Request{CacheMark: map[string]json.RawMessage{"cache": json.RawMessage("1")}, Messages: []Message{
		said(llm.User, "a"), said(llm.Assistant, "b"), said(llm.User, "c"), said(llm.User, "d")}}
	r.Messages[1].Message.Extra = map[string]json.RawMessage{"x": json.RawMessage("2")}
	for _, w := range []struct {
		profile prompt.ShapeProfile
		at      int
		want    []string // the texts of the marked messages
	}{
		{"", 1, []string{"b"}}, {"", 2, []string{"c"}}, {prompt.ShapeMerge, 1, []string{"b"}}, {prompt.ShapeMerge, 2, []string{"b"}}, {prompt.ShapeMerge, 3, []string{"c\n\nd"}},
	} {
		r.CacheMarks, r.Shape.Profile = []int{w.at}, w.profile
		var got []string
		for _, m := range r.LLM().Messages {
			if m.Extra["cache"] != nil {
				got = append(got, m.Text)
			}
		}
		if !slices.Equal(got, w.want) {
			t.Errorf("%q, mark %d: %q", w.profile, w.at, got)
		}
	}
	r.CacheMarks, r.Shape.Profile = []int{0}, prompt.ShapeMerge
	r.Messages = r.Messages[2:]
	for _, m := range r.LLM().Messages {
		if m.Extra != nil {
			t.Errorf("there is no place for the mark, and it is on %q", m.Text)
		}
	}
}
