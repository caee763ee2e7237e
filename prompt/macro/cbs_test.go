package macro_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/macro"
)

// cbsEnv is an environment for the language of RisuAI.
func cbsEnv(vars map[string]any) macro.Env {
	return macro.Env{User: "Mara", Char: "Orin", Vars: vars, Card: macro.Card{Description: "{{char}} keeps a lamp"},
		CBS: &macro.CBS{Defaults: map[string]string{"mood": "calm"}}, Random: func() float64 { return 0.5 }}
}

// TestCBS has the forms of the language of RisuAI that no recorded case has (SC-11).
func TestCBS(t *testing.T) {
	vars := map[string]any{"hp": "3", "list": "a§b", "n": 7.0}
	for _, tc := range []struct{ name, text, want string }{
		{"a default stands in for a variable of the card", "{{getvar::mood}}", "calm"},
		{"a number of the host is a text", "{{getvar::n}}", "7"},
		{"names differ in case, blanks, _ and -", "{{Greater_Equal::2::2}}{{array-length::[1]}}{{not equal::a::b}}", "111"},
		{"a single colon separates", "{{getvar:hp}}", "3"},
		{"a colon after two colons is text", "{{equal::a:b::a:b}}", "1"},
		{"fields of the card are expanded", "{{description}}", "Orin keeps a lamp"},
		{"spread gives several arguments", "{{max::{{spread::[1,5,2]}}}}", "5"},
		{"each over a list with §", "{{#each {{getvar::list}} as x}}{{slot::x}};{{/each}}", "a;b;"},
		{"each within each", `{{#each ["1","2"] as a}}{{#each ["x","y"] as b}}{{slot::a}}{{slot::b}} {{/each}}{{/each}}`, "1x1y2x2y"},
		{"each over a missing variable prints nothing", "[{{#each {{getvar::none}} as x}}{{slot::x}}{{/each}}]", "[]"},
		{"lines of an if lose their indentation, if_pure keeps it", "{{#if 1}} a\n  b{{/if}}|{{#if_pure 1}} a\n  b{{/if}}", "a\nb| a\n  b"},
		{"a when without its else", "[{{#when::0}}x{{/when}}]", "[]"},
		{"an else within a line does not divide several lines", "{{#when::1}}\na {{:else}} b\n{{/when}}", "a {{:else}} b"},
		{"a block in an argument", "{{equal::{{#if 1}}a{{/if}}::a}}", "1"},
		{"code joins its lines", "{{#code}}\n a\n b\\nc \\u0041\n{{/code}}", "ab\nc A"},
		{"escape keeps its content", "{{#escape}}{{char}}{{/escape}}", "{{char}}"},
		{"the precedence of an expression", "{{? 1+2*3^2 == 19 && !0}}", "1"},
		{"a negative value in an expression", "{{? 5-{{calc::-2}}}}", "7"},
		{"sums of a list, where a text is 0", `{{sum::1::2::x}} {{average::[1,2,"x"]}} {{min::4::2}} {{max::["1","9"]}}`, "3 1 2 9"},
		{"rounding", "{{round::2.5}} {{round::-2.5}} {{fixnum::2.5::0}} {{fixnum::1.005::2}} {{remaind::7::4}} {{pow::2::10}} {{abs::-3}}", "3 -2 3 1.00 3 1024 3"},
		{"the operand that decides", "{{? 5 && 3}} {{? 0 || 4}} {{? 0 && 4}}", "3 4 0"},
		{"parentheses that are not closed", "{{? (1+2}}", "NaN"},
		{"a picture prints nothing", "a{{image::x}}b", "ab"},
		{"a macro that stores prints nothing in a prompt", "[{{setvar::hp::9}}{{getvar::hp}}]", "[3]"},
		{"an open macro stays", "{{char}} {{getvar::hp", "Orin {{getvar::hp"},
		{"an open block stays, with its content expanded", "{{#if 1}}{{char}}", "{{#if 1}}Orin"},
		{"an open macro around a block", "{{oops {{#if 1}}{{user}}{{/if}}", "{{oops Mara"},
		{"an old if that is not closed", "{#if 1\n{{char}}", "{#if 1\nOrin"},
		{"an old if within a block", "{{#if 1}}{#if {{getvar::hp}}\nyes#}{{/if}}", "yes"},
		{"the argument of a function that is not given is empty", "{{#func f}}<{{arg::1}}{{arg::5}}>{{/func}}{{call::f::a}}", "<a>"},
		{"return within a block ends the text", "a{{#if 1}}b{{return::c}}{{/if}}d", "c"},
	} {
		if got := macro.NewRun(cbsEnv(vars)).Expand(tc.text, macro.Full); got != tc.want {
			t.Errorf("%s: %q gives %q, want %q", tc.name, tc.text, got, tc.want)
		}
	}
}

