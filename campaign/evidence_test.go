package campaign_test

import (
	"context"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// playOnce plays one turn of a campaign with two characters, one scripted reply and no retries. It
// returns the kinds of conflict at the end.
func playOnce(t *testing.T, setup state.Setup, reply string) []string {
	t.Helper()
	ctx := context.Background()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	model := llmtest.NewScripted(llmtest.Text(reply), llmtest.Text(reply), llmtest.Text(reply))
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	setup.ID = "evidence"
	if _, err := engine.Create(ctx, setup); err != nil {
		t.Fatal(err)
	}
	outcome, err := engine.Turn(ctx, setup.ID, turn.Submit{Text: "Go on."})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	if outcome.Report != nil {
		for _, c := range outcome.Report.Conflicts {
			kinds = append(kinds, c.Kind+" "+c.EntityID)
		}
	}
	return kinds
}

// An accepted call is evidence about its own character, and its amount for one claim.
func TestEvidenceOfOneCallSupportsOneClaim(t *testing.T) {
	setup := state.Setup{Characters: []state.Character{
		{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}},
		{ID: "aya", Name: "阿雅", HP: state.HP{Current: 8, Max: 8}},
	}, World: state.World{Rules: []state.WorldRule{
		{ID: "curfew", Text: "Nobody walks at night.", Keywords: []string{"curfew"}},
	}}}
	const scratch = `"tool_calls": [{"tool": "hp_delta", "args": {"target_character_id": "ann", "delta": -5, "cause": "a cat"}}]`
	for _, c := range []struct{ name, reply, want string }{
		{"settled once, told once", `{"text": "Ann loses 5 hit points.", ` + scratch + `}`, ""},
		{"settled once, told twice", `{"text": "Ann loses 5 hit points. Ann loses 5 hit points again.", ` + scratch + `}`,
			"hp_amount_mismatch ann"},
		{"a scratch is nobody else's death", `{"text": "阿雅死了。", ` + scratch + `}`, "life_state_unsettled aya"},
		{"a rule is named by its keyword", "The curfew has been abolished.", "world_rule_rewrite curfew"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got string
			if kinds := playOnce(t, setup, c.reply); len(kinds) > 0 {
				got = kinds[0]
			}
			if got != c.want {
				t.Errorf("%s\ngot conflict %q, want %q", c.reply, got, c.want)
			}
		})
	}
}
