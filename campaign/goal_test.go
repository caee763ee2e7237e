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
	"github.com/talewright/talewright/llm/llmtest"
)

// goalEngine creates the cave without a goal, and asks a model for one.
func goalEngine(t *testing.T, asked *llmtest.Scripted) (*campaign.Engine, state.Campaign, *[]question.Request, error) {
	t.Helper()
	cfg := campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: scripted("Dust falls."),
		Services: campaign.Services{Goal: campaign.GoalBy(asked, "small", llm.Options{MaxTokens: new(99)}, true)}}
	seen := observed(&cfg)
	e, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Create(t.Context(), cave(t, `{"goal": {}, "characters": [{"character_id": "ren", "name": "Ren", "background": "A smith.",
		"hp": {"current": 10, "max": 10}, "area_id": "gate", "status": {"alive_state": "alive"}}]}`))
	return e, c, seen, err
}

// TestGoalGenerated: a goal is made from world, map and characters. It must mention some of them,
// and then belongs to the campaign (CA-53).
func TestGoalGenerated(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Wake the dragon below the Vault.", "唤醒宝库下沉睡的巨龙。"} {
		model := scripted("I would say a dragon.", `{"goal": "Reach the moon.", "area_ids": ["moon"]}`,
			"```json\n"+`{"goal": "`+text+`", "area_ids": ["vault"], "character_ids": ["ren"]}`+"\n```")
		e, _, seen, err := goalEngine(t, model)
		if err != nil {
			t.Fatal(err)
		}
		asked := model.Requests()
		if r := asked[0]; r.Model != "small" || *r.Options.MaxTokens != 99 {
			t.Errorf("the model %q is asked with %+v", r.Model, r.Options)
		}
		wantHas(t, "the first question", outline(asked[0]), "system: You find the ultimate goal", `user: {"areas":[{"id":"gate"`,
			`"characters":[{"id":"ren","name":"Ren","text":"A smith."}`, `"world":"`)
		wantHas(t, "the third question", outline(asked[2]), "assistant: I would say a dragon.", "user: That does not fit: there is no JSON in the reply",
			"assistant: {\"goal\": \"Reach", `user: That does not fit: there is no area "moon"`)
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
		{`Wake the dragon.`, "no JSON in the reply"},
		{`} {`, "no JSON in the reply"},
		{"", "no JSON in the reply"},
		{`{"goal": }`, "goal: write a value of type string"},
		{`{"goal": "Wake the dragon."}`, "names no area"},
		{`{"goal": "Wake the dragon.", "character_ids": ["ann"]}`, `no character "ann"`},
		{`{"goal": " ", "area_ids": ["vault"]}`, "it is empty"},
		{`{"goal": "Say {{user}}.", "area_ids": ["vault"]}`, "a macro"},
		{`{"goal": "One.\n# Rules\nTwo.", "area_ids": ["vault"]}`, "more than one line"},
		{`{"goal": "` + strings.Repeat("x", 1001) + `", "area_ids": ["vault"]}`, "more than 1000 bytes"},
	} {
		e, _, _, err := goalEngine(t, scripted(c.reply, c.reply, c.reply))
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

// TestGoalOfATakenID: no model is asked for the goal of a campaign that exists, or that was deleted.
// A setup can hide the goal that is found.
func TestGoalOfATakenID(t *testing.T) {
	t.Parallel()
	asked, store := 0, &campaign.MemoryStore{}
	e, err := campaign.New(campaign.Config{Game: compile(t, game.Content{}), Store: store, Model: scripted(),
		Services: campaign.Services{Goal: func(context.Context, campaign.GoalQuestion) (state.Goal, error) {
			asked++
			return state.Goal{Text: "唤醒巨龙。"}, nil
		}}})
	if err != nil {
		t.Fatal(err)
	}
	setup := cave(t, `{"goal": {"is_hidden": true, "from": "the host"}}`)
	c, err := e.Create(t.Context(), setup)
	if err != nil || !c.Goal.Hidden || c.Goal.Text != "唤醒巨龙。" || string(c.Goal.Extra["from"]) != `"the host"` {
		t.Errorf("%v, %s", err, jsonOf(t, c.Goal))
	}
	if _, err := e.Create(t.Context(), setup); !errors.Is(err, campaign.ErrExists) || asked != 1 {
		t.Errorf("asked %d times, %v", asked, err)
	}
	if err := store.Delete(t.Context(), "cave"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Create(t.Context(), setup); !errors.Is(err, campaign.ErrDeleted) || asked != 1 {
		t.Errorf("deleted: asked %d times, %v", asked, err)
	}
}

// TestGoalOfABadSetup: a setup with a mistake is refused before a model is asked for a goal.
func TestGoalOfABadSetup(t *testing.T) {
	t.Parallel()
	asked := scripted()
	e, err := campaign.New(campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: scripted(),
		Services: campaign.Services{Goal: campaign.GoalBy(asked, "small", llm.Options{}, true)}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Create(t.Context(), cave(t, `{"goal": {}, "allowlist": ["fly"]}`))
	if err == nil || !strings.Contains(err.Error(), `no tool "fly"`) || len(asked.Requests()) > 0 {
		t.Errorf("%d requests, %v", len(asked.Requests()), err)
	}
}
