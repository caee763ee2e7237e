package campaigntest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/internal/testkit"
)

func file(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// without ignores the parts of a scenario that printing does not keep: file names and line numbers.
var without = cmp.Options{
	cmpopts.IgnoreFields(campaigntest.Scenario{}, "File"), cmpopts.IgnoreFields(campaigntest.ScenarioStep{}, "Line"),
	cmpopts.IgnoreFields(campaigntest.ScenarioCheck{}, "Line"), cmpopts.EquateEmpty(),
}

// TestRoundTripEverything reads and prints each word of the grammar, and reads it again as the
// same.
func TestRoundTripEverything(t *testing.T) {
	t.Parallel()
	s, problems := campaigntest.ParseScenario("everything.txt", file(t, "everything.txt"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	golden(t, "everything.golden", s.String())
	again, problems := campaigntest.ParseScenario("", s.String())
	if diff := cmp.Diff(s, again, without); diff != "" || len(problems) > 0 {
		t.Errorf("%v\n%s", problems, diff)
	}
}

// TestRoundTripOddTexts checks that texts with any characters read back the same.
func TestRoundTripOddTexts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", " ", "a", " a", "a ", "\n", "a\n", "\na", "a\n\nb", "a\n b", "a\r\nb", "a\tb", "\x00", "\xff", "\ufffd", "\"", "\"a\"", `\"`, `\"a"`, `\`,
		"| a", "a\n| b", "#", "a\n# b", "----", "a\n----\nb", "\u00a0a", "a\u2028b", "\u202e", "钟\n响了", "no lore", "{", `{"a": 1}`, "[1]", "x=y",
	} {
		s := campaigntest.Scenario{Steps: []campaigntest.ScenarioStep{{
			Do: "say", Args: []string{text}, As: strings.TrimSpace("mara" + text), Summary: "a" + text,
			Verdicts: []conflict.Verdict{{Kind: "a", Quote: strings.ToValidUTF8(text, "")}},
			Sinks:    map[string]string{"log": text},
			Replies:  []campaigntest.ScenarioReply{{Text: text, Calls: []campaigntest.ScenarioCall{{Tool: text, Args: text}, {Tool: "a", Args: text}}}, {Text: text}, {Fail: "x"}, {}},
			Wants:    []campaigntest.ScenarioCheck{{Name: "text", Args: []string{text}}, {Not: true, Name: "refused", Args: []string{"a", text}}},
		}}}
		again, problems := campaigntest.ParseScenario("", s.String())
		if diff := cmp.Diff(s, again, without); diff != "" || len(problems) > 0 {
			t.Errorf("%q: %v\n%s\n%s", text, problems, diff, s)
		}
	}
}

// TestMistakesOfAuthors checks that all mistakes are reported at once, each with its line and a
// correction.
func TestMistakesOfAuthors(t *testing.T) {
	t.Parallel()
	_, problems := campaigntest.ParseScenario("mistakes.txt", file(t, "mistakes.txt"))
	golden(t, "mistakes.golden", problems.Error()+"\n")
	for _, p := range problems {
		if p.Severity != talewright.Fatal || p.Code == "" {
			t.Errorf("%+v", p)
		}
	}
	for _, text := range []string{"\xff", strings.Repeat("\n", 1048576+1)} {
		if _, problems := campaigntest.ParseScenario("a", text); len(problems) != 1 || problems[0].Code != "bad_file" {
			t.Errorf("%.10q: %v", text, problems)
		}
	}
}

// TestRecord checks that the results are written below the lines ----, and that nothing else
// changes.
func TestRecord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, text, want string }{
		{"nothing is recorded where there is no bar", "say a\n\n# b\nsay b\n", "say a\n\n# b\nsay b\n"},
		{"empty below", "say a\n----\n\nsay b\n", "say a\n----\nit 0\n2\n\nsay b\n"},
		{"another before", "say a\n----\nold\nolder\n\n\nsay b\n----\nc\n", "say a\n----\nit 0\n2\n\n\nsay b\n----\nit 1\n2\n"},
		{"no line feed at the end", "say a\nmodel b\n----", "say a\nmodel b\n----\nit 0\n2\n"},
		{"line ends of Windows", "say a\r\n----\r\nold\r\n\r\nsay b\r\n", "say a\r\n----\r\nit 0\r\n2\r\n\r\nsay b\r\n"},
	} {
		s, problems := campaigntest.ParseScenario("a", c.text)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		got, err := s.Record(c.text, func(step int) string { return "it " + string(rune('0'+step)) + "\n2\n" })
		if got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.reason, got, err, c.want)
		}
	}
}

// TestGrowth checks that the time to read a file is in proportion to its length, also with
// mistakes.
func TestGrowth(t *testing.T) {
	var atoms []testkit.Atom
	for _, text := range []string{
		"a", "\n", "say a\n", "say a\n\n", "# a\n", "|\n", "say a\n| b\n", "----\n", "say\n----\na\n\n", "want hp a 1\n", "say a\nwant no text \"a\"\n\n", "goal hp a 1\n", "\"",
		"say a\nmodel b\ncall c d=e f={\n\n", "\\\"", "钟", "\t", "\r\n", "setup {}\n\n", "say a\ndice 1 2\n\n",
	} {
		atoms = append(atoms, testkit.Repeat(text))
	}
	for _, head := range []string{"say a\ncall b ", "say a\nwant var b ", "say a\ndice ", "say a\njudge ", "setup ", "say a\nwant text ", "say "} {
		for _, text := range []string{"a=b ", "a=\"b\" ", "1 ", "[", "{\"a\":", "\\\"", "\"a\" ", "=", "\n|"} {
			atoms = append(atoms, testkit.Atom{Head: head, Open: text})
		}
	}
	testkit.Growth(t, testkit.Reader{Name: "scenario", Atoms: atoms, Read: func(text string) {
		s, _ := campaigntest.ParseScenario("a.txt", text)
		_ = s.String()
		_, _ = s.Record(text, func(int) string { return "a\n" })
	}})
}

// FuzzParse checks that what is read from any file can be printed, and reads back the same.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"everything.txt", "mistakes.txt"} {
		f.Add(file(f, name))
		for step := range strings.SplitSeq(file(f, name), "\n\n") {
			f.Add(step)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, problems := campaigntest.ParseScenario("a", text)
		if len(problems) > 0 {
			return
		}
		again, problems := campaigntest.ParseScenario("a", s.String())
		if diff := cmp.Diff(s, again, without); diff != "" || len(problems) > 0 {
			t.Errorf("%v\n%s\n%s", problems, diff, s)
		}
		if _, err := s.Record(text, func(int) string { return "a\n" }); err != nil {
			t.Error(err)
		}
	})
}
