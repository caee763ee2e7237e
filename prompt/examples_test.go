package prompt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/prompt"
)

// TestExampleTurns: each line of a part with turns belongs to one turn.
func TestExampleTurns(t *testing.T) {
	t.Parallel()
	user := func(text string) prompt.ExampleTurn { return prompt.ExampleTurn{User: true, Text: text} }
	char := func(text string) prompt.ExampleTurn { return prompt.ExampleTurn{Text: text} }
	prose := func(text string) prompt.ExampleTurn { return prompt.ExampleTurn{Text: text, Prose: true} }
	type parts = [][]prompt.ExampleTurn
	for _, c := range []struct {
		reason, text string
		want         parts
	}{
		{"lines before the first speaker go in front of the first turn",
			"At the inn.\n\nMara: hi\nmore\nOrin: yes", parts{{user("At the inn.\n\n hi\nmore"), char("yes")}}},
		{"they stay in front of a single turn", "A\nOrin: x\nB", parts{{char("A\n x\nB")}}},
		{"blank lines before the first speaker are none", "\n \nOrin: x", parts{{char("x")}}},
		{"lines of others belong to the turn before", "Orin: x\nGuest: y\nMara: z", parts{{char("x\nGuest: y"), user("z")}}},
		{"a name that begins another is none", "Orin: x\nMaranatha: y", parts{{char("x\nMaranatha: y")}}},
		{"the colon may be full-width", "Mara：q\nOrin：a", parts{{user("q"), char("a")}}},
		{"a turn without words is one", "Mara:\nOrin: a", parts{{user(""), char("a")}}},
		{"a part in which nobody speaks is prose", "prose<start>Mara: q<START>\nmore prose",
			parts{{prose("prose")}, {user("q")}, {prose("more prose")}}},
		{"a part of other speakers is prose", "用户：你好\n角色：嗯", parts{{prose("用户：你好\n角色：嗯")}}},
		{"a blank part is nothing", " \n<START>\n<START>Mara: q", parts{{user("q")}}},
	} {
		if diff := cmp.Diff(c.want, prompt.ParseExamples(c.text, "Mara", "Orin")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.reason, diff)
		}
	}
}

// TestParseExamplesOfAGroup: every member counts as a speaker, and the names stay.
func TestParseExamplesOfAGroup(t *testing.T) {
	t.Parallel()
	type turns = []prompt.ExampleTurn
	for _, c := range []struct {
		reason, text string
		want         turns
	}{
		{"a member begins a turn, a guest does not", "Orin: x\nBo Reed: y\nGuest: z\nMara: q",
			turns{{Text: "Orin: x"}, {Text: "Bo Reed: y\nGuest: z"}, {User: true, Text: "Mara: q"}}},
		{"the character may be none of them", "Orin：a", turns{{Text: "Orin: a"}}},
		{"lines before the first speaker stand behind its name", "At the inn.\nBo Reed: y", turns{{Text: "Bo Reed: At the inn.\n y"}}},
	} {
		if diff := cmp.Diff([][]prompt.ExampleTurn{c.want}, prompt.ParseExamples(c.text, "Mara", "Orin", "Bo Reed", "Chen")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.reason, diff)
		}
	}
}

// turnsByLine reads a part line by line, directly by the documented rules.
func turnsByLine(part string) (turns []prompt.ExampleTurn) {
	var said []string
	add := func() {
		if len(turns) > 0 {
			turns[len(turns)-1].Text = keyindex.TrimSpace(strings.Join(said, "\n"))
			said = nil
		}
	}
	for line := range strings.SplitSeq(part, "\n") {
		for _, speaker := range []string{"Mara:", "Mara：", "Orin:", "Orin："} {
			if words, ok := strings.CutPrefix(line, speaker); ok {
				add()
				turns = append(turns, prompt.ExampleTurn{User: speaker[0] == 'M'})
				line = words
				break
			}
		}
		said = append(said, line)
	}
	add()
	return turns
}

// FuzzParseExamples compares with a reader that works line by line.
func FuzzParseExamples(f *testing.F) {
	for _, text := range []string{"<START>\nMara: q\nOrin: a", "prose",
		"before\nOrin： x\nGuest: y", "<start><START>Mara:", "a\n\nMara:\nMara: b\r\nc"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := prompt.ParseExamples(text, "Mara", "Orin")
		if strings.Contains(strings.ToLower(text), "<start>") {
			for _, turns := range got {
				if len(turns) == 0 {
					t.Error("a part without turns")
				}
			}
			return
		}
		var want [][]prompt.ExampleTurn
		part := keyindex.TrimSpace(text)
		if turns := turnsByLine(part); len(turns) > 0 {
			want = append(want, turns)
		} else if part != "" {
			want = [][]prompt.ExampleTurn{{{Text: part, Prose: true}}}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-by line +got):\n%s", diff)
		}
	})
}
