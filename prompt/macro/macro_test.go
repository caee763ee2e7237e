package macro_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/macro"
)

// seedTemplates are the templates of the recorded cases.
func seedTemplates(tb testing.TB) []string {
	paths, err := filepath.Glob("../testdata/conformance/macro-*.json")
	if err != nil || len(paths) == 0 {
		tb.Fatal("no cases: ", err)
	}
	var list []string
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		var file struct {
			Cases []struct {
				Template string `json:"template"`
			} `json:"cases"`
		}
		if err := json.Unmarshal(data, &file); err != nil {
			tb.Fatal(err)
		}
		for _, c := range file.Cases {
			list = append(list, c.Template)
		}
	}
	return list
}

// TestSyntax shows special cases of the grammar: PR-08.
func TestSyntax(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, text, want string }{
		{"the last two braces open", "{{{user}}}", "{Mara}"},
		{"a space does not hide the separator", "{{reverse ::ab}}", "ba"},
		{"a single colon takes everything", "{{reverse: a::b }}", "b::a"},
		{"a bar is no separator", "{{user|upper}}", "{{user|upper}}"},
		{"what stands behind a name is passed over, braces too", "{{user{{char}}}}", "Mara}}"},
		{"only tags of one level match", "{{if 1}}a{{reverse::{{/if}}}}", "{{if 1}}a}}fi/{{"},
		{"the nearest tag of the name", "{{if 1}}a{{if 1}}b{{/if}}", "{{if 1}}ab"},
		{"a scope belongs to its macro", "{{reverse::{{if 1}}a::b{{/if}}}}", "b::a"},
		{"names that take no content", "{{user}}x{{/user}}", "{{user}}x{{/user}}"},
		{"lists take no content", "{{random::a}}x{{/random}}", "{{random::a}}x{{/random}}"},
		{"unknown scopes are expanded inside", "{{foo}}{{user}}{{/foo}}", "{{foo}}Mara{{/foo}}"},
		{"a closing tag alone", "x{{/if}}", "x{{/if}}"},
		{"a comment is closed by three slashes", "{{//}}x{{///}}y", "y"},
		{"three slashes alone are a comment", "x{{///}}y", "xy"},
		{"the flag # keeps space", "{{#if 1}} a\n{{/if}}|", " a\n|"},
		{"flags and space in any order", "{{ ! ~ user }}", "Mara"},
		{"else outside of if", "a{{else}}b", "ab"},
		{"the inline form", "{{if::0::a{{else}}b}}", "b"},
		{"an inverted word", "{{if !off}}y{{/if}}", "y"},
		{"expanded text is no operator", "{{if {{reverse::eslaf!}}}}y{{/if}}", "y"},
		{"trim reaches out of a branch", "a\n{{if 1}}{{trim}}{{/if}}\nb", "ab"},
		{"trim is a text to a macro that looks at it", "{{reverse::a\n{{trim}}\nb}}", "b\n}}mirt{{\na"},
		{"dedent stops at text", "{{if 1}}\n    a\n  b\n      c\n{{/if}}", "a\nb\n  c"},
		{"a variable at the left edge", "{{ .hp }}", "7"},
		{"a missing value is 0 in sums", "{{.n += 2}}{{.n}}", "2"},
		{"a sum beyond all numbers reads as infinity",
			"{{.n = 1e308}}{{.n += 1e308}}{{.n}} {{.n -= Infinity}}{{.n}}", "Infinity NaN"},
		{"no number, no subtraction", "{{.s -= x}}{{.s}}", "text"},
		{"the left side is read first", "{{.n > {{.n++}}}}{{.m <= {{.m++}}}}{{.n == {{.n++}}}}", "falsetruefalse"},
		{"a list is no number, and true", "{{.list > 0}}{{if .list}}y{{/if}}{{.list -= 1}}{{.list}}{{.list++}}", "falsey[2,-1][2,-1,1]"},
		{"comparison of words", "{{.s == text}}{{.s != text}}", "truefalse"},
		{"global store", "{{$g = 1}}{{$g++}}{{.g}}", "2"},
		{"keys of lists", "{{setvarkey::l::2::c}}{{getvar::l}}{{getvarkey::l::2}}",
			`[null,null,"c"]c`},
		{"half of an angle form", "<use> <user", "<use> <user"},
		{"repeat beyond the limit", "{{space::1001}}", "{{space::1001}}"},
		{"a value ends where it looks like an expression", "{{.s = a{{.n{{user}}b}}{{.s}}", "a"},
		{"variable that is no name", "{{.1}}{{.}}", "{{.1}}"},
		{"no clock", "{{time}}", "{{time}}"},
		{"dice in full", "{{roll::2d6-1}}", "7"},
		{"no dice", "{{roll::2d}} {{roll::d6+}}", " "},
	} {
		got, _ := macro.Expand(c.text, macro.Env{
			User: "Mara", Char: "Orin", Random: func() float64 { return 0.5 },
			Vars: map[string]any{"hp": "7", "s": "text", "list": []any{2.0}},
		})
		if got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.reason, c.text, got, c.want)
		}
	}
}

