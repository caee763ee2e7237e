package preparing

import (
	"strings"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/assembly"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// typeAccepted is the event that rules hear when a turn begins, before the model
// speaks. Its fields are actorId and content.
const typeAccepted = "turn:accepted"

// WhichDialog takes the dialog type that the player chose, and asks the router for
// another one if that is wanted.
func WhichDialog(t *play.Turn) *question.Route {
	manual := t.Values.Text(setting.ManualType)
	t.Dialog.Source = state.DialogByHand
	t.Dialog.Kind, _ = t.Game.Dialog(manual)
	t.Dialog.Kept.TypeSelected = manual
	if !t.Values.Bool(setting.AutoRouteEnabled) || !t.Order.HasLine {
		return nil
	}
	return &question.Route{Input: t.Order.In.Text, Manual: manual, Known: t.Game.DialogIDs(), Campaign: t.Next.ID}
}

// Routed follows the router's decision where it can.
func Routed(t *play.Turn, decided *state.RouteDecision, failed string) {
	t.Dialog.Source = state.DialogByFallback
	if failed != "" || decided == nil {
		t.Stage.Staged.Warn("router: %s", failed)
		return
	}
	decision := *decided
	t.Dialog.Kept.RouteDecision = &decision
	if kind, known := t.Game.Dialog(decision.DialogType); known {
		t.Dialog.Kind, t.Dialog.Source = kind, state.DialogByRouter
	}
	if len(decision.Guards) > 0 {
		t.Stage.Staged.Warn("router: guards are not known: %s", strings.Join(decision.Guards, ", "))
	}
	if decision.ContextProfile != "" {
		t.Stage.Staged.Warn("router: context profile is not known: %s", decision.ContextProfile)
	}
}

// NextHostEvent returns what the host did for the turn, one event after the other.
func NextHostEvent(t *play.Turn) (state.HostEvent, bool) {
	if t.Order.HostEventsTold == len(t.Order.In.Events) {
		return state.HostEvent{}, false
	}
	t.Order.HostEventsTold++
	return t.Order.In.Events[t.Order.HostEventsTold-1], true
}

// HearPlayer carries out the player's own commands and lets rules and reactions hear of
// the line that begins a turn, and of the countdowns that ended since the last one.
func HearPlayer(t *play.Turn) {
	t.Stage.PlayerCommands(t.Order.In.Text)
	t.Stage.OpenModules(t.Order.In.Text)
	t.Stage.Chain(append(stage.PassTime(&t.Stage.Staged.State, t.Order.In.Elapsed), event.New(typeAccepted,
		tree.Member{Key: "actorId", Value: tree.Text(t.Order.In.ActorID)},
		tree.Member{Key: "content", Value: tree.Text(t.Order.In.Text)}))...)
	play.KeepSecrets(t) // the prompt shows what the line has written
}

// FirstRequest builds the prompt.
func FirstRequest(t *play.Turn) play.Next {
	t.Stage.Settle()
	if t.Talk.TooLong = buildRequest(t); t.Talk.TooLong != nil {
		return play.ToNoRoom
	}
	return play.ToNext
}

// buildRequest assembles the first request of the turn.
func buildRequest(t *play.Turn) error {
	p := &assembly.Prompter{Texts: t.Texts(), Scan: &t.Found.Scan, Memories: t.Found.Memories}
	written, err := p.Write()
	if err != nil {
		return err
	}
	t.Took(p.Texts)
	t.Talk.Assembled, t.Talk.Text, t.Talk.Request, t.Stage.Rewrites.PromptBuilt = written.Result, written.Text, written.Request, true
	t.Talk.Estimated = written.Tokens
	t.Stage.Settle()
	t.Casting.StateBefore = t.Stage.Settled.State
	return nil
}