// TestSumsOfCBS: macros of RisuAI compute as the other three languages do. The table lists the
// differences.
func TestSumsOfCBS(t *testing.T) {
	for _, s := range testkit.Sums() {
		got := macro.NewRun(cbsEnv(nil)).Expand("{{? "+s.Text+"}}", macro.Full)
		if want := strings.Replace(strconv.FormatFloat(s.Macro, 'g', -1, 64), "+Inf", "Infinity", 1); got != want {
			t.Errorf("%s = %s, want %s", s.Text, got, want)
		}
	}
}

// TestCBSData: the value of a variable is never a macro, an operator, a separator or a name (SC-11).
func TestCBSData(t *testing.T) {
	const evil = "{{user}}::1{{/if}}{{:else}}{{return::x}}"
	for _, tc := range []struct{ name, value, text, want string }{
		{"a macro", evil, "{{getvar::v}}", evil},
		{"in a block", evil, "{{#if 1}}{{getvar::v}}{{/if}}", evil},
		{"in each", evil, "{{#each {{makearray::{{getvar::v}}}} as x}}{{slot::x}}{{/each}}", evil},
		{"in an argument of a function", evil, "{{#func f}}{{arg::1}}{{/func}}{{call::f::{{getvar::v}}}}", evil},
		{"separators", "a::a", "{{equal::{{getvar::v}}}}", "0"},
		{"the name of a macro", "user", "{{{{getvar::v}}}}", "{{user}}"},
		{"an operator", "is", "{{#when::a::{{getvar::v}}::a}}yes{{/when}}", ""},
		{"code of an expression", "1)+(41", "{{? {{getvar::v}}+1}}", "NaN"},
		{"a variable of an expression", "$secret", "{{? {{getvar::v}}+1}}", "NaN"},
	} {
		env := cbsEnv(map[string]any{"v": tc.value, "secret": "7"})
		if got := macro.NewRun(env).Expand(tc.text, macro.Full); got != tc.want {
			t.Errorf("%s: %q gives %q, want %q", tc.name, tc.text, got, tc.want)
		}
	}
	run := macro.NewRun(cbsEnv(nil))
	if line := "{{char}} {{#if 1}}x{{/if}}"; run.Expand(line, macro.Names) != "Orin {{#if 1}}x{{/if}}" || run.Expand(line, macro.Off) != line {
		t.Error("a line of a player was expanded")
	}
}

// TestCBSVet: macros that a prompt does not play are found without running the text (SC-03).
func TestCBSVet(t *testing.T) {
	const text = "{{getvar::a}}{{#if {{unknown::x}}}}{{image::y}}{{setvar::a::1}}{{time}}{{description}}{{/if}}{{#pure}}{{other}}{{/pure}}"
	var got []string
	for _, p := range (macro.CBS{}).Vet(text) {
		got = append(got, fmt.Sprint(p.ID, " ", p.Code))
	}
	if s := strings.Join(got, ", "); s != "unknown unknown, image refused, setvar refused" {
		t.Error(s)
	}
	if found := (macro.CBS{Once: true}).Vet("{{setvar::a::1}}"); len(found) > 0 {
		t.Error(found)
	}
}

// hostileCBS are texts that would cost much.
func hostileCBS() map[string]string {
	list := "[" + strings.TrimSuffix(strings.Repeat("1,", 9999), ",") + "]"
	nest := "x"
	for i := range 6 {
		nest = fmt.Sprintf("{{#each %s as v%d}}%s{{/each}}", list, i, nest)
	}
	return map[string]string{
		"each in each":             nest,
		"a function":               "{{#func f}}{{call::f}}{{call::f}}{{/func}}{{call::f}}",
		"a growing function":       "{{#func f}}{{call::f::{{arg::1}}{{arg::1}}{{arg::1}}{{arg::1}}}}{{/func}}{{call::f::" + strings.Repeat("x", 1000) + "}}",
		"a replacement":            "{{replace::" + strings.Repeat("a", 60_000) + "::a::" + strings.Repeat("b", 60_000) + "}}",
		"a join":                   "{{join::" + list + "::" + strings.Repeat("b", 60_000) + "}}",
		"a range":                  "{{range::[0,1e12]}}{{range::[0,1,0]}}{{range::[1,0,-1e-9]}}",
		"a place in a list":        "{{arrayassert::[]::2000000000::x}}",
		"open braces":              strings.Repeat("{{", 100_000),
		"open blocks":              strings.Repeat("{{#if 1}}", 50_000),
		"closed braces":            strings.Repeat("}}", 100_000) + strings.Repeat("{{/if}}", 10_000),
		"old blocks":               strings.Repeat("{#if 1\n", 50_000),
		"objects":                  "{{a::" + strings.Repeat(`{"a":`, 100_000),
		"an expression":            "{{? " + strings.Repeat("(", 100_000) + strings.Repeat("!", 100_000) + strings.Repeat("2^", 100_000) + "}}",
		"dice":                     strings.Repeat("{{roll::1000d6}}", 3000),
		"a card that shows itself": "{{description}}",
		"a loop over a sum":        "{{#each " + list + " as x}}{{? 1" + strings.Repeat("+1", 50_000) + "}}{{/each}}",
		"a loop over blanks":       "{{#each " + list + " as x}}{{#if 1}}" + strings.Repeat(" ", 100_000) + "{{/if}}{{/each}}",
		"a loop over a condition":  "{{#each " + list + " as x}}{{#if " + strings.Repeat("a", 100_000) + "}}x{{/if}}{{/each}}",
		"a loop over a part":       "{{#each " + list + " as x}}{{#when::0}}" + strings.Repeat("a\n", 50_000) + "{{/when}}{{/each}}",
		"a loop over a name":       "{{#each " + list + " as x}}{{" + strings.Repeat("_", 100_000) + "char}}{{/each}}",
		"a loop over a variable":   "{{#each " + list + " as x}}{{#when::var::big}}x{{/when}}{{? $big}}{{/each}}",
		"choices":                  strings.Repeat("{{pick::a::b}}", 50_000),
	}
}

