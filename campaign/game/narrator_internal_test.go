package game

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/rules"
)

// TestNarrator: however an answer is split into pieces, only narration is shown, and the shown text
// is the narration of the complete answer.
func TestNarrator(t *testing.T) {
	t.Parallel()
	game, problems := Compile(Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	// These answers show only later that their first words are not part of the story.
	var golden strings.Builder // what is shown before the end, in small pieces and at once, and in total
	surprises := []string{"words before an object", "a thought whose begin is in the prompt", "calls that do not end, which are asked for again"}
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
		{"words before an object", `Sure: {"text": "You wait.", "tool_calls": []}`, "You wait."},
		{"a thought whose begin is in the prompt", "I call move.\nThen I narrate.\n</think>\nYou wait.", "You wait."},
		{"indented paragraphs", "\u3000\u3000你等待。\n\u3000\u3000尘埃落下。\u3000\n", "你等待。\n\u3000\u3000尘埃落下。"},
		{"an indented object", "\u3000{\"text\": \"\u3000\u3000你等待。\"}", "你等待。"},
		{"no UTF-8", "You \xe4\xbdwait \xff`.", "You \ufffd\ufffdwait \ufffd`."},
		{"parts of characters alone", "\x80\x80\x80\x80\x80 You wait.", "\ufffd\ufffd\ufffd\ufffd\ufffd You wait."},
		{"the narrative of a dialect that the game does not have", `{"narrative": "no", "text": "You wait."}`, "You wait."},
		{"halves of characters", `{"text": "a\ud83db\ud83d\ud83d\ude00\ude00\b\ud83d"}`, "a\ufffdb\ufffd😀\ufffd\b\ufffd"},
		{"calls that do not end, which are asked for again", `You wait. {"tool_calls": [{"tool": `, ""},
		{"calls behind prose", "You wait.\n```json\n{\"tool_calls\": [{\"tool\": \"a\"}]}\n```", "You wait."},
		{"a half at the end of the text", `{"text": "a\ud83d", "mood": "b"}`, "a\ufffd"},
		{"other names of the text", `{"narration": "You wait.", "x": {"narration": "no"}, "y": ["text"]}`, "You wait."},
		{"a third name of the text", `{"mood": "text", "assistant_output_text": "You wait.", "tool_calls": []}`, "You wait."},
		{"calls in the form of the log", "You wait.\nassistant_structured: {\"tool_calls\": []}", "You wait."},
		{"words before brackets", "You *wait*(slowly) here.\nDust falls.", "You *wait*(slowly) here.\nDust falls."},
		{"Chinese", "你等待。尘埃落下（很慢）。", "你等待。尘埃落下（很慢）。"},
	} {
		for _, size := range []int{1, 2, 3, 7, 1000} {
			n := Narrator{Game: game}
			var shown strings.Builder
			for at := 0; at < len(c.raw); at += size {
				shown.WriteString(n.Write(c.raw[at:min(at+size, len(c.raw))]))
			}
			live := shown.String()
			if !strings.HasPrefix(c.want, live) && !slices.Contains(surprises, c.name) {
				t.Errorf("%s in pieces of %d: %q is shown and taken back", c.name, size, live)
			}
			got := ended(&n, live)
			if got != c.want {
				t.Errorf("%s in pieces of %d: %q, want %q", c.name, size, got, c.want)
			}
			switch size {
			case 1:
				fmt.Fprintf(&golden, "%s\n\t%q\n", c.name, live)
			case 1000:
				fmt.Fprintf(&golden, "\t%q\n\t%q\n", live, got)
			}
			if size == 1 && (c.name == "object" && !strings.HasPrefix(live, "You wait.") || c.name == "text last" && live == "") {
				t.Errorf("%s: only %q is shown before the end", c.name, live)
			}
		}
	}
	testkit.Golden(t, "testdata/narrator.golden", golden.String())
}

// ended returns the text on the screen at the end of an answer that was already shown in part.
func ended(n *Narrator, live string) string {
	rest, again := n.Finish()
	if again {
		return rest
	}
	return live + rest
}

