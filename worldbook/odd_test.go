package worldbook_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	wb "github.com/talewright/talewright/worldbook"
)

// TestSettingsOfOtherPrograms: numbers may be texts or have fractions; a limit of loops
// below 0 lets none run.
func TestSettingsOfOtherPrograms(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason, json string
		want         wb.Settings
		err          string
	}{
		{"fractions", `{"world_info_depth":1.5,"world_info_budget_cap":10.5,"world_info_max_recursion_steps":1.5}`,
			wb.Settings{Depth: 1, BudgetCap: 11, MaxRecursionSteps: 2}, ""},
		{"texts", `{"world_info_depth":" 2 ","world_info_budget":"12.5","world_info_character_strategy":"2"}`,
			wb.Settings{Depth: 2, Budget: 12.5, CharacterStrategy: wb.GlobalFirst}, ""},
		{"huge", `{"world_info_depth":1e300}`, wb.Settings{Depth: 1<<31 - 1}, ""},
		{"no number", `{"world_info_depth":"deep"}`, wb.Settings{}, "world_info_depth"},
		{"null", `{"world_info_depth":null}`, wb.Settings{}, ""},
	} {
		var got wb.Settings
		err := json.Unmarshal([]byte(row.json), &got)
		if (err != nil) != (row.err != "") || err != nil && !strings.Contains(err.Error(), row.err) {
			t.Errorf("%s: error %v", row.reason, err)
		}
		if diff := cmp.Diff(row.want, got); diff != "" && row.err == "" {
			t.Errorf("%s: %s", row.reason, diff)
		}
	}
	kept := wb.Exact()
	if err := json.Unmarshal([]byte(`{"world_info_depth":7}`), &kept); err != nil || kept.Depth != 7 || !kept.IncludeNames {
		t.Errorf("settings that are not named stay: %+v %v", kept, err)
	}
	none := wb.Exact()
	none.MaxRecursionSteps = -1
	c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Entries: []wb.Entry{{Constant: true, Content: "x"}}}}}, none)
	if r, _ := c.Scan(wb.Input{ContextSize: 4096}, wb.State{}); len(r.Activated)+len(r.Loops) > 0 {
		t.Errorf("no loop may run: %+v", r)
	}
}

// TestRoundTripSettings: what a host builds is read back as it was written.
func TestRoundTripSettings(t *testing.T) {
	t.Parallel()
	for _, want := range []wb.Settings{{}, wb.Exact(), wb.Seed(), {
		Depth: 3, MinActivations: 2, MinActivationsDepthMax: 9, Budget: 12.5, BudgetCap: 700, MaxRecursionSteps: -1,
		CharacterStrategy: wb.GlobalFirst, OverflowAlert: true, Decorators: wb.DecoratorsCardV3, QuirksOff: wb.Quirks(),
	}} {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got wb.Settings
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
		Last:     map[string]wb.Past{"b.1": {At: 4, Before: 2}},
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
		settings := wb.Exact()
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