// TestCBSHostile: texts of strangers end, with a bounded result and a report (SC-11).
func TestCBSHostile(t *testing.T) {
	testkit.WithoutRace(t)
	for name, text := range hostileCBS() {
		env := cbsEnv(map[string]any{"big": strings.Repeat("9", 100_000)})
		env.Card.Description = "{{description}}{{description}}"
		run := macro.NewRun(env)
		if out := run.Expand(text, macro.Full); len(out) > 1<<20 {
			t.Errorf("%s: %d bytes", name, len(out))
		}
		if out := run.Expand("{{none}}x", macro.Full); out != "x" && out != "" {
			t.Errorf("%s: the next text is %q", name, out)
		}
	}
}

// TestCBSGrowth: the time of an expansion follows the length of the text.
func TestCBSGrowth(t *testing.T) {
	atoms := []testkit.Atom{
		testkit.Repeat("{{getvar::hp}} "), testkit.Repeat("{{#if 1}}a{{/if}} "), testkit.Repeat("{{a "), testkit.Repeat("{{#when::1}}\n{{:else}} "),
		testkit.Repeat(`{{dictelement::{"a":"b"}::a}} `), testkit.Repeat("{{a:b:c "), testkit.Repeat("{#if 1\nx#}"), testkit.Repeat("<user> "),
		testkit.Repeat("{{#when::1}}\nx\n{{:else}}\ny\n{{/when}}"), testkit.Nest("{{#if 1}}", "\n x", "{{/if}}"), testkit.Nest("{{upper::", "x", "}}"),
		{Head: "{{#when::1}}\n", Open: "x{{:else}}", Tail: "\n{{/when}}"}, {Head: "{{? 1", Open: "+1", Tail: "}}"}, {Head: "{{makedict", Open: "::a=1", Tail: "}}"},
		{Head: "{{#when", Open: "::not", Tail: "::1}}x{{/when}}"}, {Head: "{{#each [1", Open: ",1", Tail: "] as x}}{{slot::x}}{{/each}}"},
		{Head: "{{getvar", Open: " ", Tail: "::x}}"}, {Head: "{{#code}}", Open: "\\u00", Tail: "{{/code}}"}, {Head: "{{split::", Open: "a,", Tail: "::,}}"},
	}
	testkit.Growth(t, testkit.Reader{Name: "cbs", Read: func(text string) { macro.NewRun(cbsEnv(nil)).Expand(text, macro.Full) }, Atoms: atoms},
		testkit.Reader{Name: "vet", Read: func(text string) { macro.CBS{}.Vet(text) }, Atoms: atoms})
}

// FuzzCBS: no text makes the expansion panic, and a text without braces and angles stays.
func FuzzCBS(f *testing.F) {
	for _, text := range []string{"{{#when::1}}\nA\n{{:else}}\nB\n{{/when}}", `{{#each ["a"] as it}}{{slot::it}}{{/each}}`, "{#if 1\nx\n#}",
		"{{? $a+1}}", `{{element::{"u":{"n":"J"}}::u::n}}`, "{{random::a,b}}{{dice::2d6}}", "{{#func f}}{{arg::1}}{{/func}}{{call::f::a}}"} {
		f.Add(text, "v")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		env := cbsEnv(map[string]any{"a": value})
		env.CBS.Once = true
		run := macro.NewRun(env)
		out := run.Expand(text, macro.Full)
		if !strings.ContainsAny(text, "{<\\") && out != text {
			t.Errorf("%q became %q", text, out)
		}
		if utf8.ValidString(text) && utf8.ValidString(value) && !utf8.ValidString(out) {
			t.Errorf("%q gives invalid UTF-8 %q", text, out)
		}
		macro.CBS{}.Vet(text)
		if again := macro.NewRun(env).Expand(text, macro.Full); again != out {
			t.Errorf("%q gives %q, then %q", text, out, again)
		}
	})
}
