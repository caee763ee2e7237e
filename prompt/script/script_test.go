package script_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

var stored = script.Where{Placement: script.AIOutput}

// oneScript compiles a script for stored replies.
func oneScript(tb testing.TB, find, replace string, o script.Options, trim ...string) *script.Set {
	tb.Helper()
	set, problems := script.Compile([]script.List{{Scripts: []script.Script{{
		Name: "it", Find: find, Replace: replace, Trim: trim, Placement: []script.Placement{script.AIOutput},
	}}}}, o)
	if err := problems.Err(); err != nil {
		tb.Fatal(err)
	}
	return set
}

// canary has an effect in every possible way if it is expanded.
const canary = `{{setvar::pwned::1}}{{.pwned = 1}}{{roll::d6}}{{user}}<USER>{{trim}}\{{{else}}{{/if}}}}::$1{{match}}`

// TestMatchedTextIsData passes a hostile text through every way into a replacement: it must come
// out unchanged.
func TestMatchedTextIsData(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, replace, want string }{
		{"a group alone", "$1", canary},
		{"the match", "$0", "<" + canary + ">"},
		{"a group by name", "$<all>", canary},
		{"beside a macro", "{{char}}: $1", "Orin: " + canary},
		// The result of a macro loses the backslash of \{, as everywhere.
		{"as an argument", "{{reverse::{{reverse::$1}}}}", strings.ReplaceAll(canary, `\{`, "{")},
		{"as a part of one", "{{reverse::{{reverse::a$1b}}}}", "a" + strings.ReplaceAll(canary, `\{`, "{") + "b"},
		{"in a scope", "{{if 1}}$1{{/if}}", canary},
		{"as a condition", "{{if $1}}yes{{else}}no{{/if}}", "yes"},
		{"through a variable", "{{setvar::m::$1}}{{getvar::m}}", canary},
		{"through an expression", "{{.m = $1}}{{.m}}", canary},
		{"through a list", "{{random::$1::$1}}", canary},
		{"behind an opening", "{{user $1", "{{user " + canary},
		{"in a comment", "{{// $1}}x", "x"},
		{"where a name should be", "{{$1}}x{{.$1}}", "{{" + canary + "}}x{{." + canary + "}}"},
		{"in an unknown macro", "{{nope::$1}}", "{{nope::" + canary + "}}"},
		{"between braces of the author", `\{$1\}`, "{" + canary + "}"},
	} {
		draws := 0
		run := macro.NewRun(macro.Env{User: "Mara", Char: "Orin", Random: func() float64 { draws++; return 0 }})
		set := oneScript(t, "/<(?<all>.*)>$/", c.replace, script.Options{})
		got, report := set.Apply("<"+canary+">", stored, run)
		if got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.reason, c.replace, got, c.want)
		}
		vars, _ := run.Vars()
		if _, ok := vars["pwned"]; ok {
			t.Errorf("%s: the text has stored a variable", c.reason)
		}
		if allowed := strings.Count(c.replace, "random"); draws > allowed {
			t.Errorf("%s: the text drew %d numbers", c.reason, draws)
		}
		if len(report.Ran) != 1 || report.Ran[0].Problem != "" {
			t.Errorf("%s: report %+v", c.reason, report)
		}
	}
}

