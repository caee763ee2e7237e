package play

import (
	"strings"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/prepare"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// The preparing files have the steps of a turn before the model is asked. They are the dialog type,
// the actions of the host and the player, the past, the memory, the world book, and the request.

// typeAccepted is the event for rules when a turn begins, before the model is asked. Its fields are
// actorId and content.
const typeAccepted = "turn:accepted"

// WhichDialog returns the question to the router, or nil if the campaign does not route lines
// automatically. Until there is an answer, the turn has the dialog type that the player chose.
func WhichDialog(t *Turn) *question.Route {
	manual := t.Values.Text(settingkey.ManualType)
	t.Dialog.Source = state.DialogByHand
	t.Dialog.Kind, _ = t.Game.Dialog(manual)
	t.Dialog.Kept.TypeSelected = manual
	if !t.Values.Bool(settingkey.AutoRouteEnabled) || !t.Order.HasLine {
		return nil
	}
	return &question.Route{Input: t.Order.In.Text, Manual: manual, Known: t.Game.DialogIDs(), Campaign: t.Next.ID}
}

// Routed applies the decision of the router. Without a decision, or with an unknown dialog type, the
// type that the player chose stays. failure is the error of the router.
func Routed(t *Turn, decided *state.RouteDecision, failure string) {
	t.Dialog.Source = state.DialogByFallback
	if failure != "" || decided == nil {
		t.Stage.Pending.Warn("router: %s", failure)
		return
	}
	decision := *decided
	t.Dialog.Kept.RouteDecision = &decision
	if kind, known := t.Game.Dialog(decision.DialogType); known {
		t.Dialog.Kind, t.Dialog.Source = kind, state.DialogByRouter
	}
	if len(decision.Guards) > 0 {
		t.Stage.Pending.Warn("router: guards are not known: %s", strings.Join(decision.Guards, ", "))
	}
	if decision.ContextProfile != "" {
		t.Stage.Pending.Warn("router: context profile is not known: %s", decision.ContextProfile)
	}
}

// NextHostEvent returns the next host event of the turn, and false after the last one.
func NextHostEvent(t *Turn) (state.HostEvent, bool) {
	if t.Order.HostEventsRaised == len(t.Order.In.Events) {
		return state.HostEvent{}, false
	}
	t.Order.HostEventsRaised++
	return t.Order.In.Events[t.Order.HostEventsRaised-1], true
}

// ProcessLine applies the player's own commands, and opens and closes modules by the line. Then it
// runs rules and reactions for the line, and for the countdowns that ended since the last turn.
func ProcessLine(t *Turn) {
	t.Stage.PlayerCommands(t.Order.In.Text)
	t.Stage.OpenModules(t.Order.In.Text)
	t.Stage.Chain(append(draft.PassTime(&t.Stage.Pending.State, t.Order.In.Elapsed), event.New(typeAccepted,
		tree.Member{Key: "actorId", Value: tree.Text(t.Order.In.ActorID)},
		tree.Member{Key: "content", Value: tree.Text(t.Order.In.Text)}))...)
	KeepSecrets(t) // the prompt shows texts that the line has written
}

// FirstRequest builds the first request of the turn, or of the present speaker.
func FirstRequest(t *Turn) Next {
	t.Stage.Checkpoint()
	if t.Talk.TooLong = buildRequest(t); t.Talk.TooLong != nil {
		return ToNoRoom
	}
	return ToNext
}

// buildRequest assembles the request from the texts, the lore and the memories that the steps before
// have found. It returns an error if the prompt does not fit its budget.
func buildRequest(t *Turn) error {
	prepareSecond(t)
	p := &prepare.Prompter{Texts: t.Texts(), Scan: &t.Found.Scan, Memories: t.Found.Memories}
	p.Resume(t.Found.Templates)
	written, err := p.Write()
	if err != nil {
		return err
	}
	t.MergeTexts(p.Texts)
	t.Stage.WriteTemplates(p.Written)
	t.Talk.Assembled, t.Talk.Text, t.Talk.Request = written.Result, written.Text, written.Request
	t.Stage.Rewrites.PromptBuilt = true
	if len(t.Attempts) == 0 { // the estimate of a turn is the size of its first prompt
		t.Talk.Estimated = written.Tokens
	}
	if t.Explained != nil && len(t.Explained.Prompt.Messages) == 0 {
		t.Explained.Prompt = written.Result
	}
	t.Stage.Checkpoint()
	t.Casting.StateBefore = t.Stage.Base.State
	return nil
}
