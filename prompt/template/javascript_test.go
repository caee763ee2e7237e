package template_test

import (
	"os"
	"strings"
	"testing"

	"github.com/talewright/talewright/prompt/template"
)

// TestJavaScript evaluates the expressions of a table with the results of JavaScript and of lodash, as
// JSON and as text: PR-18. Each line has an expression and its result; ⏎ is a line feed.
func TestJavaScript(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/javascript.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		code, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ⇒ ")
		if !ok {
			t.Fatalf("no result: %s", line)
		}
		text, problems := template.Compile("<% const v = await (" + code + "); print(JSON.stringify(v) + '|' + String(v)) %>")
		if text == nil {
			t.Errorf("%s: %v", code, problems)
			continue
		}
		got, err := text.Run(template.NewBuild(template.Env{Random: func() float64 { return 0.5 }}))
		if got = strings.ReplaceAll(got, "\n", "⏎"); err != nil || got != want {
			t.Errorf("%s\ngot  %s %v\nwant %s", code, got, err, want)
		}
		n++
	}
	if n < 800 {
		t.Errorf("%d expressions, want at least 800", n)
	}
}

// TestErrorsOfLibraryFunctions: an error in a function of the library has the place of its call.
func TestErrorsOfLibraryFunctions(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"<% \n_.pull(null, 1) %>":                                 "2:7: ",
		"<% \n\n_.flow(x => x, x => x.y.z)({}) %>":                "3:24: ",
		"<% _.invokeMap(['a'], 'nothing') %>":                     "1:15: ",
		"<% /a/g.lastIndex = -1; decodeURIComponent('%E4%B8') %>": "1:43: ",
		"<% (1.5).toExponential(101) %>":                          "1:",
		"<% (1.5).toExponential(-1) %>":                           "1:",
		"<% (1.5).toExponential(1e9) %>":                          "1:",
	} {
		text, _ := template.Compile(code)
		if _, err := text.Run(template.NewBuild(template.Env{})); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want the place %s", code, err, want)
		}
	}
}
