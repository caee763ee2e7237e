package campaign_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

func checkpointIDs(c state.Campaign) (out []string) {
	for _, cp := range c.Checkpoints {
		out = append(out, cp.TurnID)
	}
	return out
}

// TestBranchesKeepTheirCheckpoints: a branch that is left and resumed can be rolled back as before,
// in any process.
func TestBranchesKeepTheirCheckpoints(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{})
	start, err := turn.Begin(g, cave(t))
	if err != nil {
		t.Fatal(err)
	}
	log := newLog(t, g, start)
	for range 3 {
		log.play(0, turn.Submit{Text: "I wait."}, nil)
	}
	log.play(0, turn.RollBack{To: "turn_0001"}, nil)
	log.play(0, turn.Submit{Text: "I sing."}, nil) // turn_0004 on branch_1
	log.play(0, turn.SwitchBranch{BranchID: "main"}, nil)
	c := log.m.Campaign()
	want := []string{"turn_0000", "turn_0001", "turn_0002", "turn_0003"}
	if diff := cmp.Diff(want, checkpointIDs(c)); diff != "" {
		t.Errorf("main (-want +got):\n%s", diff)
	}
	log.play(0, turn.RollBack{To: "turn_0002"}, nil)
	if got := log.m.Campaign().State.HeadTurnID; got != "turn_0002" {
		t.Errorf("rolled back to %s", got)
	}
	// With a rollback pending, a switch creates no empty branch.
	log.play(0, turn.SwitchBranch{BranchID: "branch_1"}, nil)
	c = log.m.Campaign()
	if len(c.Branches) != 2 || c.State.HeadTurnID != "turn_0004" || c.RollbackPending.IsPending {
		t.Errorf("branches %s at %s", jsonOf(t, c.Branches), c.State.HeadTurnID)
	}
	log.play(0, turn.SwitchBranch{BranchID: "main"}, nil)
	if got := log.m.Campaign().State.HeadTurnID; got != "turn_0003" {
		t.Errorf("main was left at %s, want its last turn", got)
	}
	log.check("branches")
}

// TestRollbackSaysWhatIsGone: a turn whose checkpoint was dropped is reported differently from a
// turn that never existed.
func TestRollbackSaysWhatIsGone(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{}, `{"settings": {"rollback.max_checkpoints": 2}}`)
	for range 4 {
		say(t, m, "I wait.", quiet)
	}
	for to, want := range map[string]string{
		"turn_0001": "a fork still reaches it", "turn_0099": `no turn "turn_0099"`,
	} {
		err := m.Step(turn.RollBack{To: to})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", to, err, want)
		}
	}
	if err := m.Step(turn.UndoRollBack{}); err == nil || !strings.Contains(err.Error(), "no rollback is pending") {
		t.Errorf("undo: %v", err)
	}
}

// TestConflictIsAboutItsPlace: a rollback drops a pending conflict, and so does a switch to a
// different branch.
func TestConflictIsAboutItsPlace(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{}, `{"settings": {"retry.max_retries": 0}}`)
	say(t, m, "I wait.", quiet)
	say(t, m, "I climb.", "You step into the Hall.")
	play(t, m, turn.RollBack{To: "turn_0000"})
	if m.Campaign().PendingConflict != nil {
		t.Error("the conflict is still pending after a rollback")
	}
	if err := m.Step(turn.ResolveConflict{Decision: state.DecideAccept}); err == nil {
		t.Error("it was accepted at another place")
	}
}

// TestRepeatedSubmissionAfterADecision: once a person has decided, the same
// submission returns the turn and not the conflict.
func TestRepeatedSubmissionAfterADecision(t *testing.T) {
	t.Parallel()
	in := turn.Submit{Text: "I climb.", ClientTurnID: "c1"}
	const bad = "You step into the Hall."
	for _, c := range []struct {
		decision turn.ResolveConflict
		outputs  []string
	}{
		{turn.ResolveConflict{Decision: state.DecideRetry}, []string{quiet}},
		{turn.ResolveConflict{Decision: state.DecideAccept}, nil},
		{turn.ResolveConflict{Decision: state.DecideOverride, Text: quiet}, nil},
	} {
		m := begin(t, game.Content{}, `{"settings": {"retry.max_retries": 0}}`)
		first := play(t, m, in, bad)
		again := play(t, m, in)
		if again.Status != turn.Conflict || !again.Replayed || again.DialogType != first.DialogType ||
			again.DialogTypeSource != first.DialogTypeSource || again.RetriesUsed != first.RetriesUsed {
			t.Errorf("replayed conflict %+v, want %+v", again, first)
		}
		decided := play(t, m, c.decision, c.outputs...)
		again = play(t, m, in)
		if again.Status != turn.Completed || !again.Replayed || again.Turn.ID != decided.Turn.ID {
			t.Errorf("%s: the submission again gives %s %s", c.decision.Decision, again.Status, again.Reason)
		}
	}
}