// TestNarratorHidesDialects: passages of dialects are never shown, and the text shown at the end is
// the text that players see of the complete answer.
func TestNarratorHidesDialects(t *testing.T) {
	t.Parallel()
	vars := []rules.Variable{{ID: "hp", Type: rules.TypeNumber}}
	tagged := []rules.ReplyRule{{ID: "s", Match: rules.ReplyMatch{Tag: "状态"}, Hide: true, To: []rules.ReplyRoute{{Kind: rules.ReplyFields}}}}
	anything := []rules.ReplyRule{{ID: "s", Match: rules.ReplyMatch{Pattern: "HP: ([0-9]+)"}, Hide: true, To: []rules.ReplyRoute{{Kind: rules.ReplyFields}}}}
	rounded := Dialect{Name: "rounded", Opens: "(", Read: func(text string, _ Scope) (list []Span) {
		if from := strings.Index(text, "(hp: 3)"); from >= 0 {
			list = append(list, Span{From: from, To: from + len("(hp: 3)")})
		}
		return list
	}}
	for _, c := range []struct {
		name       string
		content    Content
		raw        string
		live, want string // before the end, and in total
	}{
		{"directives", Content{Rules: Rules{Variables: vars}}, "You drink. [hp: -1] It helps.\nDust falls.",
			"You drink. It helps.\nDust", "You drink. It helps.\nDust falls."},
		{"a line of directives", Content{Rules: Rules{Variables: vars}}, "You drink.\n\n[hp: -1] [hp: +2]\n\nDust falls.",
			"You drink.\n\nDust", "You drink.\n\nDust falls."},
		{"a directive over lines", Content{Rules: Rules{Variables: vars}}, "You drink.\n[hp: {\n\"a\": 1}]\nDust falls.",
			"You drink.", "You drink.\nDust falls."},
		{"a directive that ends in the next line", Content{Rules: Rules{Variables: vars}}, "You drink.\n[hp:\n-1]\nDust falls.",
			"You drink.", "You drink.\n[hp:\n-1]\nDust falls."},
		{"a list of calls over lines", Content{Rules: Rules{Variables: vars}}, "You drink.\n[\n{\"tool\": \"a\", \"args\": {}}\n]",
			"You drink.", "You drink."},
		{"brackets of the story", Content{Rules: Rules{Variables: vars}}, "A sign: [Keep out].\nDust falls.",
			"A sign: [Keep out].\nDust", "A sign: [Keep out].\nDust falls."},
		{"tags", Content{Rules: Rules{Variables: vars, ReplyRules: tagged}}, "风起。\n【状态】hp: 3【/状态】\n尘落。", "风起。", "风起。\n尘落。"},
		{"a pattern", Content{Rules: Rules{Variables: vars, ReplyRules: anything}}, "Dust falls. HP: 3", "", "Dust falls."},
		{"an object", Content{Rules: Rules{Variables: vars}}, `{"narrative": "You drink.\nDust falls.", "stateChanges": []}`,
			"You drink.\nDust", "You drink.\nDust falls."},
		{"an object with more texts", Content{Rules: Rules{Variables: vars}}, `{"mood": "no", "narrative": "You drink.\nDust falls.", "weather": "no"}`,
			"You drink.\nDust", "You drink.\nDust falls."},
		{"words in round brackets", Content{Rules: Rules{Dialects: []Dialect{rounded}}}, "You (hp: 3) wait. (Nobody) comes.\nDust falls.",
			"You", "You wait. (Nobody) comes.\nDust falls."},
		{"nothing open", Content{Rules: Rules{Variables: vars, Dialects: []Dialect{}}}, "You. [hp: -1]\nDust falls.",
			"You. [hp: -1]\nDust", "You. [hp: -1]\nDust falls."},
	} {
		game, problems := Compile(c.content)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 2, 5, 1000} {
			n := Narrator{Game: game}
			var shown strings.Builder
			for at := 0; at < len(c.raw); at += size {
				shown.WriteString(n.Write(c.raw[at:min(at+size, len(c.raw))]))
			}
			if live := shown.String(); size == 1 && !strings.HasPrefix(live, c.live) || !strings.HasPrefix(c.want, live) {
				t.Errorf("%s in pieces of %d: %q before the end", c.name, size, live)
			}
			if got := ended(&n, shown.String()); got != c.want {
				t.Errorf("%s in pieces of %d: %q, want %q", c.name, size, got, c.want)
			}
		}
	}
}

func TestGrowthOfNarrator(t *testing.T) {
	game, problems := Compile(Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	testkit.Growth(t, testkit.Reader{Name: "narrator", Size: 4 << 10, Read: func(text string) {
		n := Narrator{Game: game}
		for at := 0; at < len(text); at += 64 {
			n.Write(text[at:min(at+64, len(text))])
		}
		n.Finish()
	}, Atoms: []testkit.Atom{
		testkit.Repeat("word "), testkit.Repeat("a"), testkit.Repeat("("), testkit.Repeat("a("),
		testkit.Repeat("{"), testkit.Repeat("<"), testkit.Repeat(" <\n"), testkit.Repeat("```"),
		testkit.Repeat("\n"), testkit.Repeat(" (a)\n"), {Head: `{"text":"`, Open: `\u98a8`}, {Head: `{"`, Open: "a"},
	}})
}
