package campaign_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// TestSetupIsCheckedWhole: all mistakes of a setup are reported at once, with their places.
func TestSetupIsCheckedWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, changes, want string }{
		{"no id", `{"campaign_id": " "}`, "campaign_id is missing"},
		{"nobody", `{"characters": []}`, "characters: no character can act"},
		{"unknown tool", `{"allowlist": ["move", "fly"]}`, `allowlist[1]: no tool "fly"`},
		{"reserved name", `{"variables": {"hp.ann": 5}}`, `variables: "hp.ann"`},
		{"policy", `{"milestone": {"advance_policy": {"type": "any"}}}`, `unknown type "any"`},
		{"negative policy", `{"milestone": {"advance_policy": {"n": -3}}}`, "n must not be negative, not -3"},
	} {
		_, err := turn.Begin(compile(t, game.Content{}), cave(t, c.changes))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestSetupTypeMistakes: members of a wrong type are reported in terms of JSON, each with its path
// and index.
func TestSetupTypeMistakes(t *testing.T) {
	t.Parallel()
	var s state.Setup
	err := json.Unmarshal([]byte(`{"campaign_id": 7, "created_at": "noon", "seed": 1.5,
		"characters": [{"character_id": "a", "hp": {"current": 3, "max": 3}}, {"hp": 3, "skills": [{"name": 1}]}],
		"map": {"areas": {"id": "x"}, "paths": [{"bidirectional": "yes"}]}, "goal": {"is_hidden": 1}}`), &s)
	if err == nil {
		t.Fatal("it was read")
	}
	for _, want := range []string{
		`campaign_id: must be a text, not the number 7`, `created_at: must be a time such as`,
		`seed: must be a whole number in range, not the number 1.5`, `characters[1].hp: must be an object, not the number 3`,
		`characters[1].skills[0].name: must be a text, not the number 1`, `map.areas: must be a list, not an object`,
		`map.paths[0].bidirectional: must be true or false, not a text`, `goal.is_hidden: must be true or false, not the number 1`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing from\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "state.HP") || strings.Contains(err.Error(), "Go ") {
		t.Errorf("it speaks Go: %v", err)
	}
}

// TestContentMistakes: content that would fail or be misread later is refused by Compile.
func TestContentMistakes(t *testing.T) {
	t.Parallel()
	with := func(change func(*tool.Tool)) game.Content {
		x := puppet(func(string) effect.List { return nil })
		change(&x)
		return game.Content{Extensions: game.Extensions{Tools: []tool.Tool{x}}}
	}
	for _, c := range []struct {
		name    string
		content game.Content
		want    string
	}{
		{"nil detector", game.Content{Extensions: game.Extensions{Detectors: []conflict.Named{{Name: "x"}}}}, "detectors[0]"},
		{"nil function", game.Content{Extensions: game.Extensions{Detectors: []conflict.Named{{Name: "x",
			Detector: conflict.DetectorFunc(nil)}}}}, "detectors[0]"},
		{"negative budget", game.Content{Prompt: game.Prompt{Budget: prompt.Budget{Context: -5}}}, "must not be negative"},
		{"no room", game.Content{Prompt: game.Prompt{Budget: prompt.Budget{Context: 100, Response: 100}}}, "fills the whole context"},
		{"tool name", with(func(x *tool.Tool) { x.Name = "say it" }), "no blanks"},
		{"blank name", with(func(x *tool.Tool) { x.Name = " " }), "lacks a name"},
		{"blank description", with(func(x *tool.Tool) { x.Description = "\n" }), "lacks a description"},
		{"unknown field", with(func(x *tool.Tool) { x.Affects = []string{"mana"} }), `affects[0]: "mana"`},
		{"nothing and more", with(func(x *tool.Tool) { x.Affects = []string{"hp", "none"} }), `affects[1]: "none"`},
		{"reason in another language only", with(func(x *tool.Tool) {
			x.Translations = map[string]tool.Translation{"zh": {Reasons: map[state.CallCode]string{"no": "不"}}}
		}), `the reason "no" in the language "zh"`},
		{"parameter in another language only", with(func(x *tool.Tool) {
			x.Translations = map[string]tool.Translation{"zh": {Params: map[string]string{"text[]": "一项"}}}
		}), `the parameter "text[]" in the language "zh"`},
		{"blank parameter", with(func(x *tool.Tool) {
			x.Translations = map[string]tool.Translation{"zh": {Params: map[string]string{"text": " "}}}
		}), `the parameter "text" in the language "zh"`},
		{"blank reason", with(func(x *tool.Tool) { x.Reasons = map[state.CallCode]string{"no": ""} }), `the reason "no"`},
	} {
		g, problems := game.Compile(c.content)
		err := problems.Err()
		if err == nil || g != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestCompileVets: the findings of the vet of rules are warnings, and the content runs.
func TestCompileVets(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{Rules: game.Rules{
		Variables: []rules.Variable{{ID: "gold", Type: rules.TypeNumber, Default: value(t, "1")}},
		Rules: []rules.Rule{{ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Conditions: []rules.Condition{},
			Actions: effect.Actions{effect.SetVariable{Path: "glod", Value: tree.Int(1)}}}},
	}})
	err := problems.Err()
	if err != nil || g == nil {
		t.Fatal(err)
	}
	if len(problems) == 0 || problems[0].Severity != talewright.Warning || !strings.Contains(problems[0].Text, "glod") {
		t.Errorf("problems %+v", problems)
	}
}

// TestNewWithoutParts: New returns no engine that would fail later.
func TestNewWithoutParts(t *testing.T) {
	t.Parallel()
	if e, err := campaign.New(campaign.Config{}); e != nil || err == nil {
		t.Errorf("%v, %v", e, err)
	}
}

// TestEngineThatOnlyReads: it needs no model, it shows what others play, and a turn on it fails.
func TestEngineThatOnlyReads(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	turnOf(t, newEngine(t, campaign.Config{Store: store, Model: scripted(quiet)}), turn.Submit{Text: "I wait."})
	reader, err := campaign.New(campaign.Config{Store: store, Game: compile(t, game.Content{}), Model: campaign.NoModel})
	if err != nil {
		t.Fatal(err)
	}
	if c := campaignOf(t, reader); len(c.Turns) != 1 {
		t.Errorf("%d turns", len(c.Turns))
	}
	wantOutcome(t, turnOf(t, reader, turn.Submit{Text: "I wait."}), "failed invalid_request")
}

// TestCreateTwice: the error says that the ID is taken, and is also the store's error.
func TestCreateTwice(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Model: scripted()})
	_, err := e.Create(t.Context(), cave(t))
	if !errors.Is(err, campaign.ErrExists) || !errors.Is(err, campaign.ErrVersionConflict) ||
		!strings.Contains(err.Error(), `"cave"`) || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("%v", err)
	}
}