// TestRepeatedCheckKeepsItsDie: the same check in a different spelling is the same, and the record
// keeps the draws of undone outputs.
func TestRepeatedCheckKeepsItsDie(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{}, `{"allowlist": ["check"]}`)
	check := func(args string) string {
		return `{"text": "You step into the Hall.", "tool_calls": [{"tool": "check", "args": {"actor_id": "ren", ` + args + `}}]}`
	}
	out := say(t, m, "I look.", check(`"dc": 10`), check(`"dc": 10, "attribute": null`),
		strings.Replace(check(`"p_success": null, "dc": 10.0`), "You step into the Hall.", quiet, 1))
	if n := len(out.Turn.Trace.Draws); n != 1 {
		t.Errorf("%d draws, want one for all three spellings", n)
	}
	m = begin(t, game.Content{}, `{"allowlist": ["check"]}`)
	out = say(t, m, "I look.", check(`"dc": 10`), check(`"dc": 11`), quiet)
	if n := len(out.Turn.Trace.Draws); n != 2 || m.Campaign().State.Random != 2 {
		t.Errorf("%d draws are kept, want those of both undone outputs", n)
	}
}

// shownIn reports in which of the next prompts a text occurs.
func shownIn(t *testing.T, m *turn.Machine, text string, turns int) string {
	t.Helper()
	var shown []string
	for range turns {
		step(t, m, turn.Submit{Text: "I wait."})
		for m.Todo().Hooks != nil {
			step(t, m, turn.HooksRan{Result: m.Todo().Hooks.Run(t.Context())})
		}
		shown = append(shown, fmt.Sprint(strings.Count(requestText(m.Todo().Generate.Request), text)))
		step(t, m, turn.Replied{Text: quiet})
		for m.Phase() != turn.Idle {
			if todo := m.Todo(); todo.Hooks != nil {
				step(t, m, turn.HooksRan{Result: todo.Hooks.Run(t.Context())})
			} else {
				step(t, m, turn.Committed{})
			}
		}
	}
	return strings.Join(shown, "")
}

// TestDirectivesLastAsLongAsTheySay: wherever a directive is injected, in a turn or between turns,
// it is in the specified number of prompts.
func TestDirectivesLastAsLongAsTheySay(t *testing.T) {
	t.Parallel()
	const text = "Speak like the rain."
	two := 2
	for _, c := range []struct {
		name    string
		trigger rules.Trigger
		effect  effect.Effect
		button  bool
		want    string
	}{
		{"once, between turns", rules.Trigger{Type: rules.OnAction, ActionID: "b"},
			effect.InjectDirective{ID: "d", Content: text}, true, "1000"},
		{"twice, between turns", rules.Trigger{Type: rules.OnAction, ActionID: "b"},
			effect.InjectDirective{ID: "d", Content: text, Duration: &two}, true, "1100"},
		{"context, between turns", rules.Trigger{Type: rules.OnAction, ActionID: "b"},
			effect.SendContext{Message: text}, true, "1000"},
		{"once, at the end of a turn", rules.Trigger{Type: rules.OnSessionStart},
			effect.InjectDirective{ID: "d", Content: text}, false, "0100"},
		{"twice, at the end of a turn", rules.Trigger{Type: rules.OnSessionStart},
			effect.InjectDirective{ID: "d", Content: text, Duration: &two}, false, "0110"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := begin(t, game.Content{Rules: game.Rules{Rules: []rules.Rule{{ID: "r", Trigger: &c.trigger,
				Conditions: []rules.Condition{}, MaxFireCount: new(1), Actions: effect.Actions{c.effect}}}}})
			if c.button {
				play(t, m, turn.RaiseEvents{Events: []rules.Event{event.ActionFired("b", tree.Value{})}})
			}
			if got := shownIn(t, m, text, 4); got != c.want {
				t.Errorf("in the prompts %s, want %s", got, c.want)
			}
		})
	}
}

// TestDirectiveBeforeThePrompt: a directive that is injected before the prompt is built is in that
// prompt, and lasts as specified.
func TestDirectiveBeforeThePrompt(t *testing.T) {
	t.Parallel()
	const text = "Speak like the rain."
	for want, duration := range map[string]*int{"1000": nil, "1100": new(2)} {
		m := begin(t, game.Content{Rules: game.Rules{Reactions: []reactions.Reaction{{ID: "r",
			When: reactions.Pattern{EventType: "turn:accepted"}, Conditions: []rules.Condition{}, MaxFireCount: new(1),
			Then: reactions.Effects{effect.InjectDirective{ID: "d", Content: text, Duration: duration}}}}}})
		if got := shownIn(t, m, text, 4); got != want {
			t.Errorf("in the prompts %s, want %s", got, want)
		}
	}
}

// TestSessionInjectionIsThereOnce: the same session text, injected every turn under different keys,
// occurs in a prompt once.
func TestSessionInjectionIsThereOnce(t *testing.T) {
	t.Parallel()
	const text = "The moon watches."
	m := begin(t, game.Content{Rules: game.Rules{Hooks: []hooks.Hook{{ID: "h", Name: "h", Event: hooks.On(act.AfterTurnFinished),
		Actions: []act.Action{act.New(act.PromptInject,
			tree.Member{Key: "content", Value: tree.Text(text)},
			tree.Member{Key: "scope", Value: tree.Text("session")})}}}}})
	if got := shownIn(t, m, text, 4); got != "0111" {
		t.Errorf("in the prompts %s, want 0111", got)
	}
}
