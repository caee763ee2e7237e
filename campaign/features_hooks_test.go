package campaign_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/rules/effect"
)

// everyEvent lists the known events: the events of package hooks and the engine's own.
var everyEvent = []string{
	act.BeforeReceive, act.BeforeAttachments, act.AfterAttachments,
	act.BeforeKnowledge, act.AfterKnowledge, act.BeforeTurnStarted,
	act.AfterProfileLoad, act.AfterMemoryRetrieve, act.AfterWorldBookMatch,
	act.AfterReactionPlan, act.BeforeTurnFinished, act.BeforePromptRender,
	act.AfterPromptRender, act.BeforeModelCall, act.AfterModelCall,
	act.StreamChunk, act.BeforeSend, act.AfterSend,
	act.AfterTurnStarted, act.AfterStateUpdate, act.AfterTurnFinished,
	act.AfterMemoryExtract, act.StateChanged, act.RelationshipChanged,
	act.BeforeToolCall, act.AfterToolCall, act.ClockPassed,
	game.EventTurnAccepted, game.EventTurnCommitted, game.EventTurnConflict,
	game.EventMilestoneAdvanced, game.EventRollbackDone,
}

// listener returns an engine that records the events of its hooks. A hook runs once per turn, so
// there is one hook for each known event.
func listener(
	t *testing.T, model *llmtest.Scripted, more []hooks.Hook, changes ...string,
) (*campaign.Engine, *[]string) {
	t.Helper()
	list := more
	for _, event := range everyEvent {
		list = append(list, hooks.Hook{ID: event, Name: event, Event: hooks.On(event),
			Actions: []act.Action{act.New(act.LogLine,
				tree.Member{Key: "message", Value: tree.Text(event)})}})
	}
	heard := &[]string{}
	cfg := campaign.Config{
		Game: compile(t, game.Content{Rules: game.Rules{
			Hooks:      list,
			HookLimits: hooks.Limits{MaxHooksPerTurn: new(len(everyEvent))},
		}, People: game.People{Card: &card.Card{Name: "Orin"}}}),
		Model: model,
		Services: campaign.Services{Sinks: act.Sinks{Log: func(_ context.Context, call act.Call, line effect.WriteLog) error {
			if call.Event.Type != line.Message {
				t.Errorf("the hook for %s hears %s", line.Message, call.Event.Type)
			}
			*heard = append(*heard, call.Event.Type)
			return nil
		}}},
	}
	return newEngine(t, cfg, changes...), heard
}

func wantHeard(t *testing.T, heard *[]string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, *heard); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	*heard = nil
}

// beforeModel and afterModel are the events of a turn before and after its tool calls, in order.
var (
	beforeModel = []string{
		act.BeforeReceive, game.EventTurnAccepted, act.BeforeTurnStarted,
		act.AfterProfileLoad, act.BeforeAttachments, act.AfterAttachments, act.AfterReactionPlan,
		act.AfterMemoryRetrieve, act.BeforeKnowledge, act.AfterKnowledge,
		act.AfterWorldBookMatch, act.BeforeTurnFinished,
		act.BeforePromptRender, act.AfterPromptRender,
		act.BeforeModelCall, act.StreamChunk, act.AfterModelCall,
	}
	afterModel = []string{
		act.AfterStateUpdate, act.AfterTurnFinished, act.BeforeSend,
	}
)

// TestEngineRaisesItsEvents checks which events a turn, its commit and a rollback raise, each at
// its place, and that they raise no others. The engine itself raises all known events (HK-22,
// HK-26), including the events that a host may announce.
func TestEngineRaisesItsEvents(t *testing.T) {
	t.Parallel()
	for name, hear := range map[string]func(*testing.T){
		"a turn with a card and a tool call": hearCardAndTool,
		"a quiet turn and its rollback":      hearRollback,
		"a milestone that the host advances": hearMilestone,
		"a hook that moves the companion":    hearDerived,
		"a turn that ends in a conflict":     hearConflict,
		"a summary":                          hearSummary,
		"the clock":                          hearClock,
		"what the host announces":            hearAnnounced,
		"what the host did for a turn":       hearSubmitted,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hear(t)
		})
	}
}

