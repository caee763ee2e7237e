package turn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/assembly"
	"github.com/talewright/talewright/campaign/turn/internal/lorescan"
	"github.com/talewright/talewright/campaign/turn/internal/recall"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// typeAccepted is the event that rules hear when a turn begins, before the model
// speaks. Its fields are actorId and content.
const typeAccepted = "turn:accepted"

// whichDialog takes the dialog type that the player chose, and asks the router for
// another one if that is wanted.
func whichDialog(t *run) *question.Route {
	manual := t.values.Text(setting.ManualType)
	t.dialog.source = state.DialogByHand
	t.dialog.kind, _ = t.game.Dialog(manual)
	t.next.Dialog.TypeSelected = manual
	if !t.values.Bool(setting.AutoRouteEnabled) || !t.order.line {
		return nil
	}
	return &question.Route{Input: t.order.in.Text, Manual: manual, Known: t.game.DialogIDs(), Campaign: t.next.ID}
}

// routed follows the router's decision where it can.
func routed(t *run, r Routed) {
	t.dialog.source = state.DialogByFallback
	if r.Error != "" || r.Decision == nil {
		t.stage.Staged.Warn("router: %s", r.Error)
		return
	}
	decision := *r.Decision
	t.next.Dialog.RouteDecision = &decision
	if kind, known := t.game.Dialog(decision.DialogType); known {
		t.dialog.kind, t.dialog.source = kind, state.DialogByRouter
	}
	if len(decision.Guards) > 0 {
		t.stage.Staged.Warn("router: guards are not known: %s", strings.Join(decision.Guards, ", "))
	}
	if decision.ContextProfile != "" {
		t.stage.Staged.Warn("router: context profile is not known: %s", decision.ContextProfile)
	}
}

// openDialog makes ready what depends on the dialog type.
func openDialog(t *run) { t.calls.DialogOK = viewOf(t).OffersTools() }

// hasProfile reports whether a character card enters the turn.
func hasProfile(t *run) bool { return t.game.Content().Card != nil }

// nextHostEvent returns what the host did for the turn, one event after the other.
func nextHostEvent(t *run) (state.HostEvent, bool) {
	if t.order.told == len(t.order.in.Events) {
		return state.HostEvent{}, false
	}
	t.order.told++
	return t.order.in.Events[t.order.told-1], true
}

// hearPlayer carries out the player's own commands and lets rules and reactions hear of
// the line that begins a turn, and of the countdowns that ended since the last one.
func (t *run) hearPlayer() {
	t.stage.PlayerCommands(t.order.in.Text)
	t.stage.OpenModules(t.order.in.Text)
	t.stage.Chain(append(stage.PassTime(&t.stage.Staged.State, t.order.in.Elapsed), event.New(typeAccepted,
		tree.Member{Key: "actorId", Value: tree.Text(t.order.in.ActorID)},
		tree.Member{Key: "content", Value: tree.Text(t.order.in.Text)}))...)
}

// firstRequest builds the prompt.
func firstRequest(t *run) next {
	t.stage.Settle()
	if t.talk.tooLong = t.buildRequest(); t.talk.tooLong != nil {
		return toNoRoom
	}
	return toNext
}

// hooksRan takes over what hooks did.
func hooksRan(t *run, ran HooksRan) {
	r := ran.Result
	t.stage.Staged.State.Hooks = r.State
	t.stage.Staged.Trace.Hooks = append(t.stage.Staged.Trace.Hooks, r.Logs...)
	t.stage.Staged.Trace.Hooks = append(t.stage.Staged.Trace.Hooks, r.Skipped...)
	t.stage.Staged.Trace.Refused = append(t.stage.Staged.Trace.Refused, ran.Refused...)
	t.stage.Apply("hooks", r.Effects)
}

// scanBook activates the lore for the prompt.
func (t *run) scanBook() {
	p := &t.stage.Staged
	if t.game.Book() == nil && len(p.State.Entries) == 0 {
		return
	}
	in := lorescan.Of(windowOf(t))
	in.Forced = t.found.forced
	in.Forced = append(slices.Clip(in.Forced), p.State.LoreEdits.ForcedIDs()...)
	in.Random, in.Explain = t.stage.Draw, t.explained != nil
	t.found.scan, p.State.Lore = t.game.Book().Scan(in, p.State.Lore)
	for _, a := range t.found.scan.Activated {
		if t.casting.at > 0 && slices.ContainsFunc(p.Trace.Lore, func(l turntrace.Lore) bool { return l.ID == a.ID.String() }) {
			continue // another one of the cast has found it
		}
		p.Trace.Lore = append(p.Trace.Lore,
			turntrace.Lore{ID: a.ID.String(), Comment: a.Comment, Why: a.Reason.String(), AutomationID: a.AutomationID})
		p.Automate(a)
	}
	if t.explained != nil {
		t.explained.Lore = t.found.scan.Trace
	}
	p.Trace.Fuses = append(p.Trace.Fuses, t.found.scan.Fuses...)
}

// whichLore asks for entries by meaning, if the content wants that.
func whichLore(t *run) *question.Retrieve {
	want := t.game.Content().Retrieval
	if want.Limit <= 0 {
		return nil
	}
	chat := windowOf(t).Chat()
	newest := chat[max(0, len(chat)-max(cmp.Or(want.Depth, 4), 0)):]
	return &question.Retrieve{Messages: newest, Limit: want.Limit}
}

// retrieved activates what was found.
func retrieved(t *run, found Retrieved) {
	if found.Error != "" {
		t.stage.Staged.Warn("retriever: %s", found.Error)
	}
	for _, id := range found.IDs[:min(len(found.IDs), t.game.Content().Retrieval.Limit)] {
		t.found.forced = append(t.found.forced, worldbook.Forced{ID: id})
	}
}

// whatToRecall asks the memory for what belongs to the newest messages.
func whatToRecall(t *run) *memory.Query {
	if w := windowOf(t); recall.Wanted(w.Turn) {
		return recall.Query(w)
	}
	return nil
}

// recalled takes what the memory gave, best first.
func recalled(t *run, found Recalled) {
	if found.Error != "" {
		t.stage.Staged.Warn("memory: %s", found.Error)
	}
	t.found.recalled = slices.Clone(found.Items)
	slices.SortStableFunc(t.found.recalled, func(a, b memory.Item) int { return cmp.Compare(b.Score, a.Score) })
}

// whichRemembered asks for the turns that those items are about, where the head does not
// hold them.
func whichRemembered(t *run) *question.Past {
	return t.past.Asks(recall.About(t.found.recalled, &t.next), &t.next)
}

// judgeMemories makes lines of the prompt out of what the memory gave.
func (t *run) judgeMemories() {
	texts := textsOf(t)
	t.found.memories = append(t.found.memories, recall.Lines(texts, t.found.recalled)...)
	t.took(texts)
}

// buildRequest assembles the first request of the turn.
func (t *run) buildRequest() error {
	p := &assembly.Prompter{Texts: textsOf(t), Scan: &t.found.scan, Memories: t.found.memories}
	written, err := p.Write()
	if err != nil {
		return err
	}
	t.took(p.Texts)
	t.talk.assembled, t.talk.text, t.talk.request, t.stage.Texts.Prompted = written.Result, written.Text, written.Request, true
	t.talk.estimated = written.Tokens
	t.stage.Settle()
	t.casting.before = t.stage.Settled.State
	return nil
}