// TestFailedScriptsLeaveNothing: the text does not change, stored variables are reverted, and later
// scripts run.
func TestFailedScriptsLeaveNothing(t *testing.T) {
	t.Parallel()
	macros, err := macro.NewSet(macro.Macro{Name: "boom", Func: func(*macro.Call) string { panic("boom") }})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason, find, replace, text string
		problem                     talewright.Code
	}{
		{"too long", "/a/g", "{{.n++}}{{setvar::t::x}}{{setvarkey::o::k::v}}" + strings.Repeat("b", 700), "aaa", "too_long"},
		{"half of a sign", "/\\uD83D/", "{{.n++}}", "🐉", "split_pair"},
		{"a macro that panics", "/a/g", "{{.n++}}{{boom}}", "aaa", "macro_failed"},
		{"a search without an end", "/b|(?:(a|aa)+\\1?)+[cd]$/g", "{{.n++}}", "b" + strings.Repeat("a", 5000) + "b", "limit"},
		{"a macro that panics in an expression", "/a/g", "{{.n++}}{{.t = {{boom}}}}", "aaa", "macro_failed"},
		{"no pattern after all", "/{{.n++}}(/", "x", "a", "bad_pattern"},
		{"a macro that panics in a pattern", "/{{.n++}}{{boom}}/", "x", "a", "macro_failed"},
	} {
		first := script.Script{Name: "first", Find: c.find, Replace: c.replace, Placement: []script.Placement{script.AIOutput}}
		if strings.Contains(c.find, "{{") {
			first.Macros = script.RawMacros
		}
		last := script.Script{Name: "last", Find: "$", Replace: "!", Placement: first.Placement}
		set, _ := script.Compile([]script.List{{Scripts: []script.Script{first, last}}}, script.Options{MaxResult: 2000 + len(c.text)})
		env := macro.Env{Vars: map[string]any{"n": 1.0, "o": `{"a":1}`}, Compile: macros.Compile}
		run := macro.NewRun(env)
		got, report := set.Apply(c.text, stored, run)
		if got != c.text+"!" {
			t.Errorf("%s: the text became %.80q", c.reason, got)
		}
		if len(report.Ran) != 2 || report.Ran[0].Problem != c.problem || report.Ran[0].Changed || !report.Ran[1].Changed {
			t.Errorf("%s: report %+v", c.reason, report)
		}
		vars, _ := run.Vars()
		want := env.Vars
		if c.problem == "bad_pattern" { // the macros of a pattern run in any case
			want = map[string]any{"n": 2.0, "o": `{"a":1}`}
		}
		if diff := cmp.Diff(want, vars); diff != "" {
			t.Errorf("%s: variables (-want +got):\n%s", c.reason, diff)
		}
	}
}

// TestOutputIsBounded: scripts that multiply a text stop at the limit, before the memory is
// exhausted.
func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, find, replace string }{
		{"a group many times", "/(.*)/s", strings.Repeat("$1", 20000)},
		{"with a macro", "/(.*)/s", strings.Repeat("$1", 20000) + "{{noop}}"},
		{"for each letter", "/./g", strings.Repeat("$0", 20000)},
		{"a long text for each letter", "/./g", strings.Repeat("x", 20000)},
	} {
		set := oneScript(t, c.find, c.replace, script.Options{})
		text := strings.Repeat("ab", 20000)
		got, report := set.Apply(text, stored, nil)
		if got != text || report.Ran[0].Problem != "too_long" {
			t.Errorf("%s: %d bytes, %+v", c.reason, len(got), report)
		}
	}
	var many []script.Script
	for range 100 {
		many = append(many, script.Script{Name: "x", Find: "/^/", Replace: "x", Placement: []script.Placement{script.AIOutput}})
	}
	set, _ := script.Compile([]script.List{{Scripts: many}}, script.Options{})
	got, report := set.Apply(strings.Repeat("a", 4<<20), stored, nil)
	if last := report.Ran[len(report.Ran)-1]; last.Problem != "limit" || len(got) > 4<<20+100 {
		t.Errorf("a hundred scripts over 4 MiB: %d bytes, %+v", len(got), last)
	}
}

// TestSplitPairs: halves of a surrogate pair that become adjacent are a whole character.
func TestSplitPairs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ find, replace, want string }{
		{"/(.)(.)/", "$1$2", "🐉a"}, {"/(.)(.)/", "{{noop}}$1$2", "🐉a"}, {"/(.)(.)/", "$2$1", ""},
		{"/(.)(.)/", "$1", ""}, {"/^(.)(.)(a)/", "$3$1$2", "a🐉"}, {"/a/", "🐢", "🐉🐢"}, {"/(.)/u", "$1$1", "🐉🐉a"},
	} {
		for _, way := range []script.MatchText{script.Data, script.Expand} {
			got, report := oneScript(t, c.find, c.replace, script.Options{MatchText: way}).Apply("🐉a", stored, nil)
			if want := c.want; want == "" && (got != "🐉a" || report.Ran[0].Problem != "split_pair") || want != "" && got != want {
				t.Errorf("%s, %s, %s: %q, %+v", c.find, c.replace, way, got, report)
			}
		}
	}
}