// TestHooksKeepThePerson: all events of a turn have the person, the character and the channel of its
// line, also after its commit, in a continuation, and in a new answer after a rollback (HK-17, HK-20).
func TestHooksKeepThePerson(t *testing.T) {
	t.Parallel()
	var heard []string
	list := []hooks.Hook{}
	for _, event := range []string{act.BeforeReceive, act.AfterModelCall, game.EventTurnCommitted, game.EventTurnConflict, act.AfterSend} {
		list = append(list, hooks.Hook{ID: event, Name: event, Event: hooks.On(event), Scope: hooks.ScopeUser, UserID: "u1",
			Permissions: hooks.Permissions{Channels: []string{"web"}},
			Actions:     []act.Action{act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text(event)})}})
	}
	list = append(list, hooks.Hook{ID: "more", Name: "more", Event: hooks.On(act.AfterModelCall), Scope: hooks.ScopeUser, UserID: "u1",
		Permissions: hooks.Permissions{Channels: []string{"web"}}, Conditions: value(t, `{"payload.generation": "continue"}`),
		Actions: []act.Action{act.New(act.LogLine, tree.Member{Key: "message", Value: tree.Text("more")})}})
	e := newEngine(t, campaign.Config{Game: compile(t, game.Content{Rules: game.Rules{Hooks: list}}),
		Model: scripted("Dust.", "Wind blows.", "Rain.", "Snow.", "You lose 9 HP."),
		Services: campaign.Services{Sinks: act.Sinks{Log: func(_ context.Context, call act.Call, line effect.WriteLog) error {
			heard = append(heard, line.Message)
			if call.Event.CharacterID != "mei" {
				t.Errorf("%s is about %q", line.Message, call.Event.CharacterID)
			}
			return nil
		}}}}, `{"settings": {"turn.order": "round_robin", "retry.max_retries": 0}, "selected": {"party_character_ids": ["mei", "ren"], "active_actor_id": "mei"}}`)
	whole := []string{act.BeforeReceive, act.AfterModelCall, game.EventTurnCommitted, act.AfterSend}
	line := turn.Submit{ActorID: "mei", UserID: "u1", Channel: "web", Text: "I wait."}
	wantOutcome(t, turnOf(t, e, line), "completed turn_0001")
	wantHeard(t, &heard, whole...)
	do(t, e, turn.Continue{})
	wantHeard(t, &heard, "more")
	wantOutcome(t, turnOf(t, e, turn.Submit{ActorID: "ren", UserID: "u2", Text: "I look."}), "completed turn_0002")
	wantHeard(t, &heard)
	do(t, e, turn.RollBack{To: "turn_0001"})
	wantOutcome(t, do(t, e, turn.Regenerate{}), "completed turn_0003")
	wantHeard(t, &heard, whole...)
	do(t, e, turn.RollBack{To: state.StartTurnID})
	wantOutcome(t, turnOf(t, e, line), "conflict")
	wantHeard(t, &heard, act.BeforeReceive, act.AfterModelCall, game.EventTurnConflict)
	wantExact(t, e)
}

func hearCardAndTool(t *testing.T) {
	e, heard := listener(t, llmtest.NewScripted(llmtest.Text("You are cut and lose 3 HP.").
		AndCall("hp_delta", "target_character_id", "ren", "delta", -3, "cause", "blade")),
		nil, `{"milestone": {"advance_policy": {"n": 1}}}`)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I fight."}), "completed turn_0001")
	wantHeard(t, heard, slices.Concat(beforeModel,
		[]string{act.BeforeToolCall, act.AfterToolCall,
			act.AfterTurnStarted, act.StateChanged},
		afterModel,
		[]string{game.EventTurnCommitted, game.EventMilestoneAdvanced, act.AfterSend})...)
}

