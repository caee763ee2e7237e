package worldbook_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	wb "github.com/talewright/talewright/worldbook"
)

// TestSettingsOfOtherPrograms: numbers may be texts or have fractions. With a limit of loops below
// 0, no loop runs.
func TestSettingsOfOtherPrograms(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason, json string
		want         wb.ProfileSettings
		err          string
	}{
		{"fractions", `{"world_info_depth":1.5,"world_info_budget_cap":10.5,"world_info_max_recursion_steps":1.5}`,
			wb.ProfileSettings{Depth: 1, BudgetCap: 11, MaxRecursionSteps: 2}, ""},
		{"texts", `{"world_info_depth":" 2 ","world_info_budget":"12.5","world_info_character_strategy":"2"}`,
			wb.ProfileSettings{Depth: 2, Budget: 12.5, CharacterStrategy: wb.StrategyGlobalFirst}, ""},
		{"huge", `{"world_info_depth":1e300}`, wb.ProfileSettings{Depth: 1<<31 - 1}, ""},
		{"no number", `{"world_info_depth":"deep"}`, wb.ProfileSettings{}, "world_info_depth"},
		{"null", `{"world_info_depth":null}`, wb.ProfileSettings{}, ""},
	} {
		var got wb.ProfileSettings
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
	if r, _, loops := wb.ScanLoops(c, wb.Input{ContextSize: 4096}, wb.State{}); len(r.Activated)+len(loops) > 0 {
		t.Errorf("no loop may run: %+v", r)
	}
}