// TestNothingFits: a call without matching scripts costs nothing.
func TestNothingFits(t *testing.T) {
	set := oneScript(t, "/a/", "b", script.Options{})
	where := script.Where{Placement: script.AIOutput, ForPrompt: true}
	if n := testkit.Allocs(100, func() {
		if got, report := set.Apply("a text", where, nil); got != "a text" || report.Ran != nil || set.Wants(where) {
			t.Error(got, report)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestSetIsShared runs one set from many goroutines, patterns with macros included.
func TestSetIsShared(t *testing.T) {
	t.Parallel()
	set, problems := script.Compile([]script.List{{Scripts: []script.Script{
		{Name: "a", Find: "/{{user}}/g", Replace: "[$0]", Macros: script.EscapedMacros, Placement: []script.Placement{script.AIOutput}},
		{Name: "b", Find: `/(\w+)!/`, Replace: "{{char}} $1", Placement: []script.Placement{script.AIOutput}},
	}}}, script.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 50 {
				run := macro.NewRun(macro.Env{User: "M.", Char: "Orin"})
				if got, _ := set.Apply("M. Mx go!", stored, run); got != "[M.] Mx Orin go" {
					t.Error(got)
				}
			}
		})
	}
	wait.Wait()
}

// TestInputsStay: the scripts and variables of the caller do not change.
func TestInputsStay(t *testing.T) {
	t.Parallel()
	scripts := []script.Script{{Name: "x", Find: "a", Replace: "{{.n++}}", Trim: []string{"q"}, Placement: []script.Placement{script.AIOutput}, MinDepth: new(0.0)}}
	before, _ := json.Marshal(scripts)
	set, _ := script.Compile([]script.List{{Scripts: scripts}}, script.Options{})
	vars := map[string]any{"n": 1.0}
	set.Apply("aaa", stored, macro.NewRun(macro.Env{Vars: vars}))
	if after, _ := json.Marshal(scripts); string(after) != string(before) || vars["n"] != 1.0 {
		t.Error("an input changed")
	}
	scripts[0].Placement[0], scripts[0].Trim[0], *scripts[0].MinDepth = 1, "z", 9
	if got, _ := set.Apply("a", stored, nil); got != "1" {
		t.Errorf("the set changed with its source: %q", got)
	}
}

// randomScript returns any value that a host can build and JSON can store.
func randomScript(r *rand.Rand) script.Script {
	text := func() string {
		return []string{"", "a", "/a/g", "灯\n", "\u2028<>&", "{{user}}", `"\`}[r.IntN(7)]
	}
	depth := func() *float64 {
		return []*float64{nil, new(0.0), new(-1.0), new(1.5), new(1e300)}[r.IntN(5)]
	}
	s := script.Script{
		ID: text(), Name: text(), Find: text(), Replace: text(),
		Disabled: r.IntN(2) == 0, Display: r.IntN(2) == 0, Prompt: r.IntN(2) == 0, OnEdit: r.IntN(2) == 0,
		Macros: script.MacroMode(r.IntN(3)), MinDepth: depth(), MaxDepth: depth(),
	}
	for range r.IntN(3) {
		s.Trim = append(s.Trim, text())
		s.Placement = append(s.Placement, script.Placement(r.IntN(9)-1))
	}
	if r.IntN(2) == 0 {
		s.Extra = map[string]json.RawMessage{"more": json.RawMessage(`{"b":1,"a":[null]}`)}
	}
	return s
}

// TestRoundTripScript: a written script is read back unchanged.
func TestRoundTripScript(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		s := randomScript(r)
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back script.Script
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if diff := cmp.Diff(s, back, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", data, diff)
		}
	}
	data, err := json.Marshal(script.Script{MinDepth: new(math.NaN()), MaxDepth: new(math.Inf(1))})
	if err != nil || !strings.Contains(string(data), `"minDepth":null,"maxDepth":null`) {
		t.Errorf("bounds that are none: %s, %v", data, err)
	}
}

// TestRoundTripReport: a stored report is read back unchanged.
func TestRoundTripReport(t *testing.T) {
	t.Parallel()
	set, _ := script.Compile([]script.List{{Source: script.Character, Owner: "Orin", Scripts: []script.Script{
		{ID: "7", Name: "a", Find: "a", Replace: "b", Placement: []script.Placement{script.AIOutput}},
		{Name: "b", Find: "/[/", Placement: []script.Placement{script.AIOutput}},
	}}}, script.Options{})
	_, report := set.Apply("a", stored, nil)
	data, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var back script.Report
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	if diff := cmp.Diff(report, back); diff != "" || !strings.Contains(string(data), `"character"`) {
		t.Errorf("%s (-want +got):\n%s", data, diff)
	}
	if err := new(script.Source).UnmarshalText([]byte("card")); err == nil {
		t.Error("an unknown source was taken")
	}
}

// TestDecodeOddFiles reads files that were edited by hand or written by other programs.
func TestDecodeOddFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, file string
		scripts      int
		codes        string
	}{
		{"one script", `{"scriptName":"a","findRegex":"x","placement":[2]}`, 1, ""},
		{"a list", `[{"scriptName":"a"},{"scriptName":"b"}]`, 2, ""},
		{"an empty list", `[]`, 0, ""},
		{"the extensions of a card", `{"regex_scripts":[{"scriptName":"a"}],"talkativeness":"0.5"}`, 1, ""},
		{"a byte order mark", "\xef\xbb\xbf[]", 0, ""},
		{"no JSON", `regex`, 0, "bad_file"}, {"null", `null`, 0, "bad_file"}, {"a number", `7`, 0, "bad_file"},
		{"extensions without a list", `{"regex_scripts":7}`, 0, "bad_file"},
		{"what is no script in a list", `[{"scriptName":"a"},7,null,[]]`, 1, "bad_file bad_file bad_file"},
		{"placement as a text", `{"placement":"2"}`, 1, "bad_type"},
		{"placement of texts", `{"placement":["2",2]}`, 1, "bad_type"},
		{"trim as a text", `{"trimStrings":"x"}`, 1, "bad_type"},
		{"truth in other types", `{"disabled":1,"markdownOnly":"","promptOnly":[],"runOnEdit":null}`, 1, "bad_type bad_type bad_type"},
		{"modes", `[{"substituteRegex":true},{"substituteRegex":"2"},{"substituteRegex":9},{"substituteRegex":1}]`, 4, "bad_type bad_type bad_type"},
		{"depths", `{"minDepth":"2","maxDepth":"far"}`, 1, "bad_type bad_type"},
		{"a number as a name", `{"id":7,"scriptName":{}}`, 1, "bad_type bad_type"},
		{"old placements", `[{"placement":[0]},{"placement":[4]},{"placement":[0,2]},{"placement":[4,2]}]`, 4,
			"old_placement old_placement old_placement old_placement"},
	} {
		scripts, problems := script.Parse([]byte(c.file))
		var codes []string
		for _, p := range problems {
			codes = append(codes, string(p.Code))
			if p.Text == "" || p.Path == "" && p.Severity != talewright.Fatal {
				t.Errorf("%s: a problem without a place or a text: %+v", c.reason, p)
			}
		}
		if len(scripts) != c.scripts || strings.Join(codes, " ") != c.codes {
			t.Errorf("%s: %d scripts, problems %v", c.reason, len(scripts), problems)
		}
	}
}

// TestDepthsOfOtherTypes: bounds are converted to numbers as JavaScript does.
func TestDepthsOfOtherTypes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		`2`: 2, `"2"`: 2, `" 0x2 "`: 2, `"2e0"`: 2, `""`: 0, `"\u3000"`: 0, `true`: 1, `false`: 0,
		`null`: -7, `"two"`: -7, `"Infinity"`: -7, `"0x1p1"`: -7, `[2]`: -7, `{}`: -7,
	} {
		scripts, _ := script.Parse([]byte(`{"scriptName":"a","minDepth":` + text + `}`))
		got := -7.0
		if len(scripts) == 1 && scripts[0].MinDepth != nil {
			got = *scripts[0].MinDepth
		}
		if got != want {
			t.Errorf("%s is %v, want %v (-7: no bound)", text, got, want)
		}
	}
}

// TestOldPlacements shows the conversion of the numbers of old versions.
func TestOldPlacements(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]script.Script{
		`{"placement":[0]}`:   {Placement: []script.Placement{1, 2, 3, 5, 6}, Display: true, Prompt: true},
		`{"placement":[4]}`:   {Placement: []script.Placement{3}},
		`{"placement":[0,2]}`: {Placement: []script.Placement{2}, Display: true, Prompt: true},
		`{"placement":[4,2]}`: {Placement: []script.Placement{2}},
		`{"placement":[0,4]}`: {Placement: []script.Placement{3}, Display: true, Prompt: true},
	} {
		if got, _ := script.Parse([]byte(file)); !cmp.Equal(want, got[0]) {
			t.Errorf("%s: %+v", file, got[0])
		}
	}
}

// TestCompileReportsAll finds every kind of mistake at once.
func TestCompileReportsAll(t *testing.T) {
	t.Parallel()
	at := []script.Placement{script.AIOutput}
	_, problems := script.Compile([]script.List{
		{Source: script.Global, Scripts: []script.Script{
			{ID: "1", Name: "bad", Find: "/[/", Placement: at},
			{ID: "2", Find: "x", Placement: at},
			{ID: "3", Name: "empty", Placement: at},
			{ID: "4", Name: "nowhere", Find: "x", Placement: []script.Placement{0, 4, 9}},
			{ID: "5", Name: "groups", Find: "(x)(?<y>z)", Replace: "$1$2$3$<y>$<q>", Placement: at},
			{ID: "6", Name: "depths", Find: "x", MinDepth: new(5.0), MaxDepth: new(2.0), Placement: at},
			{ID: "7", Name: "number", Find: "x", MinDepth: new(math.NaN()), Placement: at},
			{ID: "8", Name: "long", Find: strings.Repeat("a", 70000), Placement: at},
			{ID: "9", Name: "flag", Find: "/a/x", Placement: at},
			{ID: "10", Name: "slow", Find: `/(a+)+\1b/`, Placement: at},
		}},
		{Source: script.Character, Owner: "Orin", Denied: true, Scripts: []script.Script{{Name: "ok", Find: "x", Placement: at}}},
		{Source: 9},
	}, script.Options{MatchText: "maybe"})
	var got []string
	for _, p := range problems {
		got = append(got, p.ID+" "+string(p.Code)+" "+p.Path)
	}
	want := []string{
		" bad_type options.matchText", "bad bad_pattern global[0].findRegex", "2 no_name global[1].scriptName",
		"empty empty_find global[2].findRegex", "nowhere no_placement global[3].placement",
		"groups unknown_group global[4].replaceString", "groups unknown_group global[4].replaceString",
		"depths bad_depth global[5].minDepth", "number bad_depth global[6].minDepth", "long bad_pattern global[7].findRegex",
		"flag bad_pattern global[8].findRegex", "slow slow_pattern global[9].findRegex", " not_allowed character(Orin)", " bad_type lists[2].source",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if bad := problems.AtLeast(talewright.Error); len(bad) != 5 || problems.Err() != nil {
		t.Errorf("left out %v, error %v", bad, problems.Err())
	}
}

// TestWithout leaves out exactly one script of one list.
func TestWithout(t *testing.T) {
	t.Parallel()
	list := func(owner, text string) script.List {
		return script.List{Source: script.Character, Owner: owner, Scripts: []script.Script{
			{Name: "x", Find: "$", Replace: text + "1", Placement: []script.Placement{script.AIOutput}},
			{Name: "x", Find: "$", Replace: text + "2", Placement: []script.Placement{script.AIOutput}},
		}}
	}
	set, _ := script.Compile([]script.List{list("A", "a"), list("B", "b")}, script.Options{})
	_, report := set.Apply(">", stored, nil)
	less := set.Without(report.Ran[2].Ref, script.Ref{Source: script.Global}, script.Ref{Source: script.Character, Owner: "A", Index: 9})
	if got, _ := less.Apply(">", stored, nil); got != ">a1a2b2" {
		t.Errorf("with one aside: %q", got)
	}
	if skips := less.Skipped(stored); len(skips) != 1 || skips[0].Reason != "put_aside" || skips[0].Owner != "B" || skips[0].Index != 0 {
		t.Errorf("skipped %+v", skips)
	}
	if got, _ := set.Apply(">", stored, nil); got != ">a1a2b1b2" {
		t.Errorf("the set itself changed: %q", got)
	}
}

// TestNilSet: a host without scripts has no set.
func TestNilSet(t *testing.T) {
	t.Parallel()
	var set *script.Set
	if got, report := set.Apply("a", stored, nil); got != "a" || report.Changed() || set.Wants(stored) || set.Skipped(stored) != nil || set.Without(script.Ref{}) != nil {
		t.Error("a nil set does something")
	}
}

// jsonOf writes scripts as a file.
func jsonOf(scripts []script.Script) ([]byte, error) {
	if scripts == nil {
		scripts = []script.Script{}
	}
	return json.Marshal(scripts)
}

// TestSteady: the result of scripts without macros is the same in every turn, and the name of the
// matching scripts changes with their depth.
func TestSteady(t *testing.T) {
	t.Parallel()
	old := 4.0
	on := []script.Placement{script.AIOutput}
	where := script.Where{Placement: script.AIOutput}
	for _, tc := range []struct {
		reason  string
		script  script.Script
		options script.Options
		want    bool
	}{
		{"texts alone", script.Script{Find: "/a(b)/g", Replace: "<i>$1</i> & {{match}}"}, script.Options{}, true},
		{"a macro in the replacement", script.Script{Find: "a", Replace: "{{user}}"}, script.Options{}, false},
		{"an old macro in the replacement", script.Script{Find: "a", Replace: "<USER>"}, script.Options{}, false},
		{"a macro in the pattern that is one", script.Script{Find: "{{user}}", Macros: script.RawMacros}, script.Options{}, false},
		{"a macro in the pattern that is text", script.Script{Find: "/{{user}}/"}, script.Options{}, true},
		{"a macro in what is trimmed", script.Script{Find: "/(a)/", Replace: "$1", Trim: []string{"{{char}}"}}, script.Options{}, false},
		{"a text that is trimmed", script.Script{Find: "/(a)/", Replace: "$1", Trim: []string{"a"}}, script.Options{}, true},
		{"a brace that a group may make a macro", script.Script{Find: "/(a)/", Replace: "{$1{user}}"}, script.Options{}, false},
		{"matches that are expanded", script.Script{Find: "/(a)/", Replace: "$1"}, script.Options{MatchText: script.Expand}, false},
		{"a pattern that is none", script.Script{Find: "/(/"}, script.Options{}, true},
		{"one that does not fit", script.Script{Find: "a", Replace: "{{user}}", Disabled: true}, script.Options{}, true},
	} {
		tc.script.Placement = on
		set, _ := script.Compile([]script.List{{Source: script.Global, Scripts: []script.Script{tc.script}}}, tc.options)
		if _, got := set.Steady(where); got != tc.want {
			t.Errorf("%s: %v", tc.reason, got)
		}
	}
	set, _ := script.Compile([]script.List{{Source: script.Global, Scripts: []script.Script{
		{Find: "a", Placement: on}, {Find: "b", Placement: on, MinDepth: &old}}}}, script.Options{})
	young, _ := set.Steady(script.Where{Placement: script.AIOutput, Depth: new(3)})
	aged, _ := set.Steady(script.Where{Placement: script.AIOutput, Depth: new(4)})
	if young == aged || aged == "" {
		t.Errorf("the scripts of depth 3 are %q, those of depth 4 %q", young, aged)
	}
	if fits, steady := (*script.Set)(nil).Steady(where); fits != "" || !steady {
		t.Errorf("no set: %q, %v", fits, steady)
	}
}