func hearRollback(t *testing.T) {
	e, heard := listener(t, scripted("Dust falls.", "More dust."), nil)
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "completed turn_0001")
	quiet := *heard
	*heard = nil
	wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I wait."}), "completed turn_0002")
	if diff := cmp.Diff(quiet, *heard); diff != "" {
		t.Errorf("the second turn hears other events (-first +second):\n%s", diff)
	}
	wantHeard(t, heard, slices.Concat(beforeModel, []string{act.AfterTurnStarted},
		afterModel, []string{game.EventTurnCommitted, act.AfterSend})...)
	do(t, e, turn.RollBack{To: "turn_0001"})
	wantHeard(t, heard, game.EventRollbackDone)
}

// hearMilestone expects the milestone event, which no turn raises.
func hearMilestone(t *testing.T) {
	e, heard := listener(t, scripted(), nil)
	do(t, e, turn.AdvanceMilestone{})
	wantHeard(t, heard, game.EventMilestoneAdvanced)
	if got := campaignOf(t, e).State.Milestone.Value; got != 1 {
		t.Errorf("the milestone is at %v, want 1", got)
	}
}

func hearDerived(t *testing.T) {
	kind := hooks.Hook{ID: "kind", Name: "kind", Event: hooks.On(act.BeforeTurnStarted),
		Actions: []act.Action{
			act.New(act.StateDelta, tree.Member{Key: "payload",
				Value: value(t, `{"energy": -5}`)}),
			act.New(act.RelationshipDelta, tree.Member{Key: "payload",
				Value: value(t, `{"trust": 5}`)}),
		}}
	e, heard := listener(t, scripted("Dust falls."), []hooks.Hook{kind}, `{"characters": [
		{"character_id": "ren", "name": "Ren", "hp": {"current": 10, "max": 10}, "area_id": "gate",
			"mood_state": {"energy": 50}, "relationship": {"trust": 50}}]}`)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	at := slices.Index(beforeModel, act.BeforeTurnStarted) + 1
	wantHeard(t, heard, slices.Concat(beforeModel[:at],
		[]string{act.StateChanged, act.RelationshipChanged}, beforeModel[at:],
		[]string{act.AfterTurnStarted}, afterModel,
		[]string{game.EventTurnCommitted, act.AfterSend})...)
	ren, _ := campaignOf(t, e).State.Character("ren")
	if got := ren.Mood.String() + ren.Relationship.String(); got != `{"energy":45}{"trust":55}` {
		t.Errorf("ren is %s", got)
	}
}

func hearConflict(t *testing.T) {
	e, heard := listener(t, scripted("You lose 3 HP."), nil,
		`{"settings": {"retry.max_retries": 0}}`)
	o := turnOf(t, e, turn.Submit{Text: "I fight."})
	if o.Status != turn.Conflict {
		t.Fatalf("outcome %s", o.Status)
	}
	wantHeard(t, heard, append(slices.Clone(beforeModel), game.EventTurnConflict)...)
}

// hearSummary expects the events of a summary.
func hearSummary(t *testing.T) {
	e, heard := listener(t, scripted("Dust falls."), nil)
	turnOf(t, e, turn.Submit{Text: "I wait."})
	*heard = nil
	do(t, e, turn.Summarized{Summary: state.Summary{Text: "They waited."}})
	wantHeard(t, heard, act.AfterMemoryExtract)
}

// hearClock expects the events of time that the host lets pass.
func hearClock(t *testing.T) {
	e, heard := listener(t, scripted(), nil)
	do(t, e, turn.PassTime{Elapsed: 5})
	wantHeard(t, heard, act.ClockPassed)
}

// fromHosts are the known events that a host may also announce.
var fromHosts = []string{
	act.BeforeAttachments, act.AfterAttachments, act.BeforeKnowledge,
	act.AfterKnowledge, act.AfterMemoryRetrieve, act.AfterReactionPlan,
	act.StreamChunk, act.AfterMemoryExtract,
}