// TestRoundTripSettings: settings that a host builds are read back unchanged.
func TestRoundTripSettings(t *testing.T) {
	t.Parallel()
	for _, want := range []wb.ProfileSettings{{}, wb.Exact(), wb.Roleplay(), {
		Depth: 3, MinActivations: 2, MinActivationsDepthMax: 9, Budget: 12.5, BudgetCap: 700, MaxRecursionSteps: -1,
		CharacterStrategy: wb.StrategyGlobalFirst, OverflowAlert: true, Decorators: wb.DecoratorsCardV3, QuirksOff: wb.AllQuirks(),
	}} {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got wb.ProfileSettings
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// TestRoundTripState: a state with every effect and fuse is read back unchanged.
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

// TestOddTypes: members of types that no editor writes, but that people and models write.
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
		{"a part of the name in the text is enough", `{"uid":1,"constant":true,"content":"x","characterFilter":{"names":"Maraborin"}}`, wb.Input{Speaker: wb.Speaker{Name: "bor"}}, []string{"x"}},
		{"a text of tags", `{"uid":1,"constant":true,"content":"x","characterFilter":{"tags":"dwarf,elf"}}`,
			wb.Input{Speaker: wb.Speaker{Name: "Mara", Tags: []string{"human"}}}, nil},
		{"with one of them in it", `{"uid":1,"constant":true,"content":"x","characterFilter":{"tags":"dwarf,elf"}}`,
			wb.Input{Speaker: wb.Speaker{Name: "Mara", Tags: []string{"elf"}}}, []string{"x"}},
		{"a scan depth that is no number searches nothing", `{"uid":1,"key":["cat"],"content":"x","scanDepth":"x"}`, wb.Input{}, nil},
		{"blanks around a number do not count", `{"uid":1,"key":["cat"],"content":"x","scanDepth":" 2 "}`, wb.Input{}, []string{"x"}},
		{"a weight that is no number: none of the group loses the draw, for the sum is 0heavy100",
			`{"uid":1,"constant":true,"content":"x","group":"g","groupWeight":"heavy","order":2},{"uid":2,"constant":true,"content":"y","group":"g","order":1}`,
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
	c, _ := wb.Compile([]wb.Attachment{{Book: book}}, wb.Exact())
	return c
}

// TestIdentitiesOfNull: null gives the uid or the world "null". An empty world counts as a name; a
// missing world does not.
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

// TestLevelsOfTwoTypes: the text 2 and the number 2 are two delay levels, each with its own loop.
// Two equal numbers, or two equal texts, are one level.
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

// TestDepthsOfTwoTypes: texts at the depth "2" are separate from texts at the depth 2.
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

// TestTimedEffectsOfOtherTypes: every truthy value is a timed effect and stored; a value that is
// not a number ends at once.
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
	made := wb.Entry{UID: "1", Keys: []string{"cat"}, Content: "x", Position: wb.PositionNone, Depth: wb.NoDepth,
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

// jsValue is a JSON value with the results of JavaScript's conversions.
type jsValue struct {
	json   string
	truthy bool    // Boolean(v)
	number float64 // Number(v); null is 0
	text   string  // String(v)
}

func jsValues() []jsValue {
	nan := math.NaN()
	return []jsValue{
		{"null", false, 0, "null"}, {"true", true, 1, "true"}, {"false", false, 0, "false"}, {"0", false, 0, "0"}, {"1", true, 1, "1"},
		{`""`, false, 0, ""}, {`"0"`, true, 0, "0"}, {`"1"`, true, 1, "1"}, {`"x"`, true, nan, "x"},
		{"[]", true, 0, ""}, {"[1]", true, 1, "1"}, {`["1"]`, true, 1, "1"}, {"[[1]]", true, 1, "1"}, {`["a",[null,{}],2]`, true, nan, "a,,[object Object],2"},
		{"{}", true, nan, "[object Object]"}, {`{"a":[1]}`, true, nan, "[object Object]"},
	}
}

// TestEveryMemberOfEveryType gives each member of an entry a value of each JSON type. The scan must
// behave as JavaScript's conversion requires. Each entry is written back unchanged.
func TestEveryMemberOfEveryType(t *testing.T) {
	t.Parallel()
	scan := func(entries string, change func(*wb.ProfileSettings, *wb.Input)) wb.Result {
		t.Helper()
		var book wb.Book
		if err := json.Unmarshal([]byte(`{"name":"b","entries":[`+entries+`]}`), &book); err != nil {
			t.Fatal(err)
		}
		settings, in := wb.Exact(), wb.Input{ContextSize: 4096, Messages: []wb.Message{{Text: "a cat on a mat"}}, Speaker: wb.Speaker{Name: "Borin"}}
		change(&settings, &in)
		c, _ := wb.Compile([]wb.Attachment{{Book: book}}, settings)
		r, _ := c.Scan(in, wb.State{})
		return r
	}
	as := func(*wb.ProfileSettings, *wb.Input) {}
	texts := func(r wb.Result) string {
		var out []string
		for _, a := range r.Activated {
			out = append(out, a.Text)
		}
		return strings.Join(out, " ")
	}
	on := func(is bool) string {
		if is {
			return "x"
		}
		return ""
	}
	is := func(list ...string) func(jsValue) bool {
		return func(v jsValue) bool { return slices.Contains(list, v.json) }
	}
	truthy := func(v jsValue) bool { return v.truthy }
	long := strings.Repeat("word ", 200)
	const fixed = `{"uid":9,"constant":true,"content":"y","order":0.5`
	type row struct {
		member, reason string
		entries        string // V is the value
		change         func(*wb.ProfileSettings, *wb.Input)
		see            func(wb.Result) string
		want           func(jsValue) string
	}
	active := func(member, reason, entries string, change func(*wb.ProfileSettings, *wb.Input), want func(jsValue) bool) row {
		return row{member, reason, entries, change, texts, func(v jsValue) string { return on(want(v)) }}
	}
	recursive := func(s *wb.ProfileSettings, _ *wb.Input) { s.Recursive = true }
	rows := []row{
		active("constant", "if (v)", `{"content":"x","constant":V}`, as, truthy),
		active("disable", "v == true compares numbers, and a list by its text", `{"constant":true,"content":"x","disable":V}`, as,
			func(v jsValue) bool { return v.json == "null" || v.number != 1 }),
		active("selective", "if (v)", `{"key":["cat"],"keysecondary":["dragon"],"content":"x","selective":V}`, as,
			func(v jsValue) bool { return !v.truthy }),
		{"excludeRecursion", "if (v)", `{"uid":1,"constant":true,"content":"dragon"},{"uid":2,"key":["dragon"],"content":"x","excludeRecursion":V}`, recursive, texts,
			func(v jsValue) string { return strings.TrimSpace("dragon " + on(!v.truthy)) }},
		{"preventRecursion", "if (v)", `{"uid":1,"constant":true,"content":"dragon","preventRecursion":V},{"uid":2,"key":["dragon"],"content":"x"}`, recursive, texts,
			func(v jsValue) string { return strings.TrimSpace("dragon " + on(!v.truthy)) }},
		active("useProbability", "if (v)", `{"constant":true,"content":"x","probability":0,"useProbability":V}`,
			func(_ *wb.ProfileSettings, in *wb.Input) { in.Random = func() float64 { return 0.5 } }, func(v jsValue) bool { return !v.truthy }),
		{"groupOverride", "if (v)", `{"uid":1,"constant":true,"content":"x","group":"g","groupWeight":0,"order":1,"groupOverride":V},` +
			`{"uid":2,"constant":true,"content":"y","group":"g","order":2}`, as, texts,
			func(v jsValue) string {
				if v.truthy {
					return "x"
				}
				return "y"
			}},
		{"ignoreBudget", "if (v)", `{"constant":true,"content":"` + long + `","ignoreBudget":V}`, func(_ *wb.ProfileSettings, in *wb.Input) { in.ContextSize = 8 },
			func(r wb.Result) string { return on(len(r.Activated) == 1) }, func(v jsValue) string { return on(v.truthy) }},
		active("delayUntilRecursion", "if (v)", `{"constant":true,"content":"x","excludeRecursion":true,"delayUntilRecursion":V}`, as,
			func(v jsValue) bool { return !v.truthy }),
		active("caseSensitive", "v ?? the setting, if (…)", `{"key":["CAT"],"content":"x","caseSensitive":V}`, as, func(v jsValue) bool { return !v.truthy }),
		active("matchWholeWords", "v ?? the setting, if (…)", `{"key":["ca"],"content":"x","matchWholeWords":V}`,
			func(s *wb.ProfileSettings, _ *wb.Input) { s.MatchWholeWords = true }, func(v jsValue) bool { return v.json != "null" && !v.truthy }),
		{"useGroupScoring", "v ?? the setting, if (…)", `{"uid":1,"key":["cat"],"content":"x","group":"g","order":2,"useGroupScoring":V},` +
			`{"uid":2,"key":["cat","mat"],"content":"y","group":"g","order":1}`, func(s *wb.ProfileSettings, _ *wb.Input) { s.UseGroupScoring = true }, texts,
			func(v jsValue) string {
				if v.json == "null" || v.truthy {
					return "y"
				}
				return "x"
			}},
		active("probability", "roll <= v", `{"constant":true,"content":"x","useProbability":true,"probability":V}`,
			func(_ *wb.ProfileSettings, in *wb.Input) { in.Random = func() float64 { return 0.005 } }, func(v jsValue) bool { return v.number == 1 }),
		{"order", "b - a; NaN leaves the order of the file", fixed + `},{"uid":1,"constant":true,"content":"x","order":V}`, as, texts,
			func(v jsValue) string {
				if v.number == 1 {
					return "x y"
				}
				return "y x"
			}},
		{"groupWeight", "0 + 1 + (v ?? 100): a text or a list makes a text of the sum",
			`{"uid":1,"constant":true,"content":"x","group":"g","groupWeight":1,"order":2},{"uid":2,"constant":true,"content":"y","group":"g","groupWeight":V,"order":1}`,
			func(_ *wb.ProfileSettings, in *wb.Input) { in.Random = func() float64 { return 0.6 } }, texts,
			func(v jsValue) string {
				switch v.json {
				case "null", "true", "1", `"0"`, `"1"`, "[1]", `["1"]`, "[[1]]": // "1" + "0" is "10"
					return "y"
				case "false", "0", `""`, "[]":
					return "x"
				}
				return "x y" // NaN: no entry loses
			}},
		active("scanDepth", "v ?? the setting; v <= 0 is nothing, slice(0, v)", `{"key":["cat"],"content":"x","scanDepth":V}`, as,
			func(v jsValue) bool { return v.json == "null" || v.number == 1 }),
		active("scanDepth", "NaN <= 0 is false, and slice(0, NaN) no message: the rest is searched", `{"key":["dragon"],"content":"x","scanDepth":V}`,
			func(_ *wb.ProfileSettings, in *wb.Input) { in.Injections = []string{"a dragon"} }, func(v jsValue) bool { return v.json == "null" || !(v.number <= 0) }),
		active("delay", "v && length < v", `{"constant":true,"content":"x","delay":V}`, func(_ *wb.ProfileSettings, in *wb.Input) { in.Messages = nil },
			func(v jsValue) bool { return v.number != 1 }),
		{"position", "switch compares by ===", `{"constant":true,"content":"x","position":V}`, as,
			func(r wb.Result) string { return fmt.Sprint(len(r.Before), len(r.After)) }, func(v jsValue) string {
				return map[string]string{"0": "1 0", "1": "0 1"}[v.json] + map[bool]string{true: "", false: "0 0"}[v.json == "0" || v.json == "1"]
			}},
		active("selectiveLogic", "v ?? 0, switch compares by ===", `{"key":["cat"],"keysecondary":["mat"],"selective":true,"content":"x","selectiveLogic":V}`, as, is("null", "0")),
		{"depth", "v ?? 4, groups compare by ===", `{"uid":1,"constant":true,"content":"x","position":4,"role":0,"depth":V},{"uid":2,"constant":true,"content":"y","position":4,"role":0,"depth":1}`, as,
			func(r wb.Result) string { return fmt.Sprint(len(r.Depth)) }, func(v jsValue) string { return map[bool]string{true: "1", false: "2"}[v.json == "1"] }},
		{"role", "v ?? 0, groups compare by ===", `{"uid":1,"constant":true,"content":"x","position":4,"depth":1,"role":V},{"uid":2,"constant":true,"content":"y","position":4,"depth":1,"role":1}`, as,
			func(r wb.Result) string { return fmt.Sprint(len(r.Depth)) }, func(v jsValue) string { return map[bool]string{true: "1", false: "2"}[v.json == "1"] }},
		active("key", "Array.isArray(v), items by String()", `{"content":"x","key":V}`, func(_ *wb.ProfileSettings, in *wb.Input) { in.Messages[0].Text = "1 cat" },
			is("[1]", `["1"]`, "[[1]]")),
		active("key", "an object in the list by String()", `{"content":"x","key":V}`, func(_ *wb.ProfileSettings, in *wb.Input) { in.Messages[0].Text = "[object Object], a" },
			is(`["a",[null,{}],2]`)),
		active("keysecondary", "Array.isArray(v) && v.length", `{"key":["cat"],"selective":true,"content":"x","keysecondary":V}`,
			func(_ *wb.ProfileSettings, in *wb.Input) { in.Messages[0].Text = "cat" }, func(v jsValue) bool { return v.json[0] != '[' || v.json == "[]" }),
		active("triggers", "Array.isArray(v) && v.length", `{"constant":true,"content":"x","triggers":V}`, as, func(v jsValue) bool { return v.json[0] != '[' || v.json == "[]" }),
		active("characterFilter", "v?.names?.length", `{"constant":true,"content":"x","characterFilter":V}`, as, func(jsValue) bool { return true }),
		active("characterFilter", "names?.length; includes() of a text finds a part, of a list an equal item", `{"constant":true,"content":"x","characterFilter":{"names":V}}`, as,
			func(v jsValue) bool { return v.json[0] != '"' && v.json[0] != '[' || v.json == `""` || v.json == "[]" }),
		active("characterFilter", "isExclude: if (v)", `{"constant":true,"content":"x","characterFilter":{"names":["Borin"],"isExclude":V}}`, as, func(v jsValue) bool { return !v.truthy }),
		{"content", "v || \"\", as a text", `{"constant":true,"content":V}`, as, texts, func(v jsValue) string {
			if v.truthy {
				return v.text
			}
			return ""
		}},
		{"outletName", "if (v), then the key of an object: a text", `{"constant":true,"content":"x","position":7,"outletName":V}`, as,
			func(r wb.Result) string {
				for _, o := range r.Outlets {
					return o.Name
				}
				return ""
			}, func(v jsValue) string { return map[bool]string{true: v.text}[v.truthy] }},
		{"automationId", "filter(v => v), then a text", `{"constant":true,"content":"x","automationId":V}`, as, func(r wb.Result) string { return r.Activated[0].AutomationID },
			func(v jsValue) string { return map[bool]string{true: v.text}[v.truthy] }},
		{"uid", "a template text", `{"constant":true,"content":"x","uid":V}`, as, func(r wb.Result) string { return r.Activated[0].ID.UID }, func(v jsValue) string { return v.text }},
		{"world", "a template text", `{"constant":true,"content":"x","world":V}`, as, func(r wb.Result) string { return r.Activated[0].ID.Book }, func(v jsValue) string { return v.text }},
	}
	for member, set := range map[string]func(*wb.ScanData){
		"matchPersonaDescription":   func(d *wb.ScanData) { d.PersonaDescription = "dragon" },
		"matchCharacterDescription": func(d *wb.ScanData) { d.CharacterDescription = "dragon" },
		"matchCharacterPersonality": func(d *wb.ScanData) { d.CharacterPersonality = "dragon" },
		"matchCharacterDepthPrompt": func(d *wb.ScanData) { d.CharacterDepthPrompt = "dragon" },
		"matchScenario":             func(d *wb.ScanData) { d.Scenario = "dragon" },
		"matchCreatorNotes":         func(d *wb.ScanData) { d.CreatorNotes = "dragon" },
	} {
		rows = append(rows, active(member, "if (v)", `{"key":["dragon"],"content":"x","`+member+`":V}`, func(_ *wb.ProfileSettings, in *wb.Input) { set(&in.Data) }, truthy))
	}
	for _, member := range []string{"comment", "addMemo", "displayIndex", "vectorized", "extensions"} {
		rows = append(rows, active(member, "a scan does not look at it", `{"constant":true,"content":"x","`+member+`":V}`, as, func(jsValue) bool { return true }))
	}
	for _, row := range rows {
		for _, v := range jsValues() {
			entries := strings.ReplaceAll(row.entries, "V", v.json)
			if got, want := row.see(scan(entries, row.change)), row.want(v); got != want {
				t.Errorf("%s of %s (%s): %q, want %q", row.member, v.json, row.reason, got, want)
			}
			var e wb.Entry
			one := `{"` + row.member + `":` + v.json + `}`
			if err := json.Unmarshal([]byte(one), &e); err != nil {
				t.Fatal(err)
			}
			if back, err := json.Marshal(e); err != nil || string(back) != one {
				t.Errorf("%s is written back as %s, %v", one, back, err)
			}
		}
	}
	for _, member := range []string{"sticky", "cooldown"} {
		for _, v := range jsValues() {
			_, st := oddBook(t, `{"uid":1,"constant":true,"content":"x","`+member+`":`+v.json+`}`).Scan(says("a", "b"), wb.State{})
			got := map[string]map[string]wb.Record{"sticky": st.Sticky, "cooldown": st.Cooldown}[member]
			want := 2 // length + Number(v); NaN is over at once
			if v.number == 1 {
				want = 3
			}
			if r := got["main.1"]; v.truthy && r.End != want || !v.truthy && len(got) > 0 {
				t.Errorf("%s of %s: %+v, want the end %d", member, v.json, r, want)
			}
		}
	}
}

// TestBooksOfEveryType: entries that are neither an object nor a list, and an entry that is not an
// object, are errors that name the place. The value null means no entries, or an entry without
// members.
func TestBooksOfEveryType(t *testing.T) {
	t.Parallel()
	for entries, want := range map[string]string{
		"null": "0", "[]": "0", "{}": "0", "[null]": "1", `{"0":null}`: "1", "true": "entries is neither", "7": "entries is neither", `"x"`: "entries is neither",
		`[{},7]`: "entries[1] is not an object", `[["x"]]`: "entries[0] is not an object", `{"a":"x"}`: `entries["a"] is not an object`, `{"0":[]}`: `entries["0"] is not an object`,
	} {
		var book wb.Book
		err := json.Unmarshal([]byte(`{"entries":`+entries+`}`), &book)
		if got := fmt.Sprint(len(book.Entries)); err == nil && got != want || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %s entries, %v; want %s", entries, got, err, want)
		}
	}
	for name, want := range map[string]string{"null": "", "7": "7", "true": "true", "[1]": "1", "{}": "[object Object]", `"b"`: "b"} {
		var book wb.Book
		if err := json.Unmarshal([]byte(`{"name":`+name+`,"entries":{}}`), &book); err != nil || book.Name != want {
			t.Errorf("the name %s: %q, %v", name, book.Name, err)
		}
	}
}
