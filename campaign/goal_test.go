package campaign_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
)

// goalEngine creates the cave without a goal, and asks a model for one.
func goalEngine(t *testing.T, replies ...string) (*campaign.Engine, state.Campaign, *[]question.Request, error) {
	t.Helper()
	cfg := campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: scripted("Dust falls."),
		Services: campaign.Services{Goal: campaign.GoalBy(scripted(replies...), "", llm.Options{}, true)}}
	seen := observed(&cfg)
	e, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Create(t.Context(), cave(t, `{"goal": {}}`))
	return e, c, seen, err
}

// TestGoalGenerated: a goal is made from world, map and characters. It must mention some of them,
// and then belongs to the campaign (CA-53).
func TestGoalGenerated(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Wake the dragon below the Vault.", "唤醒宝库下沉睡的巨龙。"} {
		e, _, seen, err := goalEngine(t, "I would say a dragon.", `{"goal": "Reach the moon.", "area_ids": ["moon"]}`,
			"```json\n"+`{"goal": "`+text+`", "area_ids": ["vault"], "character_ids": ["ren"]}`+"\n```")
		if err != nil {
			t.Fatal(err)
		}
		if c := campaignOf(t, e); c.Goal.Text != text || !c.Goal.Hidden {
			t.Errorf("the goal is %+v", c.Goal)
		}
		turnOf(t, e, turn.Submit{Text: "I look."})
		wantHas(t, "the prompt", blocks((*seen)[0])["goal"], text)
		wantExact(t, e)
	}
}

// TestGoalRefused: an unsuitable text is not a goal, and no campaign is stored with it (CA-53).
func TestGoalRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reply, want string }{
		{`Wake the dragon.`, "not a JSON object"},
		{`{"goal": "Wake the dragon."}`, "names no area"},
		{`{"goal": "Wake the dragon.", "character_ids": ["ann"]}`, `no character "ann"`},
		{`{"goal": " ", "area_ids": ["vault"]}`, "it is empty"},
		{`{"goal": "Say {{user}}.", "area_ids": ["vault"]}`, "a macro"},
		{`{"goal": "One.\n# Rules\nTwo.", "area_ids": ["vault"]}`, "more than one line"},
		{`{"goal": "` + strings.Repeat("x", 1001) + `", "area_ids": ["vault"]}`, "more than 1000 bytes"},
	} {
		e, _, _, err := goalEngine(t, c.reply, c.reply, c.reply)
		if !errors.Is(err, campaign.ErrNoGoal) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.reply, err, c.want)
		}
		if _, err := e.Campaign(t.Context(), "cave"); !errors.Is(err, campaign.ErrNotFound) {
			t.Errorf("%s: something is stored: %v", c.reply, err)
		}
	}
}

// TestGoalOfTheSetup: an existing goal stays, and no model is asked.
func TestGoalOfTheSetup(t *testing.T) {
	t.Parallel()
	asked := false
	e := newEngine(t, campaign.Config{Model: scripted(), Services: campaign.Services{Goal: func(context.Context, campaign.GoalQuestion) (state.Goal, error) {
		asked = true
		return state.Goal{Text: "Another one."}, nil
	}}})
	if c := campaignOf(t, e); asked || !strings.Contains(c.Goal.Text, "dragon") {
		t.Errorf("asked %v, %q", asked, c.Goal.Text)
	}
}
