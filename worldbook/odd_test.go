package worldbook_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	wb "github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/insertion"
	"github.com/talewright/talewright/worldbook/profile"
	"github.com/talewright/talewright/worldbook/quirk"
)

// TestSettingsOfOtherPrograms: numbers may be texts or have fractions; a limit of loops
// below 0 lets none run.
func TestSettingsOfOtherPrograms(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason, json string
		want         profile.Settings
		err          string
	}{
		{"fractions", `{"world_info_depth":1.5,"world_info_budget_cap":10.5,"world_info_max_recursion_steps":1.5}`,
			profile.Settings{Depth: 1, BudgetCap: 11, MaxRecursionSteps: 2}, ""},
		{"texts", `{"world_info_depth":" 2 ","world_info_budget":"12.5","world_info_character_strategy":"2"}`,
			profile.Settings{Depth: 2, Budget: 12.5, CharacterStrategy: profile.GlobalFirst}, ""},
		{"huge", `{"world_info_depth":1e300}`, profile.Settings{Depth: 1<<31 - 1}, ""},
		{"no number", `{"world_info_depth":"deep"}`, profile.Settings{}, "world_info_depth"},
		{"null", `{"world_info_depth":null}`, profile.Settings{}, ""},
	} {
		var got profile.Settings
		err := json.Unmarshal([]byte(row.json), &got)
		if (err != nil) != (row.err != "") || err != nil && !strings.Contains(err.Error(), row.err) {
			t.Errorf("%s: error %v", row.reason, err)
		}
		if diff := cmp.Diff(row.want, got); diff != "" && row.err == "" {
			t.Errorf("%s: %s", row.reason, diff)
		}
	}
	kept := profile.Exact()
	if err := json.Unmarshal([]byte(`{"world_info_depth":7}`), &kept); err != nil || kept.Depth != 7 || !kept.IncludeNames {
		t.Errorf("settings that are not named stay: %+v %v", kept, err)
	}
	none := profile.Exact()
	none.MaxRecursionSteps = -1
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Entries: []wb.Entry{{Constant: true, Content: "x"}}}}}, none)
	if r, _, loops := wb.ScanLoops(c, wb.Input{ContextSize: 4096}, wb.State{}); len(r.Activated)+len(loops) > 0 {
		t.Errorf("no loop may run: %+v", r)
	}
}

