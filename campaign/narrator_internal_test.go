package campaign

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/growthtest"
)

// TestNarrator: whatever the pieces are in which an answer comes, only narration is
// shown of it, and what is shown is the narration of the complete answer.
func TestNarrator(t *testing.T) {
	t.Parallel()
	game, _, err := Compile(Content{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, raw, want string }{
		{"prose", "You wait. (Nobody comes.) Dust falls.", "You wait. (Nobody comes.) Dust falls."},
		{"object", `{"text": "You wait.\nDust \u98a8 \ud83d\ude00 \"falls\".", "tool_calls": [{"tool": "a", "args": {"text": "no"}}]}`,
			"You wait.\nDust 風 😀 \"falls\"."},
		{"text last", `{"mood": {"text": "no"}, "tool_calls": [], "text": "You wait."}`, "You wait."},
		{"calls alone", `{"tool_calls": [{"tool": "a"}]}`, ""},
		{"fenced object", "```json\n{\"text\": \"You wait.\"}\n```", "You wait."},
		{"commands", "You wait.\nset_status('a', 1)\nDust falls.", "You wait.\nDust falls."},
		{"commands in an object", `{"text": "You wait.\nset_status('a', 1)\n"}`, "You wait."},
		{"thought", "<think>set_status('a', 1) {</think>You wait.", "You wait."},
		// Nobody can know that the words are none of the story, before the object comes.
		{"words before an object", `Sure: {"text": "You wait.", "tool_calls": []}`, "Sure:"},
		{"calls behind prose", "You wait.\n```json\n{\"tool_calls\": [{\"tool\": \"a\"}]}\n```", "You wait."},
		{"Chinese", "你等待。尘埃落下（很慢）。", "你等待。尘埃落下（很慢）。"},
	} {
		for _, size := range []int{1, 2, 3, 7, 1000} {
			n := narrator{game: game}
			var shown strings.Builder
			for at := 0; at < len(c.raw); at += size {
				shown.WriteString(n.write(c.raw[at:min(at+size, len(c.raw))]))
			}
			live := shown.String()
			shown.WriteString(n.finish())
			got := shown.String()
			if got != c.want {
				t.Errorf("%s in pieces of %d: %q, want %q", c.name, size, got, c.want)
			}
			if size == 1 && c.name == "object" && !strings.HasPrefix(live, "You wait.") {
				t.Errorf("%s: only %q is shown before the end", c.name, live)
			}
		}
	}
}

func TestGrowthOfNarrator(t *testing.T) {
	game, _, err := Compile(Content{})
	if err != nil {
		t.Fatal(err)
	}
	growthtest.Run(t, growthtest.Reader{Name: "narrator", Size: 4 << 10, Read: func(text string) {
		n := narrator{game: game}
		for at := 0; at < len(text); at += 64 {
			n.write(text[at:min(at+64, len(text))])
		}
		n.finish()
	}, Atoms: []growthtest.Atom{
		growthtest.Repeat("word "), growthtest.Repeat("a"), growthtest.Repeat("("), growthtest.Repeat("a("),
		growthtest.Repeat("{"), growthtest.Repeat("<"), growthtest.Repeat(" <\n"), growthtest.Repeat("```"),
		growthtest.Repeat("\n"), growthtest.Repeat(" (a)\n"), {Head: `{"text":"`, Open: `\u98a8`}, {Head: `{"`, Open: "a"},
	}})
}
