package campaign_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// TestContinuationEndsTheCampaign: a party that falls in the continuation of a reply is as defeated as one that
// falls in a turn.
func TestContinuationEndsTheCampaign(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted("It grows dark.", output("You are struck.", hurt("ren", "-10")))},
		`{"characters": [{"character_id": "ren", "name": "Ren", "hp": {"current": 10, "max": 10}, "status": {"alive_state": "alive"}}],
		"settings": {"conflict.mode": "off"}}`)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if o := do(t, e, turn.Continue{}); o.Err() != nil || hpOf(t, e, "ren") != 0 {
		t.Fatalf("%v, ren has %d", o.Err(), hpOf(t, e, "ren"))
	}
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I rise."}), "refused campaign_ended")
}

// TestNobodySpeaksInATurnWithoutALine: rules hear of no message of a player where none said anything.
func TestNobodySpeaksInATurnWithoutALine(t *testing.T) {
	t.Parallel()
	heard := func(id, what string) reactions.Reaction {
		return reactions.Reaction{ID: id, When: reactions.Pattern{EventType: what},
			Then: reactions.Effects{set(id, effect.Set, tree.Int(1))}}
	}
	e := newEngine(t, campaign.Config{Model: scripted("Dust falls.", "More dust."), Game: compile(t, game.Content{
		Reactions: []reactions.Reaction{heard("line", event.TypePlayerMessage), heard("reply", event.TypeModelMessage)}})})
	do(t, e, turn.Proceed{})
	if got := campaignOf(t, e).State.Variables.Root().String(); strings.Contains(got, `"line"`) || !strings.Contains(got, `"reply"`) {
		t.Errorf("without a line: %s", got)
	}
	turnOf(t, e, turn.Submit{Text: "I wait."})
	if got := campaignOf(t, e).State.Variables.Root().String(); !strings.Contains(got, `"line"`) {
		t.Errorf("with one: %s", got)
	}
}

// TestPrivateContextWaits: what a private turn sends to the next prompt waits for one that its witnesses read alone, and
// not more of it than fits.
func TestPrivateContextWaits(t *testing.T) {
	t.Parallel()
	var sent effect.Actions
	for i := range 70 {
		sent = append(sent, effect.SendContext{Message: fmt.Sprintf("OMEN-%d.", i)})
	}
	cfg := campaign.Config{Model: scripted("Hm.", "Hm.", "Hm.", "Hm."), Game: compile(t, game.Content{Rules: []rules.Rule{
		{ID: "omen", Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"raven"}}, Actions: sent}}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg, `{"settings": {"visibility.mode": "strict", "turn.order": "free"}}`)
	turnOf(t, e, turn.Submit{Text: "A raven!", ActorID: "ren", Audience: []string{"ren"}})
	turnOf(t, e, turn.Submit{Text: "I wait.", ActorID: "mei"})
	if got := askedText((*seen)[1]); strings.Contains(got, "OMEN") {
		t.Errorf("everybody reads:\n%s", got)
	}
	if n := len(campaignOf(t, e).State.Ledger.Pending); n != 64 {
		t.Errorf("%d contexts wait", n)
	}
	turnOf(t, e, turn.Submit{Text: "I look.", ActorID: "ren", Audience: []string{"ren"}})
	wantHas(t, "the prompt of the witness", askedText((*seen)[2]), "OMEN-69.")
	if n := len(campaignOf(t, e).State.Ledger.Pending); n != 0 {
		t.Errorf("%d contexts wait after they were read", n)
	}
}

// TestDepthPromptOfACastMemberOnce: the note of the speaker's card stands in the prompt once.
func TestDepthPromptOfACastMemberOnce(t *testing.T) {
	t.Parallel()
	members := three()
	members[1].Card.Extensions = map[string]json.RawMessage{
		"depth_prompt": json.RawMessage(`{"prompt": "Reed is drunk.", "depth": 1, "role": "system"}`)}
	m := begin(t, game.Content{Cast: members})
	step(t, m, turn.Submit{Text: "Reed?"})
	if got := ask(t, m); strings.Count(got, "Reed is drunk.") != 1 {
		t.Errorf("%d times in\n%s", strings.Count(got, "Reed is drunk."), got)
	}
}

// TestSkippedHooksAreInTheTrace: a hook that the limit of a turn kept from running is told with the turn.
func TestSkippedHooksAreInTheTrace(t *testing.T) {
	t.Parallel()
	note := func(id string) hooks.Hook {
		return hooks.Hook{ID: id, Name: id, Event: hooks.On(on.AfterTurnFinished),
			Actions: []act.Action{act.New("notify-player", tree.Member{Key: "message", Value: tree.Text(id)})}}
	}
	e := newEngine(t, campaign.Config{Model: scripted("Dust."), Game: compile(t, game.Content{
		Hooks: []hooks.Hook{note("one"), note("two")}, HookLimits: hooks.Limits{MaxHooksPerTurn: new(1)}})})
	got := jsonOf(t, turnOf(t, e, turn.Submit{Text: "I wait."}).Turn.Trace.Hooks)
	wantHas(t, "the trace", got, `"one"`, `"two"`, `"skipped"`)
}

// TestNoMacrosInTheWorldFromAModel: a host's tool that makes a place of a model's words makes none with a macro in it, and
// a rule may.
func TestNoMacrosInTheWorldFromAModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		want int
	}{{"Cellar", 5}, {"{{user}}s Cellar", 4}} {
		e := newEngine(t, campaign.Config{Model: scripted(`{"narration": "You look.", "tool_calls": [{"tool": "say", "args": {"text": "`+c.name+`"}}]}`, quiet),
			Game: compile(t, game.Content{Tools: []tool.Tool{puppet(func(text string) effect.List {
				return effect.List{effect.AddArea{ID: "cellar", Name: text}}
			})}})}, `{"allowlist": ["say"]}`)
		o := turnOf(t, e, turn.Submit{Text: "I look."})
		if got := len(campaignOf(t, e).State.Map.Areas); got != c.want {
			t.Errorf("%q: %d areas, refused %s", c.name, got, jsonOf(t, o.Turn.Trace.Refused))
		}
	}
}

// TestFeedbackIsSaidOnce: what was wrong with the commands of a reply stands in the next prompt, and not in the one after
// it.
func TestFeedbackIsSaidOnce(t *testing.T) {
	t.Parallel()
	picky := game.Dialect{Name: "picky", Read: func(text string, _ game.Scope) []game.Span {
		if at := strings.Index(text, "@gold"); at >= 0 {
			return []game.Span{{From: at, To: at + len("@gold"), Refused: "there is no gold here"}}
		}
		return nil
	}}
	cfg := campaign.Config{Model: scripted("Dust. @gold", "Dust.", "Dust."), Game: compile(t, game.Content{Dialects: []game.Dialect{picky}})}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	for n, want := range []int{0, 1, 0} {
		turnOf(t, e, turn.Submit{Text: "I wait."})
		if got := strings.Count(askedText((*seen)[n]), "there is no gold here"); got != want {
			t.Errorf("prompt %d says it %d times", n, got)
		}
	}
}