// TestRoundTripSettings: what a host builds is read back as it was written.
func TestRoundTripSettings(t *testing.T) {
	t.Parallel()
	for _, want := range []profile.Settings{{}, profile.Exact(), profile.Roleplay(), {
		Depth: 3, MinActivations: 2, MinActivationsDepthMax: 9, Budget: 12.5, BudgetCap: 700, MaxRecursionSteps: -1,
		CharacterStrategy: profile.GlobalFirst, OverflowAlert: true, Decorators: profile.DecoratorsCardV3, QuirksOff: quirk.All(),
	}} {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got profile.Settings
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// TestRoundTripState: so is a state, with every effect and fuse.
func TestRoundTripState(t *testing.T) {
	t.Parallel()
	for _, want := range []wb.State{{}, {
		Sticky:   map[string]wb.Record{"b.1": {Hash: "x", Start: 1, End: 4, Protected: true}},
		Cooldown: map[string]wb.Record{"b.\u2028<2>": {Start: -1}},
		Last:     map[string][2]int{"b.1": {4, 2}},
		Fuses:    []wb.Fuse{{Key: greedy, Start: 3, End: 103}, {Key: "/\\u0001<&>/"}},
	}} {
		if diff := cmp.Diff(want, throughJSON(t, want)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestOddTypes: members of types that no editor writes, but people and models do.
func TestOddTypes(t *testing.T) {
	t.Parallel()
	scan := func(entries string, in wb.Input) []string {
		t.Helper()
		var book wb.Book
		if err := json.Unmarshal([]byte(`{"entries":[`+entries+`]}`), &book); err != nil {
			t.Fatal(err)
		}
		book.Name = "b"
		settings := profile.Exact()
		settings.Recursive = true
		c, _ := wb.Compile([]wb.Attachment{{Book: book}}, settings)
		in.ContextSize = 4096
		in.Messages = []wb.Message{{Text: "a cat, 0 dogs, false hopes"}}
		r, _ := c.Scan(in, wb.State{})
		var texts []string
		for _, a := range r.Activated {
			texts = append(texts, a.Text)
		}
		return texts
	}
	borin := wb.Input{Speaker: wb.Speaker{Name: "Borin"}}
	for _, row := range []struct {
		reason, entries string
		in              wb.Input
		want            []string
	}{
		{"a content of 0 or false is none", `{"uid":1,"constant":true,"content":0,"order":2},{"uid":2,"constant":true,"content":false,"order":1}`,
			wb.Input{}, []string{"", ""}},
		{"other contents are texts", `{"uid":1,"constant":true,"content":42}`, wb.Input{}, []string{"42"}},
		{"0 is no key", `{"uid":1,"key":[0, false, null],"content":"x"}`, wb.Input{}, nil},
		{"a list in a list of keys is its items", `{"uid":1,"key":[["cat"]],"content":"x"}`, wb.Input{}, []string{"x"}},
		{"a filter with one name as a text", `{"uid":1,"constant":true,"content":"x","characterFilter":{"names":"Borin"}}`, borin, []string{"x"}},
		{"with another", `{"uid":1,"constant":true,"content":"x","characterFilter":{"names":"Mara, Ann"}}`, borin, nil},
		{"a part of the name in the text is enough", `{"uid":1,"constant":true,"content":"x","characterFilter":{"names":"Maraborin"}}`, wb.Input{Speaker: wb.Speaker{Name: "bor"}}, []string{"x"}},
		{"a text of tags", `{"uid":1,"constant":true,"content":"x","characterFilter":{"tags":"dwarf,elf"}}`,
			wb.Input{Speaker: wb.Speaker{Name: "Mara", Tags: []string{"human"}}}, nil},
		{"with one of them in it", `{"uid":1,"constant":true,"content":"x","characterFilter":{"tags":"dwarf,elf"}}`,
			wb.Input{Speaker: wb.Speaker{Name: "Mara", Tags: []string{"elf"}}}, []string{"x"}},
		{"a scan depth that is no number searches nothing", `{"uid":1,"key":["cat"],"content":"x","scanDepth":"x"}`, wb.Input{}, nil},
		{"blanks around a number do not count", `{"uid":1,"key":["cat"],"content":"x","scanDepth":" 2 "}`, wb.Input{}, []string{"x"}},
		{"a weight that is no number: none of the group loses the draw",
			`{"uid":1,"constant":true,"content":"x","group":"g","groupWeight":"x","order":2},{"uid":2,"constant":true,"content":"y","group":"g","order":1}`,
			wb.Input{}, []string{"x", "y"}},
		{"with several", `{"uid":1,"constant":true,"content":"x","characterFilter":{"names":"Mara, Borin"}}`, borin, []string{"x"}},
		{"a level below 0 is one of its own, and comes first",
			`{"uid":1,"constant":true,"content":"one","delayUntilRecursion":-1},{"uid":2,"constant":true,"content":"two","delayUntilRecursion":2}`,
			wb.Input{}, []string{"one", "two"}},
		{"the text 0 waits for recursion", `{"uid":1,"constant":true,"content":"x","delayUntilRecursion":"0","excludeRecursion":true}`, wb.Input{}, nil},
		{"so does a list", `{"uid":1,"constant":true,"content":"x","delayUntilRecursion":[],"excludeRecursion":true}`, wb.Input{}, nil},
	} {
		if diff := cmp.Diff(row.want, scan(row.entries, row.in)); diff != "" {
			t.Errorf("%s: %s", row.reason, diff)
		}
	}
	automation := `{"uid":1,"constant":true,"content":"x","automationId":0,"outletName":false}`
	var e wb.Entry
	if err := json.Unmarshal([]byte(automation), &e); err != nil || e.AutomationID != "" || e.OutletName != "" {
		t.Errorf("%+v %v", e, err)
	}
	if back, err := json.Marshal(e); err != nil || !strings.Contains(string(back), `"automationId":0`) {
		t.Errorf("written back as %s %v", back, err)
	}
}

// oddBook reads a book named main from a list of entries.
func oddBook(t *testing.T, entries string) *wb.Compiled {
	t.Helper()
	var book wb.Book
	if err := json.Unmarshal([]byte(`{"name":"main","entries":[`+entries+`]}`), &book); err != nil {
		t.Fatal(err)
	}
	c, _ := wb.Compile([]wb.Attachment{{Book: book}}, profile.Exact())
	return c
}

// TestIdentitiesOfNull: null names an entry or its book "null", and a book without a name is
// one; a missing member is none.
func TestIdentitiesOfNull(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		`"uid":null`: "main.null", `"uid":0,"world":""`: ".0", `"uid":0,"world":null`: "null.0",
		`"uid":0`: "main.0", `"uid":true`: "main.true", `"uid":"0"`: "main.0", `"uid":0,"world":"w"`: "w.0",
	} {
		r, _ := oddBook(t, `{"constant":true,"content":"x",`+members+`}`).Scan(wb.Input{ContextSize: 4096}, wb.State{})
		if len(r.Activated) != 1 || r.Activated[0].ID.String() != want {
			t.Errorf("%s: %+v, want the id %s", members, r.Activated, want)
		}
	}
}

// TestLevelsOfTwoTypes: the text 2 and the number 2 are two delay levels, each with a loop
// of its own; two numbers, or two texts, are one.
func TestLevelsOfTwoTypes(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason, first, second string
		loops                 int
	}{
		{"two types", `2`, `"2"`, 4}, {"numbers", `2`, `2.0`, 3}, {"texts", `"2"`, `"2"`, 3},
		{"true is the number 1", `true`, `1`, 3}, {"the text 1 is another", `true`, `"1"`, 4},
	} {
		book := oddBook(t, `{"uid":1,"constant":true,"content":"a","delayUntilRecursion":`+row.first+`},
			{"uid":2,"constant":true,"content":"b","delayUntilRecursion":`+row.second+`},{"uid":3,"constant":true,"content":"c"}`)
		r, _, loops := wb.ScanLoops(book, wb.Input{ContextSize: 4096}, wb.State{})
		if len(loops) != row.loops || len(r.Activated) != 3 {
			t.Errorf("%s: %d loops, want %d: %+v", row.reason, len(loops), row.loops, loops)
		}
	}
}

// TestDepthsOfTwoTypes: so are depths: texts at the depth "2" stand apart from those at 2.
func TestDepthsOfTwoTypes(t *testing.T) {
	t.Parallel()
	const entry = `{"constant":true,"position":4,"role":0,`
	r, _ := oddBook(t, entry+`"uid":1,"content":"a","depth":2,"order":1},`+entry+`"uid":2,"content":"b","depth":"2","order":2},`+
		entry+`"uid":3,"content":"c","depth":2,"order":3},`+entry+`"uid":4,"content":"d","depth":"2","order":4}`).
		Scan(wb.Input{ContextSize: 4096}, wb.State{})
	var got []string
	for _, g := range r.Depth {
		got = append(got, fmt.Sprint(*g.Depth, wb.Join(g.Entries)))
	}
	if diff := cmp.Diff([]string{"2b\nd", "2a\nc"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestTimedEffectsOfOtherTypes: whatever counts as true is a timed effect and stored; what
// is no number is over at once.
func TestTimedEffectsOfOtherTypes(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]map[string]wb.Record{
		`"0"`: {"main.1": {Start: 2, End: 2}}, `"x"`: {"main.1": {Start: 2, End: 2}}, `[]`: {"main.1": {Start: 2, End: 2}},
		`0.5`: {"main.1": {Start: 2, End: 2}}, `"3"`: {"main.1": {Start: 2, End: 5}}, `true`: {"main.1": {Start: 2, End: 3}},
		`0`: nil, `""`: nil, `null`: nil, `false`: nil,
	} {
		for _, member := range []string{"sticky", "cooldown"} {
			_, st := oddBook(t, `{"uid":1,"constant":true,"content":"x","`+member+`":`+value+`}`).
				Scan(says("a", "b"), wb.State{})
			got := map[string]map[string]wb.Record{"sticky": st.Sticky, "cooldown": st.Cooldown}[member]
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(wb.Record{}, "Hash")); diff != "" {
				t.Errorf("%s %s: %s", member, value, diff)
			}
		}
	}
}

// TestEntryIsPlain: an entry made in Go and one read from JSON with the same fields are
// equal, and act alike.
func TestEntryIsPlain(t *testing.T) {
	t.Parallel()
	made := wb.Entry{UID: "1", Keys: []string{"cat"}, Content: "x", Position: insertion.None, Depth: insertion.NoDepth,
		Logic: wb.LogicNone, GroupWeight: 100, Order: 7, Probability: 50, UseProbability: true,
		CharacterFilter: &wb.CharacterFilter{NamesText: "Borin", Tags: []string{}}}
	text, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	var read wb.Entry
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	read.Kept = wb.Kept{}
	if diff := cmp.Diff(made, read, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: %s", text, diff)
	}
}
