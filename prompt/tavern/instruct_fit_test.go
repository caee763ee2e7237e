package tavern_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
)

// runes counts code points, so that the sizes below are the lengths of the texts.
type runes struct{}

func (runes) Count(text string) int { return utf8.RuneCountInString(text) }

// uneven is a template in which the text around a message costs much more for one role than for the
// other. The first and the last messages have different costs again.
func uneven() *tavern.InstructTemplate {
	return &tavern.InstructTemplate{
		UserPrefix: "<u>", UserSuffix: "</u>\n",
		AssistantPrefix: "<the assistant says>", AssistantSuffix: "</a>\n",
		SystemPrefix: "<s>", SystemSuffix: "</s>\n",
		StoryPrefix: "<story>", StorySuffix: "</story>\n",
		LastUserPrefix: "<newest>", FirstAssistantPrefix: "<1>", LastAssistantPrefix: "<go>",
	}
}

// TestRoomIsFilled compares the kept history with the result of a slow search, for every budget.
// The slow search finds the longest history whose text fits; only oldest lines may be missing.
// PR-04.
func TestRoomIsFilled(t *testing.T) {
	t.Parallel()
	var history []prompt.Line
	for i := range 12 {
		role := []llm.Role{llm.User, llm.Assistant, llm.User}[i%3]
		history = append(history, prompt.Line{Role: role, Text: strings.Repeat("雨", 1+i*i%7)})
	}
	pieces := prompt.Scene{System: "SYS"}
	context := tavern.ContextTemplate{Story: "{{system}}", ChatStart: "***"}
	for name, template := range map[string]*tavern.InstructTemplate{"turns": uneven(), "plain": nil} {
		var texts []string // without the n oldest lines
		for n := range history {
			got, err := tavern.Render(pieces, prompt.Input{History: history, HistoryStart: n}, names,
				prompt.Budget{}, context, template)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, got.Text)
		}
		for room := runes.Count(runes{}, texts[0]) + 1; room > 0; room-- {
			got, err := tavern.Render(pieces, prompt.Input{History: history}, names,
				prompt.Budget{Context: room + 13, Response: 10, Counter: runes{}}, context, template)
			n := 0
			for n < len(texts) && utf8.RuneCountInString(texts[n]) > room {
				n++
			}
			switch {
			case n == len(texts) && !errors.Is(err, prompt.ErrBudget):
				t.Errorf("%s, room %d: error %v, want a budget error", name, room, err)
			case n < len(texts) && (err != nil || got.Text != texts[n]):
				t.Errorf("%s, room %d: %q, %v, want %q", name, room, got.Text, err, texts[n])
			}
		}
	}
}

// TestRoom shows the counted parts. Each case has the smallest budget that fits, and one token
// less.
func TestRoom(t *testing.T) {
	t.Parallel()
	hi := []prompt.Line{{Role: llm.User, Text: "Hi."}}
	talk := []prompt.Line{{Role: llm.User, Text: "I climb."}, {Role: llm.User, Text: "I knock."},
		{Role: llm.User, Text: "I wait."}}
	system := "<story>SYS</story>\n"
	for _, tc := range []struct {
		reason  string
		pieces  prompt.Scene
		card    string // examples
		in      prompt.Input
		fits    string
		without string // in a budget smaller by one; empty: a budget error
	}{
		{reason: "what is required fits as it is written, whatever other roles would cost",
			in: prompt.Input{History: hi}, fits: system + "<newest>Hi.</u>\n<go>"},
		{reason: "lore costs what it adds to the story, no frame of a message",
			pieces: prompt.Scene{Lore: []prompt.Lore{{Text: "L", Position: "before"}}},
			in:     prompt.Input{History: hi},
			fits:   "<story>SYSL</story>\n<newest>Hi.</u>\n<go>", without: system + "<newest>Hi.</u>\n<go>"},
		{reason: "examples cost their turns, not the names of their messages",
			card: "{{user}}: q", in: prompt.Input{History: hi},
			fits:    system + "<u>q</u>\n<newest>Hi.</u>\n<go>",
			without: system + "<newest>Hi.</u>\n<go>"},
		{reason: "the slack stays free once history has to go",
			in:      prompt.Input{History: talk, TrimSlack: 1},
			fits:    system + "<u>I climb.</u>\n<u>I knock.</u>\n<newest>I wait.</u>\n<go>",
			without: system + "<u>I knock.</u>\n<newest>I wait.</u>\n<go>"},
		{reason: "a slack that is larger than the room costs all optional history, no more",
			in:      prompt.Input{History: talk, TrimSlack: 1000},
			fits:    system + "<u>I climb.</u>\n<u>I knock.</u>\n<newest>I wait.</u>\n<go>",
			without: system + "<newest>I wait.</u>\n<go>"},
	} {
		env := names
		env.Card.Examples = tc.card
		tc.pieces.System = "SYS"
		context := tavern.ContextTemplate{Story: "{{system}}{{wiBefore}}"}
		for less, want := range []string{tc.fits, tc.without} {
			budget := prompt.Budget{Context: 3 + utf8.RuneCountInString(tc.fits) - less, Counter: runes{}}
			got, err := tavern.Render(tc.pieces, tc.in, env, budget, context, uneven())
			if want == "" {
				if e, ok := errors.AsType[*prompt.BudgetError](err); !ok || len(e.Required) != 2 {
					t.Errorf("%s: error %v, want one with both required parts", tc.reason, err)
				}
				continue
			}
			if err != nil || got.Text != want {
				t.Errorf("%s: %q, %v, want %q", tc.reason, got.Text, err, want)
			}
		}
	}
}

// TestRoundsRollTheSame checks that a scene shows the first numbers of the source, however often it
// is rendered, and that no more are recorded.
func TestRoundsRollTheSame(t *testing.T) {
	t.Parallel()
	var history []prompt.Line
	for i := range 40 {
		history = append(history, prompt.Line{Role: llm.User, Text: fmt.Sprintf("line %d", i)})
	}
	for _, context := range []int{0, 200} {
		n := 0
		env := names
		env.Random = func() float64 { n++; return float64(n-1) / 10 }
		got, err := tavern.Render(prompt.Scene{System: "{{roll::d10}}"},
			prompt.Input{History: history}, env, prompt.Budget{Context: context, Counter: runes{}},
			tavern.ContextTemplate{Story: "{{system}} {{roll::d10}}"}, uneven())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(got.Text, "<story>1 2</story>") || len(got.Result.Draws) != 2 || n != 2 {
			t.Errorf("context %d: %q with %d draws of %d", context, got.Text[:20],
				len(got.Result.Draws), n)
		}
	}
}

func BenchmarkRenderTrimmed(b *testing.B) {
	var history []prompt.Line
	for i := range 1000 {
		role := []llm.Role{llm.User, llm.Assistant}[i%2]
		history = append(history, prompt.Line{Role: role, Text: strings.Repeat("The lamp turns. ", 8)})
	}
	chatML := tavern.ChatML()
	for b.Loop() {
		got, err := tavern.Render(prompt.Scene{System: "SYS"}, prompt.Input{History: history},
			names, prompt.Budget{Context: 4000, Response: 500},
			tavern.ContextTemplate{Story: "{{system}}"}, &chatML)
		if err != nil || got.Tokens > 3497 || got.Tokens < 3400 {
			b.Fatal(got.Tokens, err)
		}
	}
	b.ReportAllocs()
}
