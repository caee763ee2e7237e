package utf8text_test

import (
	"testing"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/prompt/macro"
)

// An escaped text expands to the original text, wherever it is in a template.
func TestEscapedTextsExpandToThemselves(t *testing.T) {
	for _, text := range []string{
		"plain", "{{user}}", "{{", "}}", "{", "}", `\{`, `\{{user}}\`, "a{{b}}c", "{{{user}}}", "{a}", "{{if x}}", "}}{{",
		"<USER>", "<user> and <Bot>", "<{{user}}>", "<charIfNotGroup><group>", "<char", "a < b > c",
	} {
		for _, frame := range [][2]string{{"", ""}, {"x", "y"}, {"{{user}} ", " {{char}}"}} {
			run := macro.NewRun(macro.Env{User: "Mara", Char: "Orin"})
			got := run.Expand(frame[0]+utf8text.Escape(text)+frame[1], macro.Full)
			want := run.Expand(frame[0], macro.Full) + text + run.Expand(frame[1], macro.Full)
			if got != want {
				t.Errorf("%q in %q: got %q, want %q", text, frame, got, want)
			}
		}
	}
}