// hearAnnounced expects them between turns.
func hearAnnounced(t *testing.T) {
	e, heard := listener(t, scripted(), nil)
	for _, event := range fromHosts {
		do(t, e, turn.Announce{Event: event})
	}
	wantHeard(t, heard, fromHosts...)
}

// hearSubmitted expects them with an instruction: they belong to its turn.
func hearSubmitted(t *testing.T) {
	e, heard := listener(t, scripted("You find nothing."), nil)
	in := turn.Submit{Text: "I search."}
	for _, event := range fromHosts {
		in.Events = append(in.Events, state.HostEvent{Event: event})
	}
	wantOutcome(t, turnOf(t, e, in), "completed turn_0001")
	at := slices.Index(beforeModel, act.AfterProfileLoad) + 1
	left := slices.DeleteFunc(slices.Clone(beforeModel[at:]), func(e string) bool { return slices.Contains(fromHosts, e) })
	wantHeard(t, heard, slices.Concat(beforeModel[:at], fromHosts, left,
		[]string{act.AfterTurnStarted}, afterModel,
		[]string{game.EventTurnCommitted, act.AfterSend})...)
}

// TestSubmittedEventsReachThePrompt: a hook injects a text for the turn in answer to an event of
// the host. The text is in the request of this turn only. The limits of the content apply.
func TestSubmittedEventsReachThePrompt(t *testing.T) {
	t.Parallel()
	recall := hooks.Hook{ID: "recall", Name: "recall", Event: hooks.On(act.AfterKnowledge),
		Conditions: tree.Object(tree.Member{Key: "payload.hits",
			Value: tree.Object(tree.Member{Key: "gte", Value: tree.Int(1)})}),
		Actions: []act.Action{act.New(act.PromptInject,
			tree.Member{Key: "content", Value: tree.Text("The key is under the mat.")})}}
	found := state.HostEvent{Event: act.AfterKnowledge,
		Payload: tree.Object(tree.Member{Key: "hits", Value: tree.Int(2)})}
	for name, tc := range map[string]struct {
		limits hooks.Limits
		want   []bool // by turn: the text is in the request
	}{
		"by default":     {hooks.Limits{}, []bool{true, false}},
		"no hook a turn": {hooks.Limits{MaxHooksPerTurn: new(0)}, []bool{false, false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := scripted("One.", "Two.")
			e := newEngine(t, campaign.Config{Model: model, Game: compile(t, game.Content{Rules: game.Rules{
				Hooks: []hooks.Hook{recall}, HookLimits: tc.limits,
			}})})
			turnOf(t, e, turn.Submit{Text: "I search.", Events: []state.HostEvent{found}})
			turnOf(t, e, turn.Submit{Text: "I wait."})
			for i, r := range model.Requests() {
				text := fmt.Sprint(r.Messages)
				if strings.Contains(text, "under the mat") != tc.want[i] {
					t.Errorf("request %d:\n%s", i, text)
				}
			}
			if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHostEventsOfAnOverride: a person's override keeps what hooks did for the host's events of the line,
// once. An accepted text does not.
func TestHostEventsOfAnOverride(t *testing.T) {
	t.Parallel()
	list, problems := hooks.Parse([]byte(`[{"name": "found", "event": "before_attachments", "actions": [{"type": "message", "content": "A picture."}]}]`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for decision, want := range map[state.Decision][]string{state.DecideOverride: {"A picture."}, state.DecideAccept: nil} {
		e := newEngine(t, campaign.Config{Model: scripted("Ren loses 3 hit points."), Game: compile(t, game.Content{Rules: game.Rules{Hooks: list}})},
			`{"settings": {"retry.max_retries": 0}}`)
		wantOutcome(t, turnOf(t, e, turn.Submit{Text: "I look.", Events: []state.HostEvent{{Event: "before_attachments"}}}), "conflict")
		o := do(t, e, turn.ResolveConflict{Decision: decision, Text: "Dust falls."})
		if diff := cmp.Diff(want, o.Messages); diff != "" {
			t.Errorf("%s (-want +got):\n%s", decision, diff)
		}
		rebuilt(t, e)
	}
}
