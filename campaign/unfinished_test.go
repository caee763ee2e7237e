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
