package campaign_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/rules/effect"
)

// recipes are typical hooks of authors.
const recipes = `[
	{"id": "comfort", "name": "comfort when sad", "event": "character.before_turn.finished",
		"conditions": {"mood_is": "sad"}, "actions": [{"type": "prompt_inject", "content": "Comfort her."}]},
	{"id": "night", "name": "night mode", "event": "character.before_turn.finished", "priority": 20,
		"conditions": {"time_range": ["22:00", "06:00"]}, "actions": [
			{"type": "prompt_inject", "content": "Speak softly."}, {"type": "state_delta", "field": "energy", "delta": -5}]},
	{"id": "gift", "name": "five actions", "event": "character.before_turn.started",
		"conditions": {"affection_lt": 80}, "actions": [
			{"type": "relationship_delta", "payload": {"affection": 5, "trust": 2}},
			{"type": "state_delta", "field": "mood", "delta": "sad"},
			{"type": "memory_write", "content": "A gift!"},
			{"type": "message", "content": "Thank you!"},
			{"type": "workflow", "workflow_id": "confetti"}]},
	{"id": "milestone", "name": "milestone", "event": "relationship.changed", "conditions": {"affection_gte": 80},
		"trigger_mode": "once_per_conversation", "actions": [
			{"type": "log", "level": "info", "message": "close"},
			{"type": "world_book_add", "book_id": "lore", "content": "They are close friends.", "keywords": ["friend"]}]},
	{"id": "tired", "name": "low energy", "event": ["character.after_turn.*", "state.changed"],
		"conditions": {"energy_lte": 20}, "actions": [{"type": "message", "content": "She yawns."}]},
	{"id": "mara", "name": "for one character", "event": "reply.before_send", "scope": "character", "character_id": "mara",
		"actions": [{"type": "message", "content": "Mara waves."}]},
	{"id": "orin", "name": "for another", "event": "reply.before_send", "scope": "character", "character_id": "orin",
		"actions": [{"type": "message", "content": "Orin waves."}]},
	{"id": "web", "name": "greeting by channel", "event": "conversation.before_receive", "conditions": {"channel": ["web", "qq"]},
		"actions": [{"type": "prompt_inject", "content": "Say hello to the web."}]},
	{"id": "calls", "name": "log of model calls", "event": "character.model.generated",
		"actions": [{"type": "log", "level": "debug", "message": "the model answered"}]},
	{"id": "all", "name": "everything", "event": "*", "priority": 999, "actions": [{"type": "log", "message": "something"}]}]`

// TestRecipesPlay: typical hooks work with the whole engine, with one service of the host missing.
// Every event has the IDs, the channel and the live values that hooks use.
func TestRecipesPlay(t *testing.T) {
	t.Parallel()
	list, problems := hooks.Parse([]byte(recipes))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var logged []string
	model := scripted("She smiles.", "She nods.")
	e := newEngine(t, campaign.Config{Model: model, Game: compile(t, game.Content{Rules: game.Rules{Hooks: list}}),
		Services: campaign.Services{Sinks: act.Sinks{
			Log: func(_ context.Context, call act.Call, line effect.WriteLog) error {
				logged = append(logged, line.Level+" "+line.Message)
				return nil
			},
			Memory: func(context.Context, act.Call, effect.WriteMemory) error {
				return &act.Failure{Code: act.CodeUnavailable, Detail: "no memory here"}
			},
		}}}, `{"characters": [
		{"character_id": "ren", "name": "Ren", "hp": {"current": 10, "max": 10}, "area_id": "gate"},
		{"character_id": "mara", "name": "Mara", "hp": {"current": 10, "max": 10}, "area_id": "gate",
			"mood_state": {"mood": "calm", "energy": 24}, "relationship": {"affection": 78, "trust": 50}}]}`)
	first := turnOf(t, e, turn.Submit{Text: "I bring flowers.", Channel: "web", At: time.Date(2026, 5, 1, 23, 0, 0, 0, time.UTC)})
	second := turnOf(t, e, turn.Submit{Text: "Hello, friend.", Channel: "telegram", At: time.Date(2026, 5, 2, 12, 0, 0, 0, time.UTC)})

	prompts := make([]string, 2)
	for i, r := range model.Requests() {
		prompts[i] = fmt.Sprint(r.Messages)
	}
	for _, tc := range []struct {
		reason, text string
		want         []bool // by turn
	}{
		{"sad since the gift, and still so", "Comfort her.", []bool{true, true}},
		{"at night", "Speak softly.", []bool{true, false}},
		{"on the web", "Say hello to the web.", []bool{true, false}},
		{"what the milestone wrote lights up by its keyword", "They are close friends.", []bool{false, true}},
	} {
		for i, want := range tc.want {
			if strings.Contains(prompts[i], tc.text) != want {
				t.Errorf("%s: %q in the prompt of turn %d: %v", tc.reason, tc.text, i+1, !want)
			}
		}
	}
	if want := []string{"Thank you!", "Mara waves.", "She yawns."}; !sameTexts(first.Messages, want) {
		t.Errorf("turn 1 says %q", first.Messages)
	}
	if want := []string{"Mara waves.", "She yawns."}; !sameTexts(second.Messages, want) {
		t.Errorf("turn 2 says %q", second.Messages)
	}
	if !slices.ContainsFunc(first.Host, func(c effect.Attributed) bool {
		w, ok := c.Effect.(effect.StartWorkflow)
		return ok && w.Workflow == "confetti"
	}) {
		t.Errorf("the host is to do %v", first.Host)
	}
	if want := []string{"info something", "info close", "debug the model answered", "info something", "debug the model answered"}; !sameTexts(logged, want) {
		t.Errorf("logged %q", logged)
	}
	statuses := map[string]act.Status{}
	for _, l := range first.Turn.Trace.Hooks {
		statuses[l.HookID] = l.Status
	}
	if statuses["gift"] != act.StatusPartial || statuses["milestone"] != act.StatusSuccess || statuses["orin"] != "" {
		t.Errorf("statuses %v", statuses)
	}
	mara, _ := campaignOf(t, e).State.Character("mara")
	if got := mara.Mood.String() + mara.Relationship.String(); got != `{"mood":"sad","energy":19}{"affection":83,"trust":52}` {
		t.Errorf("mara is %s", got)
	}
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}

// sameTexts compares without regard to order.
func sameTexts(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}
