package question

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
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

// TestPartsOfASummary: each group of witnesses has its own part, without the secrets of others. The
// summary covers the turns once a part of it is private.
func TestPartsOfASummary(t *testing.T) {
	t.Parallel()
	public, private := state.Turn{ID: "t1"}, state.Turn{ID: "t2", Audience: []string{"ann"}}
	old := state.Summary{Text: "old", Private: []state.AudiencePart{{Witnesses: []string{"ann"}, Text: "hers"}}}
	if parts := (Summarize{Old: old, Turns: []state.Turn{public}}).Parts(); len(parts) != 1 || parts[0].Old.Text != "old" || parts[0].Old.Private != nil {
		t.Errorf("public turns: %+v", parts)
	}
	if parts := (Summarize{Turns: []state.Turn{public}}).Parts(); len(parts) != 1 || parts[0].Witnesses != nil {
		t.Errorf("no audiences: %+v", parts)
	}
	for name, c := range map[string]struct {
		turns   []state.Turn
		answers []state.Summary
		want    string
	}{
		"public":  {[]state.Turn{public}, []state.Summary{{Text: "new", CoversThrough: "own"}}, "new own [{hers [ann]}]"},
		"private": {[]state.Turn{private}, []state.Summary{{Text: "new"}}, "old t2 [{new [ann]}]"},
		"both":    {[]state.Turn{public, private}, []state.Summary{{Text: "new"}, {Text: "more"}}, "new t2 [{more [ann]}]"},
	} {
		got := Summarize{Old: old, Turns: c.turns}.Join(c.answers)
		var parts []string
		for _, p := range got.Private {
			parts = append(parts, fmt.Sprintf("{%s %v}", p.Text, p.Witnesses))
		}
		if text := fmt.Sprint(got.Text, " ", got.CoversThrough, " ", parts); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
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

// TestJudgesAsText compares what a model is asked in both languages, with a second try, and the
// verdicts that are read from its answers, with testdata/judges.golden.
func TestJudgesAsText(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	for _, narration := range []string{"Rain falls on Su.", "雨落在苏的身上。"} {
		q := Judge{Narration: narration, Names: map[string]string{"su": "Su", "yard": "Yard"}, Questions: []conflict.Question{
			{N: 1, Kind: "hp", Quote: "3 HP", Sentences: narration, Who: []string{"su"}}, {N: 2, Kind: "position", Places: []string{"yard"}}, {N: 3, Kind: "odd"}}}
		model := llmtest.NewScripted(llmtest.Text("Perhaps."), llmtest.Text(`{"answers": [{"n": 1, "asserted": "yes", "who": "su", "value": -3, "place": null},
			{"n": 2, "asserted": "no", "place": "yard"}, {"n": 9, "asserted": "unclear"}, {"n": 3, "asserted": "maybe"}]}`))
		verdicts, _, err := q.Ask(t.Context(), model, llm.Request{Model: "small", Messages: []llm.Message{{Role: llm.User, Text: "no"}},
			Tools: []llm.ToolSpec{{Name: "no"}}, Options: llm.Options{ToolChoice: "auto", Stop: []string{"x"}, MaxTokens: new(9)}})
		for _, part := range []any{model.Requests(), verdicts, fmt.Sprint(err)} {
			text, err := json.MarshalIndent(part, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&got, "%s\n", text)
		}
	}
	testkit.Golden(t, "testdata/judges.golden", got.String())
}

// TestSummaryParts: a question without private turns is its own only part. The answers for groups cover
// all turns, also if only one group heard them.
func TestSummaryParts(t *testing.T) {
	t.Parallel()
	open := Summarize{Old: state.Summary{Text: "Fog."}, Turns: []state.Turn{{ID: "turn_0001"}, {ID: "turn_0002"}}, Unread: []string{"turn_0000"}}
	if got := open.Parts(); len(got) != 1 || !reflect.DeepEqual(got[0], open) {
		t.Errorf("parts %+v", got)
	}
	if got := open.Join([]state.Summary{{Text: "Rain.", CoversThrough: "turn_0001"}}); got.CoversThrough != "turn_0001" || got.Text != "Rain." {
		t.Errorf("joined %+v", got)
	}
	private := Summarize{Old: state.Summary{Text: "Fog."}, Turns: []state.Turn{{ID: "turn_0001", Audience: []string{"ann"}}, {ID: "turn_0002", Audience: []string{"ann"}}}}
	if got := private.Join([]state.Summary{{Text: "Rain."}}); got.CoversThrough != "turn_0002" || got.Text != "Fog." ||
		len(got.Private) != 1 || got.Private[0].Text != "Rain." {
		t.Errorf("joined for a group: %+v", got)
	}
}
