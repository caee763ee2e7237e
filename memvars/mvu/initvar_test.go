package mvu_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// TestInitVarBody: indentation and line breaks of an entry are not trimmed, and an unreadable entry
// is a problem.
func TestInitVarBody(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"<initvar>\n  a: 1\n  b:\n    c: 2\n</initvar>": `{"a":1,"b":{"c":2}}`,
		"\n\n  a: |+\n    x\n\n":                        `{"a":"x\n\n"}`,
		"```yaml\n  a: 1\n  b: 2\n```":                  `{"a":1,"b":2}`,
		"  {\"a\": 1,}  ":                               `{"a":1}`,
		"a: !!str 1":                                    "",
		"a: &x {p: 1, q: [&y 2]}\nb:\n  <<: *x\n  q: *y\nc: {<<: [*x]}\nd:\n  - &z\n    e: 1\n  - *z": `{"a":{"p":1,"q":[2]},"b":{"q":2,"p":1},"c":{"p":1,"q":[2]},"d":[{"e":1},{"e":1}]}`,
		"{\"a\": 1, \"b\": [\"x": `{"a":1,"b":["x"]}`,
		"```toml\n# 世界\n时间 = \"8: 00\"\n柳溪.好感 = +1_0\n[世界.\"天 气\"]\n温 = 21.5 # 度\n物 = [\"伞\", # 黑\n  '信',\n]\n[[人]]\n名 = \"\"\"\n甲 \\\n  \"乙\"\"\"\"\n[[人]]\n日 = 2025-01-01\n{}": "",
		"时间 = \"8: 00\"\r\n柳溪.好感 = +1_0\r\n[世界.\"天 气\"]\n温 = 21.5 # 度\n物 = [\"伞\", # 黑\n  '信',\n]\n[[人]]\n名 = \"\"\"\n甲 \\\n  \"乙\"\"\"\"\n[[人]]\n日 = 2025-01-01\n":              `{"时间":"8: 00","柳溪":{"好感":10},"世界":{"天 气":{"温":21.5,"物":["伞","信"]}},"人":[{"名":"甲 \"乙\""},{"日":"2025-01-01"}]}`,
		"a = 1\na = 2":                        "", // twice
		"a = {x = 1}\n[a]":                    "",
		"a = \"x":                             "",
		"a = " + strings.Repeat("[", 1<<16):   "",
		strings.Repeat("a.", 1<<16) + "b = 1": "",
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

// TestInitVarProblems: a problem of an entry names the line, and a full-width colon.
func TestInitVarProblems(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"甲: 1\n乙: {丙: 2}":       "",
		"世界:\n  时间：八点\n  地点: 家": "a full-width colon",
		"甲: 1\n乙：2\n":           "line 2 on: a full-width colon",
		"甲: 1\n\t乙: 2":          "line 2 on: want an object",
		"甲：\n  好感：5":            "it is one text",
		"甲: {好感：5}":             `"好感：5" is a key without a value`,
		"话: 她说：好\n乙: 1":         "",
		"- 甲":                   "want an object as JSON",
	} {
		_, problems := mvu.Init(mvu.Variables{}, []mvu.Book{{Name: "b", Own: true, Entries: []mvu.Entry{{Comment: "[initvar]", Content: content}}}}, "", mvu.Options{})
		if got := fmt.Sprint(problems); (want == "") != (len(problems) == 0) || !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", content, got, want)
		}
	}
}

// TestYAMLOfTheHost: the host's reader is called only for entries that this package cannot read,
// and never for text of a model (MV-29).
func TestYAMLOfTheHost(t *testing.T) {
	t.Parallel()
	var asked []string
	o := mvu.Options{YAML: func(text string) (tree.Value, error) {
		asked = append(asked, text)
		if strings.Contains(text, "bad") {
			return tree.Value{}, errors.New("no YAML")
		}
		return tree.ParseValue([]byte(`{"a":1}`))
	}}
	books := []mvu.Book{{Name: "b", Entries: []mvu.Entry{
		{Comment: "[initvar]", Content: "x: 1"}, {Comment: "[initvar]", Content: "a: !!int 1"}, {Comment: "[initvar]", Content: "bad: *x"},
	}}}
	v, problems := mvu.Init(mvu.Variables{}, books, "", o)
	if len(problems) != 1 || problems[0].Path != "b.entries[2]" || v.Stat.String() != `{"x":1,"a":1}` {
		t.Errorf("%s, %v", v.Stat, problems)
	}
	mvu.Update(v, "_.set('x', a: &x 1);<JsonPatch>- op: &x replace</JsonPatch>", o)
	if want := []string{"a: !!int 1", "bad: *x"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
}
