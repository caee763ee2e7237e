package macro_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/prompt/macro"
)

// A form is filled with foreign text, which stays unchanged.
func ExampleRun_Fill() {
	run := macro.NewRun(macro.Env{Char: "Orin"})
	form := run.Form(macro.Part{Text: "{{char}} reads: {{setvar::last::"}, macro.Part{Data: true}, macro.Part{Text: "}}{{.last}}"})
	fmt.Println(run.Fill(form, "{{char}}::}} says {{roll::d6}}"))
	fmt.Println(run.Fill(form, "nothing"))
	// Output:
	// Orin reads: {{char}}::}} says {{roll::d6}}
	// Orin reads: nothing
}

// A refused change leaves no variables.
func ExampleRun_Try() {
	run := macro.NewRun(macro.Env{Vars: map[string]any{"hp": 7.0}})
	text := ""
	kept := run.Try(func() bool {
		text = run.Expand("{{.hp -= 9}}{{.hp}}", macro.Full)
		return !strings.HasPrefix(text, "-")
	})
	fmt.Println(text, kept, run.Expand("{{.hp}}", macro.Full))
	// Output: -2 false 7
}

// TestFormPlaces: data in every place that a grammar could inspect.
func TestFormPlaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, before, data, behind, want string }{
		{"alone", "", `\{ {{user}} \}`, "", `\{ {{user}} \}`},
		{"between escapes of the author", `\{`, `\}`, `\}`, `{\}}`},
		{"it opens nothing", "", "{{", "user}}", "{{user}}"},
		{"it closes nothing", "{{reverse::", "}}", "x}}", "x}}"},
		{"it separates nothing", "{{nope", "::", "x}}", "{{nope::x}}"},
		{"it is no name", "{{", "user", "}}", "{{user}}"},
		{"it is no variable", "{{.", "hp", "}}", "{{.hp}}"},
		{"it is no operator", "{{.hp ", "= 9", "}}", "{{.hp = 9}}"},
		{"it is passed over behind a name", "{{user", "x", "}}", "Mara"},
		{"it is no else", "{{if 1}}a", "{{else}}", "b{{/if}}", "a{{else}}b"},
		{"it closes no scope", "{{if 1}}a", "{{/if}}", "b{{/if}}", "a{{/if}}b"},
		{"it inverts nothing", "{{if ", "!1", "}}yes{{else}}no{{/if}}", "yes"},
		{"it is trimmed in no argument", "{{reverse:: ", " x ", " }}", " x "},
		{"its backslashes stay in a scope", "{{if 1}}", `\{\}\`, "}{{/if}}", `\{\}\}`},
		{"its last backslash stays before a brace", "{{user}}{", `\`, "}", `Mara{\}`},
		{"it names the variable that another macro reads", "{{setvar::", `\{`, `::x}}{{getvar::\{}}`, "x"},
		{"it equals the same text of a variable", "{{.odd == ", `\{`, "}}", "true"},
		{"it may be no more than a byte", "", "\xff", "", "\xff"},
		{"a byte of the author is no place", "\xff{{user}}", "x", "\xff", "\ufffdMarax\ufffd"},
	} {
		run := macro.NewRun(macro.Env{User: "Mara", Vars: map[string]any{"hp": 7.0, "odd": `\{`}})
		form := run.Form(macro.Part{Text: c.before}, macro.Part{Data: true}, macro.Part{Text: c.behind})
		if got := run.Fill(form, c.data); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.reason, c.before+"…"+c.behind, got, c.want)
		}
		if vars, _ := run.Vars(); vars["hp"] != 7.0 {
			t.Errorf("%s: the data has stored %v", c.reason, vars["hp"])
		}
	}
	run := macro.NewRun(macro.Env{})
	if !run.Form(macro.Part{Data: true}, macro.Part{Text: "x"}).Plain() || run.Form(macro.Part{Text: "{{user}}"}).Plain() {
		t.Error("Plain is wrong")
	}
	if got := run.Fill(run.Form(macro.Part{Data: true}, macro.Part{Data: true}), "a"); got != "a" {
		t.Errorf("data that is missing: %q", got)
	}
}

// TestTryUndoesAll: every way to store a value, in both stores.
func TestTryUndoesAll(t *testing.T) {
	t.Parallel()
	const all = "{{setvar::a::1}}{{addvar::b::x}}{{addvar::b::y}}{{incvar::n}}{{deletevar::d}}{{setvarkey::o::k::v}}" +
		"{{setvarkey::new::0::v}}{{addvar::l::9}}{{addvar::host::9}}{{$a = 1}}{{$n -= 2}}{{setvar::m::{{trim}}}}"
	vars := func() map[string]any {
		return map[string]any{"b": "text", "n": 1.0, "d": "gone", "o": `{"a":1}`, "l": "[1]", "host": []any{1.0}}
	}
	run := macro.NewRun(macro.Env{Vars: vars(), Globals: map[string]any{"n": 5.0}})
	run.Expand("{{.n++}}{{setvarkey::o::b::2}}{{addvar::b::!}}{{addvar::host::2}}", macro.Full) // some of these values are already copies
	before := run.Expand("{{getvar::o}}{{.b}}{{.host}}", macro.Full)
	start, _ := run.Vars()
	start = map[string]any{"b": start["b"], "n": start["n"], "d": start["d"], "o": start["o"], "l": start["l"], "host": start["host"]}
	for _, stop := range []func() bool{
		func() bool { run.Expand(all, macro.Full); return false },
		func() bool { run.Try(func() bool { run.Expand(all, macro.Full); return true }); return false },
		func() bool { run.Expand(all+all, macro.Full); panic("host") },
	} {
		func() {
			defer func() { _ = recover() }()
			if run.Try(stop) {
				t.Error("kept")
			}
		}()
		now, _ := run.Vars()
		if diff := cmp.Diff(start, now); diff != "" {
			t.Fatalf("variables (-want +got):\n%s", diff)
		}
		if globals, _ := run.Globals(); !cmp.Equal(globals, map[string]any{"n": 5.0}) {
			t.Errorf("globals %v", globals)
		}
	}
	if got := run.Expand("{{getvar::o}}{{.b}}{{.host}}", macro.Full); got != before {
		t.Errorf("shown %q, before %q", got, before)
	}
	if !run.Try(func() bool { run.Expand(all, macro.Full); return true }) {
		t.Error("not kept")
	}
	if now, _ := run.Vars(); now["a"] != "1" || now["o"] != `{"a":1,"b":"2","k":"v"}` {
		t.Errorf("kept %v", now)
	}
}

// TestPanicsLeaveTheRunWhole: a host that recovers can continue with the same run.
func TestPanicsLeaveTheRunWhole(t *testing.T) {
	t.Parallel()
	broken := true
	set, err := macro.NewSet(macro.Macro{Name: "host", Func: func(*macro.Call) string {
		if broken {
			panic("host")
		}
		return "fine"
	}})
	if err != nil {
		t.Fatal(err)
	}
	run := macro.NewRun(macro.Env{Compile: set.Compile, Card: macro.Card{Description: "{{host}}"}})
	for range 100 { // more than the allowed levels
		func() {
			defer func() { _ = recover() }()
			run.Expand("{{.x = {{reverse::{{description}}}}}}", macro.Full)
		}()
	}
	broken = false
	if got := run.Expand("{{.x = {{reverse::{{description}}}}}}{{.x}}", macro.Full); got != "enif" {
		t.Errorf("after panics: %q", got)
	}
}

// TestLocalNames: a name and a conversion of results for one text.
func TestLocalNames(t *testing.T) {
	t.Parallel()
	run := macro.NewRun(macro.Env{User: "M.", Char: "Orin", Vars: map[string]any{"v": "a|b"}})
	if got := run.ExpandWith("{{char}} <BOT> {{user}}", macro.Full, macro.Locals{Char: "Sella"}); got != "Sella Sella M." {
		t.Errorf("another name: %q", got)
	}
	quote := func(s string) string { return "<" + s + ">" }
	if got := run.ExpandWith("x.{{user}}{{.v}}{{reverse::{{char}}}}{{nope}}", macro.Full, macro.Locals{Result: quote}); got != "x.<M.><a|b><>nirO<>{{nope}}" {
		t.Errorf("treated results: %q", got)
	}
}
