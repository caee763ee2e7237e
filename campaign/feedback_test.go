package campaign_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt/card"
)

// TestCommandFeedbackSpeaksTheLanguageOfTheTexts: the next prompt reports refused commands in the
// language of the engine's texts. It counts the commands that it does not list.
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
			Game:  compile(t, game.Content{Extensions: game.Extensions{Texts: tt.texts}}),
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

// TestAnUnreadableDateIsToldInTheTrace: while the date cannot be read no time passes, and the trace
// of the turn has a warning.
func TestAnUnreadableDateIsToldInTheTrace(t *testing.T) {
	t.Parallel()
	for date, want := range map[string]bool{"the day of the fox": true, "3月15日": false} {
		e := newEngine(t, campaign.Config{Model: scripted("Fog.")},
			`{"variables": {"stat_data": {"world_shard": {}, "日期": "`+date+`"}}}`)
		o := turnOf(t, e, turn.Submit{Text: "I wait."})
		got := strings.Join(o.Turn.Trace.Warnings, "\n")
		if strings.Contains(got, "no time passes") != want {
			t.Errorf("%s: the warnings are %q", date, got)
		}
	}
}

// TestFeedbackOfWhatIsPossible: if no tool may be called, the feedback lists no allowed tool
// (CA-18).
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

// TestResultsOfRepeatedIDs: each of several native calls with the same ID gets its own result
// (CA-15).
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

// TestCommandsAlone: an answer with only commands is applied, and the model is asked for the
// narration, as after calls. No retry is used, and nothing is written twice (CA-15, MV-17).
func TestCommandsAlone(t *testing.T) {
	t.Parallel()
	const vars = `{"variables": {"stat_data": {"hours": 3}, "play_character_data": {"货币段": {"积分": 10}}}}`
	chinese := game.Chinese()
	for _, c := range []struct {
		name    string
		setup   string
		content game.Content
		outputs []string
		want    []string // in the last request
		state   string
	}{
		{"one command", `{}`, game.Content{}, []string{"set_attribute('货币段.积分', 7);", "You pay."},
			[]string{"set_attribute('货币段.积分', 7);", "The changes are made"}, `{"hours":3} {"货币段":{"积分":7}}`},
		{"in Chinese", `{}`, game.Content{Extensions: game.Extensions{Texts: &chinese}}, []string{"set_attribute('货币段.积分', 7);", "你付了钱。"},
			[]string{"修改已经生效"}, `{"hours":3} {"货币段":{"积分":7}}`},
		{"two rounds", `{}`, game.Content{}, []string{"set_attribute('货币段.积分', 7);", "<updateMemory>\nset_status('hours', 4);\n</updateMemory>", "You pay."},
			[]string{"The changes are made"}, `{"hours":4} {"货币段":{"积分":7}}`},
		{"one of them refused", `{}`, game.Content{}, []string{"set_status('hours', 'many');\nset_attribute('货币段.积分', 7);", "You pay."},
			[]string{"The changes are made", "were refused", "the field holds a number"}, `{"hours":3} {"货币段":{"积分":7}}`},
		{"the planning phase", `{"settings": {"turn.mode": "plan_narrate"}}`, game.Content{}, []string{"set_status('hours', 4);", "You pay."},
			[]string{"The changes are made", "Now narrate"}, `{"hours":4} {"货币段":{"积分":10}}`},
		{"a member of a cast", `{}`, game.Content{People: game.People{Cast: []game.CastMember{{CharacterID: "mei", Card: &card.Card{Name: "Mei"}}}}},
			[]string{"set_status('hours', 4);", "Mei nods."}, []string{"The changes are made"}, `{"hours":4} {"货币段":{"积分":10}}`},
	} {
		cfg := campaign.Config{Game: compile(t, c.content), Model: scripted(c.outputs...)}
		seen := observed(&cfg)
		e := newEngine(t, cfg, vars, c.setup)
		o := turnOf(t, e, turn.Submit{Text: "I pay."})
		if o.Status != turn.Completed || o.RetriesUsed != 0 || o.Turn.Text != c.outputs[len(c.outputs)-1] || len(*seen) != len(c.outputs) {
			t.Errorf("%s: %s", c.name, jsonOf(t, o))
			continue
		}
		wantHas(t, c.name, requestText((*seen)[len(*seen)-1]), c.want...)
		doc := campaignOf(t, e).State.Variables.Root()
		if got := doc.Get("stat_data").String() + " " + doc.Get("play_character_data").String(); got != c.state {
			t.Errorf("%s: the variables are %s", c.name, got)
		}
		rebuilt(t, e)
	}
}

// TestOnlyCommandsForEver: a model that never narrates ends as a conflict. The conflict says so,
// instead of reporting a contradiction. No change stays.
func TestOnlyCommandsForEver(t *testing.T) {
	t.Parallel()
	outputs := slices.Repeat([]string{"set_status('hours', 4);"}, 8)
	cfg := campaign.Config{Model: scripted(outputs...)}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"variables": {"stat_data": {"hours": 3}}, "settings": {"turn.max_tool_rounds": 2, "retry.max_retries": 1}}`)
	o := turnOf(t, e, turn.Submit{Text: "I wait."})
	if o.Status != turn.Conflict || o.Report.Conflicts[0].Kind != conflict.EmptyOutput {
		t.Fatal(jsonOf(t, o))
	}
	if got := campaignOf(t, e).State.Variables.Root().Get("stat_data").String(); got != `{"hours":3}` {
		t.Errorf("the variables are %s", got)
	}
	last := requestText((*seen)[len(*seen)-1])
	wantHas(t, "the last request", last, "cannot be used as it is", "The output is empty")
	if strings.Contains(last, "contradicts") {
		t.Errorf("told of a contradiction:\n%s", last)
	}
}