// TestToolPanicIsLogged: a panic in a tool refuses the call. The host's logger gets its value and
// its place.
func TestToolPanicIsLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	e := newEngine(t, campaign.Config{
		Game: compile(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(string) effect.List {
			panic("the dice are gone")
		})}}}),
		Model:  scripted(`{"tool_calls": [{"tool": "say", "args": {"text": "x"}}]}`, quiet),
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}, `{"allowlist": ["say"]}`)
	out := turnOf(t, e, turn.Submit{Text: "I wait."})
	if got := out.Attempts[0].FailedCalls; len(got) != 1 || got[0].Reason != "internal_error" {
		t.Errorf("refused %+v", got)
	}
	for _, want := range []string{"the dice are gone", "tool=say", "mistakes_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not in the log:\n%s", want, log.String())
		}
	}
	if strings.Contains(jsonOf(t, out), "dice are gone") {
		t.Error("the model or the player hears of the panic")
	}
}

// TestToolPanicInARefusedOverrideIsLogged: the instruction leaves nothing but one line in the log.
func TestToolPanicInARefusedOverrideIsLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	e := newEngine(t, campaign.Config{
		Game: compile(t, game.Content{Extensions: game.Extensions{Tools: []tool.Tool{puppet(func(string) effect.List {
			panic("the dice are gone")
		})}}}),
		Model:  scripted("You lose 3 HP.", quiet),
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}, `{"allowlist": ["say"], "settings": {"retry.max_retries": 0}}`)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	_, err := e.Do(t.Context(), "cave", turn.ResolveConflict{Decision: state.DecideOverride, Text: "Dust falls.",
		ToolCalls: value(t, `[{"tool": "say", "args": {"text": "x"}}]`)})
	r, ok := errors.AsType[*state.Refusal](err)
	if !ok || r.Code != state.OverrideRejected || r.FailedCalls[0].Reason != "internal_error" {
		t.Errorf("refused: %v", err)
	}
	do(t, e, turn.ResolveConflict{Decision: state.DecideDiscard})
	turnOf(t, e, turn.Submit{Text: "I wait."})
	for _, want := range []string{"the dice are gone", "tool=say", "mistakes_test.go"} {
		if strings.Count(log.String(), want) != 1 && want != "mistakes_test.go" || !strings.Contains(log.String(), want) {
			t.Errorf("%q is not once in the log:\n%s", want, log.String())
		}
	}
}

// TestHooksAreVetted: a hook that compiles but is probably a mistake is a warning of Compile.
// Compile knows the events of campaigns and the events of package hooks.
func TestHooksAreVetted(t *testing.T) {
	t.Parallel()
	hook := func(event string) hooks.Hook {
		return hooks.Hook{ID: event, Name: event, Event: hooks.On(event),
			Actions: []act.Action{act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text("x")})}}
	}
	_, problems := game.Compile(game.Content{Rules: game.Rules{Hooks: []hooks.Hook{
		hook(game.EventTurnCommitted), hook(act.BeforeTurnStarted), hook("character.before_turn.startd"), hook("my.own")}}})
	err := problems.Err()
	if err != nil || len(problems) != 1 {
		t.Fatalf("%v, %v", problems, err)
	}
	p := problems[0]
	if p.Severity != talewright.Warning || !strings.Contains(p.Text, `"character.before_turn.started"`) || !strings.HasPrefix(p.Path, "hooks[2]") {
		t.Errorf("%+v", p)
	}
}