func TestNumbersOfJavaScript(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]string{
		"007": "7", "1.50": "1.5", "0x10": "16", "0b101": "5", "0o17": "15", "1e3": "1000",
		"-Infinity": "-Infinity", " 4 ": "4", "1e21": "1e+21", "1e-7": "1e-7", ".5": "0.5",
		"5.":    "5",
		"1_000": "1_000", "1e": "1e", "+-1": "+-1", "0x": "0x", "0x-1": "0x-1", "abc": "abc",
		"-0":  "0",
		"NaN": "NaN", "inf": "inf", "0x1p-2": "0x1p-2", "1e400": "Infinity",
	} {
		got, _ := macro.Expand("{{getvar::v}}", macro.Env{Vars: map[string]any{"v": stored}})
		if got != want {
			t.Errorf("%q is shown as %q, want %q", stored, got, want)
		}
	}
}

// spelled is a number of a host that keeps its spelling.
type spelled string

func (s spelled) Float64() float64 {
	n, _ := strconv.ParseFloat(string(s), 64)
	return n
}

type fixedDocument map[string]any

func (d fixedDocument) Get(path string) (any, bool) { v, ok := d[path]; return v, ok }

// TestValuesOfHosts shows values of every kind with the macro var.
func TestValuesOfHosts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, ""}, {"text", "text"}, {"007", "007"}, {true, "true"}, {1.50, "1.5"}, {3, "3"},
		{int64(-4), "-4"},
		{spelled("2.50"), "2.5"}, {spelled("12345678901234567891"), "12345678901234567891"},
		{json.Number("1.0"), "1"}, {[]any{"<a>", 1.0}, `["<a>",1]`},
		{map[string]any{"k": nil}, `{"k":null}`},
		{json.RawMessage(`"raw"`), "raw"}, {json.RawMessage(`null`), ""}, {func() {}, ""},
	} {
		got, _ := macro.Expand("{{var::v}}", macro.Env{Document: fixedDocument{"v": c.value}})
		if got != c.want {
			t.Errorf("%T %v is shown as %q, want %q", c.value, c.value, got, c.want)
		}
	}
}

func TestHumanTime(t *testing.T) {
	t.Parallel()
	const base = "2024-01-01 00:00:00"
	for other, want := range map[string]string{
		"2024-01-01 00:00:44": "a few seconds ago", "2024-01-01 00:00:45": "a minute ago",
		"2024-01-01 00:44:00": "44 minutes ago", "2024-01-01 00:45:00": "an hour ago",
		"2024-01-01 21:00:00": "21 hours ago", "2024-01-01 22:00:00": "a day ago",
		"2024-01-26": "25 days ago", "2024-01-28": "a month ago", "2024-11-01": "10 months ago",
		"2024-12-20": "a year ago", "2027-01-01": "3 years ago",
	} {
		got, _ := macro.Expand("{{timeDiff::"+base+"::"+other+"}}", macro.Env{})
		if got != want {
			t.Errorf("until %s: %q, want %q", other, got, want)
		}
	}
	east := macro.Env{Zone: time.FixedZone("", 8*3600)}
	if got, _ := macro.Expand("{{timeDiff::2025-03-14 23:09::2025-03-14T15:09:26Z}}", east); got != "a few seconds ago" {
		t.Errorf("a time without a zone: %q", got)
	}
	got, _ := macro.Expand("{{timeDiff::"+base+"::soon}}", macro.Env{})
	if got != "Invalid date" {
		t.Errorf("a text that is no time: %q", got)
	}
}

func TestFormatTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2025, 3, 2, 15, 9, 6, 7_000_000, time.FixedZone("", -5*3600))
	for pattern, want := range map[string]string{
		"YYYY YY M MM MMM MMMM": "2025 25 3 03 Mar March",
		"D DD Do d ddd dddd":    "2 02 2nd 0 Sun Sunday",
		"H HH h hh m mm s ss":   "15 15 3 03 9 09 6 06",
		"SSS A a Z ZZ X x":      "007 PM pm -05:00 -0500 1740946146 1740946146007",
		"LT|LTS|L|LL":           "3:09 PM|3:09:06 PM|03/02/2025|March 2, 2025",
		"LLL|LLLL":              "March 2, 2025 3:09 PM|Sunday, March 2, 2025 3:09 PM",
		"[at D] [pq":            "at D [pq",
		"[a] b]|[":              "a] b|[",
		`\D\\YYYY\ `:            "D2025 ",
		"Q Qo w wo ww W WW Wo":  "1 1st 10 10th 10 9 09 9th",
		"E e k kk DDD DDDo":     "7 0 15 15 61 61st",
		"DDDD gggg gg GGGG GG":  "061 2025 25 2025 25",
		"l ll lll|llll":         "3/2/2025 Mar 2, 2025 Mar 2, 2025 3:09 PM|Sun, Mar 2, 2025 3:09 PM",
		"Mo do dd hmm Hmmss":    "3rd 0th Su 309 150906",
		"Y YYYYY YYYYYY y N":    "2025 02025 +002025 2025 AD",
		"S SS SSSS z|NNNN":      "0 00 0070 |Anno Domini",
		"年":                     "年",
	} {
		if got := macro.FormatTime(at, pattern); got != want {
			t.Errorf("%q gives %q, want %q", pattern, got, want)
		}
	}
}

// TestHiddenKeys: a text of a card that is shown only to world books.
func TestHiddenKeys(t *testing.T) {
	t.Parallel()
	const text = "A{{hidden_key:{{char}} the cat}}B{{hidden_key::x}}{{hidden_key}}"
	for scanning, want := range map[bool]string{
		false: "AB{{hidden_key}}", true: "AOrin the catBx{{hidden_key}}",
	} {
		got, trace := macro.Expand(text, macro.Env{Char: "Orin", Scanning: scanning})
		if got != want || len(trace.Problems) != 1 || trace.Problems[0].Code != macro.Arity {
			t.Errorf("scanning %v: %q, %v", scanning, got, trace.Problems)
		}
	}
}

// TestTrace checks that every draw, problem and variable is recorded: PR-09.
func TestTrace(t *testing.T) {
	t.Parallel()
	numbers := []float64{0.1, 0.9}
	env := macro.Env{
		Vars: map[string]any{"a": "1"},
		Random: func() float64 {
			x := numbers[0]
			numbers = numbers[1:]
			return x
		},
	}
	got, trace := macro.Expand("{{roll::d6}}{{random::x::y}}{{nope}}{{user::1}}{{.a}}{{.b=2}}", env)
	if got != "1y{{nope}}{{user::1}}1" {
		t.Errorf("result %q", got)
	}
	want := macro.Trace{
		Draws: []macro.Draw{{Macro: "roll", Offset: 0, Value: 0.1},
			{Macro: "random", Offset: 12, Value: 0.9}},
		Problems: talewright.Problems{
			{Path: "@28", ID: "nope", Code: macro.Unknown, Text: "no macro has this name; left as written"},
			{Path: "@36", ID: "user", Code: macro.Arity, Text: "wrong number of arguments; left as written"},
		},
		Access: []macro.Access{{Name: "a", Read: true}, {Name: "b", Write: true}},
	}
	if diff := cmp.Diff(want, trace); diff != "" {
		t.Errorf("trace (-want +got):\n%s", diff)
	}
	if len(env.Vars) != 1 {
		t.Errorf("the variables of the environment changed: %v", env.Vars)
	}
}

func TestFieldsAreExpandedOnce(t *testing.T) {
	t.Parallel()
	run := macro.NewRun(macro.Env{
		Card: macro.Card{
			Description: " {{.n++}} {{scenario}} ", Scenario: "[{{description}}]",
			Greetings: []string{"second"}, FirstMessage: "first",
		},
		Outlets: map[string][]macro.Piece{"o": {
			{Text: "{{.n++}}"}, {Text: " "}, {Text: "{{user}}", Literal: true},
		}},
	})
	run.Prepare()
	if run.OutletUsed("o") {
		t.Error("the outlet counts as used before it was")
	}
	got := run.Expand("{{description}}|{{description}}|{{outlet::o}}|{{greeting::1}}|{{greeting::9}}", macro.Full)
	if want := "1 []|1 []|2\n{{user}}|second|"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !run.OutletUsed("o") {
		t.Error("the outlet was used")
	}
}

