package campaign_test

import (
	"context"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// A reply that its length or a filter cut off is unfinished: it is requested again. Its reasoning,
// its finish reason and the adapter's warnings stay in the record of the attempt.
func TestUnfinishedReplies(t *testing.T) {
	ctx := context.Background()
	for kind, finish := range map[string]llm.FinishReason{
		"truncated_output": llm.FinishLength, "filtered_output": llm.FinishContentFilter,
	} {
		t.Run(kind, func(t *testing.T) {
			g, problems := game.Compile(game.Content{})
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			model := llmtest.NewScripted(
				llmtest.Reply{Text: "The door opens and behi", Reasoning: "Let me think.", Finish: finish},
				llmtest.Text("The door opens."))
			store := &campaign.MemoryStore{}
			engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: model})
			if err != nil {
				t.Fatal(err)
			}
			setup := state.Setup{ID: "cut", Characters: []state.Character{
				{ID: "ann", Name: "Ann", HP: state.HP{Current: 5, Max: 5}}}}
			if _, err := engine.Create(ctx, setup); err != nil {
				t.Fatal(err)
			}
			out, err := engine.Turn(ctx, "cut", turn.Submit{Text: "I open the door."})
			if err != nil || out.Err() != nil {
				t.Fatal(err, out.Err())
			}
			if out.Turn.Text != "The door opens." || out.RetriesUsed != 1 {
				t.Errorf("text %q after %d retries", out.Turn.Text, out.RetriesUsed)
			}
			first := out.Attempts[0]
			if first.Finish != finish || first.Reasoning != "Let me think." ||
				len(first.Conflicts) != 1 || first.Conflicts[0].Kind != kind {
				t.Errorf("attempt %+v", first)
			}
			requests := model.Requests()
			last := requests[len(requests)-1].Messages
			if text := last[len(last)-1].Text; !strings.Contains(text, kind) {
				t.Errorf("the model is not told: %s", text)
			}
			for _, m := range last {
				if strings.Contains(m.Text+m.Reasoning, "Let me think") {
					t.Errorf("thinking is in the prompt: %s", m.Text)
				}
			}
			if _, err := engine.Rebuild(ctx, "cut"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestModelInstructionsAreRefused: an instruction that asks the model is refused with the first
// reason that applies, before the model is asked. Nothing changes.
func TestModelInstructionsAreRefused(t *testing.T) {
	t.Parallel()
	dead := turn.SetCharacter{CharacterID: "ren", Fields: value(t, `{"status": {"alive_state": "dead"}}`)}
	ended := turn.EndCampaign{Reason: state.GoalAchieved}
	gone := turn.SetParty{Members: []string{"mei"}, ActorID: "mei"}
	line := turn.Submit{ActorID: "ren", Text: "I wait."}
	for _, c := range []struct {
		before []turn.Input
		in     turn.Input
		want   state.RefusalCode
	}{
		{nil, turn.Continue{}, state.NoHeadTurn},
		{[]turn.Input{line}, turn.Continue{ExpectedHead: "turn_0009"}, state.StaleHead},
		{[]turn.Input{line, ended}, turn.Continue{}, state.CampaignEnded},
		{[]turn.Input{line, gone}, turn.Continue{}, state.ActorNotInParty},
		{[]turn.Input{line, dead}, turn.Continue{}, state.ActorCannotAct},
		{[]turn.Input{line}, turn.Proceed{ExpectedHead: "turn_0009"}, state.StaleHead},
		{[]turn.Input{ended}, turn.Proceed{}, state.CampaignEnded},
		{nil, turn.Proceed{Speaker: "nobody"}, state.UnknownSpeaker},
		{nil, turn.Proceed{Audience: []string{"nobody"}}, state.UnknownCharacter},
		{nil, turn.Proceed{ActorID: "nobody"}, state.ActorNotInParty},
		{[]turn.Input{dead}, turn.Proceed{}, state.ActorCannotAct},
		{nil, turn.Regenerate{}, state.NoHeadTurn},
		{[]turn.Input{line}, turn.Regenerate{ExpectedHead: "turn_0009"}, state.StaleHead},
		{[]turn.Input{line}, turn.Regenerate{Speaker: "nobody"}, state.UnknownSpeaker},
	} {
		m := begin(t, game.Content{})
		for _, in := range c.before {
			var texts []string
			if _, asks := turn.NeedsModel(in); asks {
				texts = []string{"Dust falls."}
			}
			play(t, m, in, texts...)
		}
		before := jsonOf(t, m.Campaign())
		if o := play(t, m, c.in); o.Status != turn.Refused || o.Reason != string(c.want) {
			t.Errorf("%+v: %s %s, want %s", c.in, o.Status, o.Reason, c.want)
		}
		if jsonOf(t, m.Campaign()) != before {
			t.Errorf("%+v: something changed", c.in)
		}
	}
	m := begin(t, game.Content{}, `{"settings": {"rollback.max_checkpoints": 0}}`)
	wantRefusal(t, m.Step(turn.MakeCheckpoint{Label: "here"}), state.RollbackUnavailable, "")
}