// failing returns a model that answers with an error.
type failing struct{ err error }

func (f failing) Generate(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) { yield(nil, f.err) }
}

// TestFailureReachesTheHost: the host gets what failed, the provider's message and the time to
// wait.
func TestFailureReachesTheHost(t *testing.T) {
	t.Parallel()
	cause := &llm.Error{Code: llm.CodeRateLimit, Status: 429, Message: "slow down",
		RetryAfter: 20 * time.Second, Retry: true}
	e := newEngine(t, campaign.Config{Model: failing{cause}})
	out := turnOf(t, e, turn.Submit{Text: "I wait."})
	f, ok := errors.AsType[*turn.Failure](out.Err())
	if !ok || f.Kind != turn.FailureModel || f.Code != turn.FailureCode(llm.CodeRateLimit) || !f.Retry ||
		f.RetryAfter != 20*time.Second || !errors.Is(out.Err(), cause) || !strings.Contains(f.Error(), "slow down") {
		t.Errorf("failure %+v, error %v", f, out.Err())
	}
	out = turnOf(t, e, turn.Submit{Text: " "})
	if r, ok := errors.AsType[*state.Refusal](out.Err()); !ok || r.Code != state.EmptyInput {
		t.Errorf("refused: %v", out.Err())
	}
	short := newEngine(t, campaign.Config{Model: scripted(quiet),
		Game: compile(t, game.Content{Prompt: game.Prompt{Budget: prompt.Budget{Context: 50}}})})
	out = turnOf(t, short, turn.Submit{Text: strings.Repeat("I wait. ", 100)})
	if f, ok := errors.AsType[*turn.Failure](out.Err()); !ok || f.Kind != turn.FailurePrompt || f.Err == nil {
		t.Errorf("too long: %v", out.Err())
	}
	broken := newEngine(t, campaign.Config{Model: scripted("Ren takes 3 damage."), Store: &campaign.MemoryStore{}},
		`{"settings": {"retry.max_retries": 0}}`)
	out = turnOf(t, broken, turn.Submit{Text: "I wait."})
	if out.Status == turn.Conflict && !errors.Is(out.Err(), turn.ErrConflict) || out.Err() == nil {
		t.Errorf("conflict: %v", out.Err())
	}
}

// TestTurnHandsOverEffects: the effects for the host are in the outcome of Turn and Do, as in a
// stream.
func TestTurnHandsOverEffects(t *testing.T) {
	t.Parallel()
	bell := effect.PlayAudio{TrackID: "bell"}
	e := newEngine(t, campaign.Config{Model: scripted(quiet), Game: compile(t, game.Content{
		Rules: game.Rules{Rules: []rules.Rule{
			{ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Conditions: []rules.Condition{}, Actions: effect.Actions{bell}},
			{ID: "s", Trigger: &rules.Trigger{Type: rules.OnAction, ActionID: "ring"}, Conditions: []rules.Condition{}, Actions: effect.Actions{bell}},
		}}})})
	out := turnOf(t, e, turn.Submit{Text: "I wait."})
	if len(out.Host) != 1 || out.Host[0].Source != "r" || out.Host[0].Effect.EffectType() != "play-audio" {
		t.Errorf("turn: %+v", out.Host)
	}
	out, err := e.Do(t.Context(), "cave", turn.RaiseEvents{Events: []rules.Event{event.ActionFired("ring", tree.Value{})}})
	if err != nil || len(out.Host) != 1 || out.Host[0].Source != "s" {
		t.Errorf("button: %+v, %v", out.Host, err)
	}
}

// TestEffectsBeforeAnError: the effects that Do received before an error are in its outcome. The
// turn is committed, so they are not delivered again.
func TestEffectsBeforeAnError(t *testing.T) {
	t.Parallel()
	b := &bomb{MemoryStore: &campaign.MemoryStore{}}
	e := newEngine(t, campaign.Config{Store: b, Sharing: campaign.Sharing{Lease: time.Hour}, Model: scripted(quiet), Logger: slog.New(slog.DiscardHandler),
		Game: compile(t, game.Content{Rules: game.Rules{Rules: []rules.Rule{{ID: "r", Trigger: &rules.Trigger{Type: rules.EveryTurn},
			Conditions: []rules.Condition{}, Actions: effect.Actions{effect.PlayAudio{TrackID: "bell"}}}}}})})
	b.at = "release" // after the commit
	out, err := e.Do(t.Context(), "cave", turn.Submit{Text: "I wait."})
	if _, is := errors.AsType[*turn.Panic](err); !is {
		t.Fatalf("the error is %v", err)
	}
	if len(out.Host) != 1 || out.Host[0].Source != "r" {
		t.Errorf("effects: %+v", out.Host)
	}
	if c := campaignOf(t, e); c.TurnCounter != 1 {
		t.Errorf("%d turns", c.TurnCounter)
	}
}
