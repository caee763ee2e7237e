package script_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

// TestGrowth checks that the readers of files, patterns and replacements, and the scripts
// themselves, have linear growth on any text.
func TestGrowth(t *testing.T) {
	compile := func(s script.Script) {
		s.Placement = []script.Placement{script.AIOutput}
		set, _ := script.Compile([]script.List{{Scripts: []script.Script{s}}}, script.Options{})
		set.Apply("a text", stored, nil)
	}
	var readers []testkit.Reader
	add := func(name string, read func(string), atoms ...testkit.Atom) {
		readers = append(readers, testkit.Reader{Name: name, Read: read, Atoms: atoms, Size: 2 << 10})
	}
	repeat := testkit.Repeat
	add("files", func(text string) { script.Parse([]byte(text)) },
		repeat("["), repeat("{"), testkit.Nest("[", "", "]"),
		testkit.Atom{Head: "[{}", Open: `,{"findRegex":"x","placement":[0,2],"disabled":"x"}`, Tail: "]"},
		testkit.Atom{Head: "[0", Open: ",0", Tail: "]"},
		testkit.Atom{Head: `{"placement":[0`, Open: `,"0"`, Tail: "]}"},
		testkit.Atom{Head: `{"trimStrings":[0`, Open: `,0`, Tail: "]}"},
		testkit.Atom{Head: `{"regex_scripts":[`, Open: `{"x":1},`, Tail: "0]}"},
		testkit.Atom{Head: `{"minDepth":"`, Open: `9`, Tail: `"}`},
	)
	add("patterns", func(text string) { compile(script.Script{Find: text}) },
		repeat("/"), repeat("\n"), repeat("/a"), repeat("g"), testkit.Atom{Head: "/a/", Open: "g"}, repeat("\u2028"),
		repeat("("), repeat("(?<a>"), testkit.Nest("(", "a", ")"), repeat("[a"), repeat("a|"), repeat("{{user}}"),
	)
	add("replacements", func(text string) { compile(script.Script{Find: "/a/g", Replace: text}) },
		repeat("$"), repeat("$<"), repeat("$1"), repeat("$<a>"), repeat("9"), testkit.Atom{Head: "$", Open: "9"}, repeat("{{match}}"),
		repeat("{{"), repeat("{{matc"), testkit.Nest("{{reverse::", "$1", "}}"), repeat("{{.n++}}$0"), repeat(`\{`),
	)
	texts := []testkit.Atom{
		repeat("a"), repeat("ab "), repeat("灯"), repeat("🐉"), repeat("<a>"), testkit.Nest("<", "a", ">"), repeat("{{"), repeat("{{user}}"),
		repeat("$1"), repeat("<UpdateVariable>"), repeat("\n"), repeat(`\{`), {Open: "a", Tail: "!"},
	}
	for _, c := range []struct {
		name string
		s    script.Script
		way  script.MatchText
	}{
		{"every letter", script.Script{Find: "/./gs", Replace: "[$0]"}, script.Data},
		{"every letter with a macro", script.Script{Find: "/./gsu", Replace: "{{.n++}}$0"}, script.Data},
		{"every letter as a template", script.Script{Find: "/./gs", Replace: "$0{{noop}}"}, script.Expand},
		{"blocks", script.Script{Find: `/<UpdateVariable>[\s\S]*?<\/UpdateVariable>/g`}, script.Data},
		{"the whole", script.Script{Find: `/[\s\S]+/`, Replace: "$0{{user}}", Trim: []string{"<", "{{char}}"}}, script.Data},
		{"the whole as a template", script.Script{Find: `/[\s\S]+/`, Replace: "$0"}, script.Expand},
		{"nothing everywhere", script.Script{Find: "/(?:)/gu", Replace: "-"}, script.Data},
	} {
		c.s.Placement = []script.Placement{script.AIOutput}
		set, problems := script.Compile([]script.List{{Scripts: []script.Script{c.s}}}, script.Options{MatchText: c.way})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		add(c.name, func(text string) {
			set.Apply(text, stored, macro.NewRun(macro.Env{User: "Mara", Char: "Orin"}))
		}, texts...)
	}
	testkit.Growth(t, readers...)
}

// FuzzApply checks properties of every pattern, replacement and text. There is no panic, the same
// input gives the same output, and the result is limited. With matched text as data, only the
// author's variables are stored.
func FuzzApply(f *testing.F) {
	for _, c := range [][3]string{
		{"/(a)(?<n>b)/g", "$1$<n>{{user}}", "abab"}, {"/./g", "{{.n++}}$0", "🐉a"}, {"/[/", "x", "y"},
		{"//g", "$$", "//g"}, {"/(?:)/g", "{{match}}", canary}, {"/.*/s", `\{$0\}{{if $0}}x{{else}}y{{/if}}`, canary},
		{"/\\uD83D/", "$0", "🐉"}, {"/{{user}}/", "$1", "Mara"}, {"/^(.*?)(b*)$/gm", "{{setvar::t::$2}}$1", "ab\nb"},
	} {
		f.Add(c[0], c[1], c[2], uint8(0))
		f.Add(c[0], c[1], c[2], uint8(1))
		f.Add(c[0], c[1], c[2], uint8(2))
	}
	f.Fuzz(func(t *testing.T, find, replace, text string, mode uint8) {
		if len(find)+len(replace)+len(text) > 4096 {
			return // longer input shows nothing new
		}
		s := script.Script{Find: find, Replace: replace, Macros: script.MacroMode(mode % 3), Placement: []script.Placement{script.AIOutput}}
		set, _ := script.Compile([]script.List{{Scripts: []script.Script{s}}}, script.Options{MaxResult: 1 << 16})
		apply := func() (string, script.Report, map[string]any) {
			run := macro.NewRun(macro.Env{User: "Mara", Char: "Orin", Random: func() float64 { return 0.5 }})
			got, report := set.Apply(text, stored, run)
			vars, _ := run.Vars()
			return got, report, vars
		}
		got, report, vars := apply()
		if again, second, _ := apply(); again != got || report.String() != second.String() {
			t.Errorf("two results: %q, %q", got, again)
		}
		if len(got) > max(1<<16, len(text)) {
			t.Errorf("%d bytes", len(got))
		}
		if !strings.Contains(replace, "{") && !strings.Contains(find, "{") && len(vars) > 0 {
			t.Errorf("the text has stored %v", vars)
		}
		for _, ran := range report.Ran {
			if ran.Problem != "" && got != text || ran.Changed != (got != text) {
				t.Errorf("report %+v, text %q, result %q", ran, text, got)
			}
		}
	})
}

// FuzzDecode: no panic, and scripts that were read can be written and read again.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{"scriptName":"a","findRegex":"/a/g","placement":[0,2,4,"2"],"minDepth":"","maxDepth":false}`,
		`[{"trimStrings":["a",1]},null]`, `{"regex_scripts":[{"disabled":"false","x":{}}]}`, "[1e999]", `{"minDepth":1e999}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		scripts, _ := script.Parse(data)
		file, err := jsonOf(scripts)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		again, _ := script.Parse(file)
		second, err := jsonOf(again)
		if err != nil || string(second) != string(file) {
			t.Errorf("%q: %s, then %s, %v", data, file, second, err)
		}
	})
}
