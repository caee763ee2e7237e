package testkit

import (
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	Run(t, "testdata/*.txt", func(t *testing.T) func(Case) string {
		calls := 0
		return func(c Case) string {
			calls++
			switch c.Name {
			case "upper":
				return strings.ToUpper(c.Input)
			case "arg":
				return c.Arg("key", "none")
			case "words":
				return strings.Join(c.Words, "\n\n")
			case "silent":
				return ""
			case "calls":
				return strings.Repeat("x", calls)
			}
			t.Fatalf("%s: unknown command %s", c.Pos, c.Name)
			return ""
		}
	})
}

func TestParseReportsBrokenTranscripts(t *testing.T) {
	for name, text := range map[string]string{
		"no bar":         "upper\nx\n",
		"unclosed quote": "arg key=\"x\n----\n",
		"bad quotes":     "arg key=\"\\q\"\n----\n",
	} {
		if _, err := parse("file", text); err == nil || !strings.Contains(err.Error(), "file:1") {
			t.Errorf("%s: got %v, want an error at file:1", name, err)
		}
	}
}
