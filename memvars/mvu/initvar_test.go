package mvu_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/mvu"
)

// TestInitVarBody: indentation and line breaks of an entry are not trimmed away, and an
// entry that cannot be read is a problem.
func TestInitVarBody(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"<initvar>\n  a: 1\n  b:\n    c: 2\n</initvar>": `{"a":1,"b":{"c":2}}`,
		"\n\n  a: |+\n    x\n\n":                        `{"a":"x\n\n"}`,
		"```yaml\n  a: 1\n  b: 2\n```":                  `{"a":1,"b":2}`,
		"  {\"a\": 1,}  ":                               `{"a":1}`,
		"a: &x 1":                                       "",
	} {
		v, problems := mvu.Init(mvu.Variables{}, []mvu.Book{{Name: "b", Entries: []mvu.Entry{{Comment: "[initvar]", Content: content}}}}, "", mvu.Options{})
		got := v.Stat.String()
		if len(problems) > 0 {
			got = ""
			if !strings.Contains(problems[0].Text, "YAML") {
				t.Error(problems)
			}
		}
		if got != want {
			t.Errorf("%q gives %s, want %s", content, got, want)
		}
	}
}