func TestSet(t *testing.T) {
	t.Parallel()
	set, err := macro.NewSet(
		macro.Macro{Name: "weather", Aliases: []string{"sky"}, Text: "fog"},
		macro.Macro{Name: "user", Text: "a stranger"},
		macro.Macro{Name: "max", MinArgs: 1, MaxArgs: -1, Func: func(c *macro.Call) string {
			if c.Args[0] == "" {
				return c.Stay("bad_value", "empty")
			}
			return strings.Join(c.Args, ">")
		}},
	)
	if err != nil {
		t.Fatal(err)
	}
	env := macro.Env{User: "Mara", Compile: macro.NewCache(set, 1).Compile}
	for range 3 { // a cache of one text evicts and compiles again
		got, _ := macro.Expand("{{Weather}} {{sky}} {{user}} {{max::a::b}} {{max::}} {{max}}", env)
		if want := "fog fog a stranger a>b {{max::}} {{max}}"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	_, err = macro.NewSet(macro.Macro{Name: "if"}, macro.Macro{Name: "1x"},
		macro.Macro{Name: "a", Aliases: []string{"A"}},
		macro.Macro{Name: "b", MinArgs: 2, MaxArgs: 1})
	for _, part := range []string{"macros[0]", "macros[1]", "macros[2]", "macros[3]"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error %v does not name %s", err, part)
		}
	}
}

func TestPickIsStable(t *testing.T) {
	t.Parallel()
	const text = "{{pick::a::b::c::d}}{{pick::a::b::c::d}}"
	seen := map[string]bool{}
	for _, chat := range []string{"one", "two", "three", "four", "five", "six"} {
		env := macro.Env{ChatID: chat}
		first, _ := macro.Expand(text, env)
		if second, _ := macro.Expand(text, env); second != first {
			t.Errorf("chat %s: %q, then %q", chat, first, second)
		}
		seen[first] = true
		env.Reroll = 1
		rerolled, _ := macro.Expand(text, env)
		seen[rerolled] = true
	}
	if len(seen) < 4 {
		t.Errorf("twelve picks gave %d results", len(seen))
	}
}

// BenchmarkPlainText expands 10 KB without macros: one scan, nothing copied.
func BenchmarkPlainText(b *testing.B) {
	text := strings.Repeat("The lamp turns slowly above the bay, and nobody sees it. ", 180)
	run := macro.NewRun(macro.Env{})
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if got := run.Expand(text, macro.Full); len(got) != len(text) {
			b.Fatal(len(got))
		}
	}
}

// BenchmarkMacros expands a compiled text with 60 macros.
func BenchmarkMacros(b *testing.B) {
	text := strings.Repeat("{{char}} greets {{user}}. {{if .hp}}HP {{.hp}}{{/if}} ", 15)
	env := macro.Env{User: "Mara", Char: "Orin", Vars: map[string]any{"hp": 7.0},
		Compile: macro.NewCache(nil, 0).Compile}
	want := strings.Repeat("Orin greets Mara. HP 7 ", 15)
	b.ReportAllocs()
	for b.Loop() {
		if got, _ := macro.Expand(text, env); got != want {
			b.Fatal(got)
		}
	}
}

// BenchmarkHostile expands 100 kB and 200 kB of texts that could cause quadratic time. The second
// must cost about twice the first.
func BenchmarkHostile(b *testing.B) {
	for _, size := range []int{100_000, 200_000} {
		texts := hostile(size)
		for _, name := range []string{"never closed", "scopes nested", "nested", "crossed tags"} {
			b.Run(name+"/"+map[bool]string{true: "100kB", false: "200kB"}[size == 100_000],
				func(b *testing.B) {
					b.SetBytes(int64(len(texts[name])))
					b.ReportAllocs()
					for b.Loop() {
						if got, _ := macro.Expand(texts[name], macro.Env{}); got == "" {
							b.Fatal("nothing")
						}
					}
				})
		}
	}
}

// TestUnset: a macro that reads an unknown name is empty, and the trace says whether the other kind
// of variable has the name.
func TestUnset(t *testing.T) {
	t.Parallel()
	env := macro.Env{Document: fixedDocument{"hp": 7.0}, Vars: map[string]any{"gold": "5", "none": ""}}
	text, trace := macro.Expand("{{getvar::hp}}{{getvar::x}}{{var::gold}}{{var::y}}{{getvar::none}}{{var::y::z}}{{getglobalvar::hp}}", env)
	var got []string
	for _, p := range trace.Problems {
		if p.Code != "unset" || p.Severity != talewright.Warning {
			t.Errorf("%v is no warning of a name that does not exist", p)
		}
		got = append(got, p.ID+" "+p.Text)
	}
	want := []string{
		`getvar "hp": no variable has this name, but {{var::hp}} does`, `getvar "x": no variable has this name`,
		`var "gold": the document has no such path, but {{getvar::gold}} does`, `var "y": the document has no such path`,
		`getglobalvar "hp": no variable has this name`,
	}
	if diff := cmp.Diff(want, got); diff != "" || text != "z" {
		t.Errorf("%q (-want +got):\n%s", text, diff)
	}
}
