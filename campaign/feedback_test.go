package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// TestCommandFeedbackSpeaksTheLanguageOfTheTexts: what the next prompt says about refused
// commands is in the language of the engine's texts, and counts those it does not list.
func TestCommandFeedbackSpeaksTheLanguageOfTheTexts(t *testing.T) {
	t.Parallel()
	chinese := game.Chinese()
	for _, tt := range []struct {
		texts *game.Texts
		want  []string
	}{
		{nil, []string{"the field holds a number", "and 5 more: unknown_command 5"}},
		{&chinese, []string{"该字段的类型是数字", "另有 5 条：unknown_command 5"}},
	} {
		cfg := campaign.Config{
			Game:  compile(t, game.Content{Texts: tt.texts}),
			Model: scripted("Fog.\nset_status('hours', 'many')\n"+strings.Repeat("*.foo(1);\n", 19), "Rain."),
		}
		requests := observed(&cfg)
		e := newEngine(t, cfg, `{"variables": {"stat_data": {"hours": 3}}}`)
		turnOf(t, e, turn.Submit{Text: "I wait."})
		turnOf(t, e, turn.Submit{Text: "I wait on."})
		prompt := requestText((*requests)[len(*requests)-1])
		for _, want := range tt.want {
			if !strings.Contains(prompt, want) {
				t.Errorf("the prompt lacks %q", want)
			}
		}
	}
}

// TestAnUnreadableDateIsToldInTheTrace: while the date cannot be read no time passes, and
// the trace of the turn warns of it.
func TestAnUnreadableDateIsToldInTheTrace(t *testing.T) {
	t.Parallel()
	for date, want := range map[string]bool{"the day of the fox": true, "3月15日": false} {
		e := newEngine(t, campaign.Config{Model: scripted("Fog.")},
			`{"variables": {"stat_data": {"world_shard": {}, "日期": "`+date+`"}}}`)
		o := turnOf(t, e, turn.Submit{Text: "I wait."})
		got := strings.Join(o.Turn.Trace.Warnings, "\n")
		if strings.Contains(got, "time stands still") != want {
			t.Errorf("%s: the warnings are %q", date, got)
		}
	}
}

// TestFeedbackOfWhatIsPossible: where no tool may be called, the model is told of none that is allowed (CA-18).
func TestFeedbackOfWhatIsPossible(t *testing.T) {
	t.Parallel()
	for setup, want := range map[string]string{
		`{}`: `"allowed_tools":["hp_delta","move"]`,
		`{"settings": {"dialog.manual_type": "rules"}}`: `"allowed_tools":[]`,
		`{"settings": {"turn.mode": "plan_narrate"}}`:   `"allowed_tools":[]`,
	} {
		cfg := campaign.Config{Model: scripted(output("", moveHall), output("You wait.", `{"tool": "fly", "args": {}}`), "You wait.")}
		seen := observed(&cfg)
		wantOutcome(t, turnOf(t, newEngine(t, cfg, setup), turn.Submit{Text: "I go."}), "completed turn_0001")
		last := (*seen)[2].Messages
		wantHas(t, setup, last[len(last)-1].Message.Text, "fly", want)
	}
}

// TestResultsOfRepeatedIDs: each of several native calls with one id is answered by its own result (CA-15).
func TestResultsOfRepeatedIDs(t *testing.T) {
	t.Parallel()
	call := llm.ToolCall{ID: "n1", Name: "hp_delta", Arguments: `{"target_character_id": "ren", "delta": -1, "cause": "a trap"}`}
	cfg := campaign.Config{Model: llmtest.NewScripted(llmtest.Reply{Calls: []llm.ToolCall{call, call}}, llmtest.Text("You lose 1 hit point."))}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"retry.on_rejection": "commit_partial"}}`)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I go."}), "completed turn_0001")
	last := (*seen)[1].Messages
	wantHas(t, "the first answer", last[len(last)-2].Message.Text, `"hp_after":9`)
	wantHas(t, "the second answer", last[len(last)-1].Message.Text, "duplicate_call_id")
}
