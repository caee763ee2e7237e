package observe_test

import (
	"context"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// mill is a game with every kind of moment.
func mill() game.Content {
	flour := worldbook.Entry{Probability: 100, GroupWeight: 100, UID: "1", Comment: "canary-comment",
		Keys: []string{"flour"}, Content: "canary-lore: the flour is grey."}
	return game.Content{
		Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "mill", Entries: []worldbook.Entry{flour}}}}},
		Rules: game.Rules{
			Variables: []rules.Variable{{ID: "dust", Type: rules.TypeNumber},
				{ID: "culprit", Type: rules.TypeString, Default: tree.Text("canary-variable")}},
			Rules: []rules.Rule{{ID: "dusty", Trigger: &rules.Trigger{Type: rules.EveryTurn},
				Actions: effect.Actions{effect.SetVariable{Path: "dust", Operation: effect.Add, Value: tree.Int(1)}}}},
			Hooks: []hooks.Hook{{ID: "greet", Name: "canary-hook", Event: hooks.On(string(act.BeforeModelCall))}},
		},
	}
}

// answers contain two bad outputs: a call of an unknown tool with a refused call, then a claim
// without evidence. The third is accepted.
func answers() *llmtest.Scripted {
	usage := &llm.Usage{PromptTokens: 900, CompletionTokens: 30, CachedTokens: 500}
	call := func(text string, calls ...llm.ToolCall) llmtest.Reply {
		return llmtest.Reply{Text: text, Calls: calls, Usage: usage}
	}
	return llmtest.NewScripted(
		call("canary-reply: you go to the moon.", llm.ToolCall{ID: "canary-call", Name: "canary-tool", Arguments: `{"x":"canary-argument"}`},
			llm.ToolCall{ID: "c2", Name: "move", Arguments: `{"actor_id":"ann","to_area_id":"canary-moon"}`}),
		llmtest.Text("The canary door falls on Ann. Ann loses 3 hp."),
		call("The canary door falls on Ann, who loses 3 hp.", llm.ToolCall{ID: "canary-id", Name: "hp_delta",
			Arguments: `{"target_character_id":"ann","delta":-3,"cause":"canary door"}`}),
	)
}

// ticking is a clock that advances by a millisecond on every reading.
func ticking() func() time.Time {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time {
		at = at.Add(time.Millisecond)
		return at
	}
}

// opened returns an engine with the campaign "mill".
func opened(t testing.TB, cfg campaign.Config) *campaign.Engine {
	t.Helper()
	if cfg.Game == nil {
		g, problems := game.Compile(mill())
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		cfg.Game = g
	}
	if cfg.Store == nil {
		cfg.Store = &campaign.MemoryStore{}
	}
	if cfg.Model == nil {
		cfg.Model = answers()
	}
	cfg.Now, cfg.Clock = ticking(), ticking()
	e, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Create(t.Context(), state.Setup{
		ID:         "mill",
		Map:        state.Map{Areas: []state.MapArea{{ID: "yard", Name: "Yard"}}},
		Characters: []state.Character{{ID: "ann", Name: "Ann", AreaID: "yard", HP: state.HP{Current: 10, Max: 10}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

var line = turn.Submit{ActorID: "ann", Text: "canary-line: I carry the flour.", ClientTurnID: "c-1"}

// play plays the turn.
func play(t testing.TB, e *campaign.Engine) turn.Outcome {
	t.Helper()
	o, err := e.Turn(t.Context(), "mill", line)
	if err != nil || o.Err() != nil {
		t.Fatal(err, o.Err())
	}
	return o
}

// recorder stores what it receives.
type recorder struct {
	places  []observe.Place
	moments []observe.Moment
}

func (r *recorder) Observe(ctx context.Context, p observe.Place, m observe.Moment) context.Context {
	r.places, r.moments = append(r.places, p), append(r.moments, m)
	return ctx
}
