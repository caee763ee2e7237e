package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
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
