package mvu_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/mvu"
)

// TestExpand: initial data with any characters is read with marks instead of macros. Braces that
// are not closed on their line are not a macro.
func TestExpand(t *testing.T) {
	t.Parallel()
	expand := func(source string) string { return strings.ToUpper(strings.Trim(source, "{}")) + "\ue000" }
	for content, want := range map[string]string{
		"a: {{x}}{{y}}":                  `{"a":"X` + "\ue000" + `Y` + "\ue000" + `"}`,
		"a: {{x {{y}} z}}":               `{"a":"X {{Y}} Z` + "\ue000" + `"}`,
		"a: '\ue000\ue0010\ue000 {{x}}'": `{"a":"` + "\ue000\ue0010\ue000" + ` X` + "\ue000" + `"}`,
		"a: '{{x'\nb: '{{y}}'":           `{"a":"{{x","b":"Y` + "\ue000" + `"}`,
		"a: [{b: {{x}}}]":                `{"a":[{"b":"X` + "\ue000" + `"}]}`,
	} {
		v, problems := mvu.Init(mvu.Variables{}, []mvu.Book{{Name: "b", Entries: []mvu.Entry{{Comment: "[initvar]", Content: content}}}}, "",
			mvu.Options{Expand: expand})
		if got := v.Stat.String(); got != want || len(problems) > 0 {
			t.Errorf("%q gives %s %v, want %s", content, got, problems, want)
		}
	}
}
