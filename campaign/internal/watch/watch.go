// Package watch reports to the observer of an engine what one instruction does. It derives the
// moments of package observe from the questions and answers of a machine. A nil [Watch] has no
// observer and costs nothing.
package watch

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/rules/effect"
)

// Watch reports one instruction. It belongs to the goroutine of the instruction.
type Watch struct {
	engine     Engine
	place      observe.Place
	wantsTexts bool // the observer wants texts

	// The contexts that the observer returned for the instruction, the phase and the request.
	instructionCtx, phaseCtx, callCtx context.Context

	began, phaseBegan time.Time
	phase             turn.Phase
	machine           *turn.Machine // nil: no machine is running

	// The numbers of outputs, entries and prompt parts that were already reported.
	reportedAttempts, reportedLore, reportedPrompt int

	hasPanicked bool // the observer has panicked; one log line is enough
}

// Engine is the configuration that all watches of an engine share.
type Engine struct {
	Observer observe.Observer
	Clock    func() time.Time
	Game     func() *game.Game
	// Panicked receives the panic of an observer, once for each instruction.
	Panicked func(campaignID string, err error)
}

// Begin reports the beginning of an instruction, or of a step of it. It returns nil if there is no
// observer.
func Begin(ctx context.Context, from Engine, at observe.Place, in turn.Input) *Watch {
	if from.Observer == nil {
		return nil
	}
	w := &Watch{engine: from, wantsTexts: observe.WantsTexts(from.Observer), place: at}
	if in != nil {
		w.place.Instruction = turn.Inputs{in}.Names()[0]
	}
	w.began = from.Clock()
	begun := observe.Begun{}
	if asking, ok := turn.NeedsModel(in); ok {
		ticket := asking.Ticket()
		begun.ActorID, begun.ClientTurnID = ticket.ActorID, ticket.ClientTurnID
	}
	if submit, ok := in.(turn.Submit); ok {
		begun.Line = submit.Text
	}
	w.instructionCtx = w.notify(ctx, begun)
	return w
}

// Now returns the time by the clock of observations, or zero if there is no observer.
func (w *Watch) Now() time.Time {
	if w == nil {
		return time.Time{}
	}
	return w.engine.Clock()
}

// since returns the time that has passed since begun, by the clock of observations.
func (w *Watch) since(begun time.Time) time.Duration { return max(0, w.engine.Clock().Sub(begun)) }

// notify reports a moment and returns the context that the observer returned.
func (w *Watch) notify(ctx context.Context, m observe.Moment) context.Context {
	w.place.At = w.engine.Clock()
	// Without cancellation: a context of the observer must not affect the engine's own context.
	next, err := observe.Tell(context.WithoutCancel(ctx), w.engine.Observer, w.place, m)
	if err != nil && !w.hasPanicked {
		w.hasPanicked = true
		w.engine.Panicked(w.place.Campaign, err)
	}
	return context.WithoutCancel(next)
}

// innermostCtx returns the context of the innermost part that is running.
func (w *Watch) innermostCtx() context.Context {
	switch {
	case w.callCtx != nil:
		return w.callCtx
	case w.phaseCtx != nil:
		return w.phaseCtx
	}
	return w.instructionCtx
}

// report reports a moment in the innermost part that is running.
func (w *Watch) report(m observe.Moment) { _ = w.notify(w.innermostCtx(), m) }

// Context adds the values that observers returned to ctx. The cancellation and the cause of ctx
// stay.
func (w *Watch) Context(ctx context.Context) context.Context {
	if w == nil {
		return ctx
	}
	return valuesFrom{ctx, w.innermostCtx()}
}

// valuesFrom is a context with the values of a second one.
type valuesFrom struct {
	context.Context
	values context.Context
}

// Value looks in the second context first, which is never cancelled.
func (v valuesFrom) Value(key any) any {
	if value := v.values.Value(key); value != nil {
		return value
	}
	return v.Context.Value(key)
}

// Admitted reports that the instruction has the campaign.
func (w *Watch) Admitted(fence int64) {
	if w != nil {
		w.report(observe.Admitted{Waited: w.since(w.began), Fence: fence})
	}
}

// Stored reports a call of the store.
func (w *Watch) Stored(call observe.StoreCall, version int64, begun time.Time, err error) {
	if w != nil {
		w.report(observe.Stored{Call: call, Version: version, Took: w.since(begun), Err: err})
	}
}

// LeaseLost reports that the lease is lost.
func (w *Watch) LeaseLost(err error) {
	if w != nil {
		w.report(observe.LeaseLost{Err: err})
	}
}

// FollowMachine reports what a machine does, until stop is called. Earlier work of the machine is not
// reported.
func (w *Watch) FollowMachine(m *turn.Machine) (stop func()) {
	if w == nil {
		return func() {}
	}
	attempts, trace := m.SoFar()
	w.machine, w.reportedAttempts, w.reportedLore, w.reportedPrompt = m, len(attempts), len(trace.Lore), len(trace.Prompt)
	m.OnPhase(w.changePhase)
	return func() {
		m.OnPhase(nil)
		w.machine = nil
	}
}

// FollowResumed is [Watch.FollowMachine] for a machine that was resumed from a journal, until the end of
// the instruction. The errors of an output that is still being judged are reported later.
func (w *Watch) FollowResumed(m *turn.Machine) {
	if w == nil {
		return
	}
	_ = w.FollowMachine(m)
	if m.Phase() == turn.Adjudicating {
		w.reportedAttempts = max(0, w.reportedAttempts-1)
	}
	w.changePhase(m.Phase())
}

// changePhase reports the end of the present phase and the beginning of a new one. Idle does not count
// as a phase. "" ends the last phase.
func (w *Watch) changePhase(to turn.Phase) {
	if to == w.phase {
		return
	}
	if w.machine != nil {
		attempts, trace := w.machine.SoFar()
		if w.phase == turn.Adjudicating { // before this phase the outputs are not judged
			w.reportAttempts(attempts)
		}
		w.reportPrompt(trace)
	}
	if w.phase != "" && w.phase != turn.Idle {
		_ = w.notify(w.innermostCtx(), observe.PhaseEnded{Phase: w.phase, Took: w.since(w.phaseBegan)})
	}
	w.phaseCtx, w.phase, w.phaseBegan = nil, to, w.engine.Clock()
	if to != "" && to != turn.Idle {
		w.phaseCtx = w.notify(w.instructionCtx, observe.PhaseBegun{Phase: to})
	}
}

// End reports how the instruction ended, or the stop at which the next step continues.
func (w *Watch) End(o *turn.Outcome, next turn.Stop, err error) {
	if w == nil {
		return
	}
	w.changePhase("")
	ended := observe.Ended{Next: next, Took: w.since(w.began), Err: err}
	if o != nil {
		if !o.Replayed {
			w.reportAttempts(o.Attempts)
		}
		ended.Status, ended.Reason, ended.Version, ended.Replayed = o.Status, identifierOrOther(o.Reason), o.Version, o.Replayed
		ended.Attempts, ended.Retries = len(o.Attempts), o.RetriesUsed
		if o.Turn != nil {
			ended.TurnID = o.Turn.ID
		}
	}
	w.report(ended)
}

// Retrying reports that a request is a retry.
func (w *Watch) Retrying(g question.Generate) {
	if w != nil && g.Retry != "" {
		w.report(observe.Retrying{Attempt: g.Attempt, Why: identifiersOrOther(g.Retry)})
	}
}

// reportPrompt reports which lore and which parts a prompt contains.
func (w *Watch) reportPrompt(trace state.TurnTrace) {
	if n := len(trace.Lore); n > w.reportedLore {
		var ids []string
		for _, l := range trace.Lore[w.reportedLore:] {
			ids = append(ids, l.ID)
		}
		w.reportedLore = n
		w.report(observe.LoreActivated{IDs: ids})
	}
	if n := len(trace.Prompt); n > w.reportedPrompt {
		p := observe.PromptAssembled{Speaker: trace.Prompt[n-1].Speaker}
		for _, part := range trace.Prompt[w.reportedPrompt:] {
			switch part.Status {
			case "kept", "truncated":
				p.Parts++
				p.Tokens += part.Tokens
			case "dropped":
				p.Dropped++
			}
		}
		w.reportedPrompt = n
		w.report(p)
	}
}

// reportAttempts reports the results of outputs that are not reported yet.
func (w *Watch) reportAttempts(attempts []state.Attempt) {
	for i := min(w.reportedAttempts, len(attempts)); i < len(attempts); i++ {
		for _, f := range attempts[i].FailedCalls {
			w.report(observe.CallRefused{
				Attempt: i + 1, Tool: w.knownTool(f.Tool),
				Code: state.CallCode(identifierOrOther(string(f.Reason))), Message: f.Message,
			})
		}
		for _, c := range slices.Concat(attempts[i].Conflicts, attempts[i].Warnings) {
			w.report(observe.ConflictFound{
				Attempt: i + 1, Kind: identifierOrOther(c.Kind), Severity: c.Severity, Entity: c.EntityID, Quote: c.Quote,
			})
		}
	}
	w.reportedAttempts = max(w.reportedAttempts, len(attempts))
}

// knownTool returns the name of a registered tool, and observe.Other for any other name.
func (w *Watch) knownTool(name string) string {
	if _, ok := w.engine.Game().Tools().Get(name); !ok {
		return observe.Other
	}
	return name
}

// maxIdentifier is longer than any identifier of the library.
const maxIdentifier = 64

// identifierOrOther returns an identifier unchanged, and observe.Other for any other text. A kind or a
// code from an untrusted party must not fill a log or add a series to each metric.
func identifierOrOther(text string) string {
	for _, r := range text {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		case r == '_', r == '-', r == '.', r == ':':
		default:
			return observe.Other
		}
	}
	if len(text) > maxIdentifier {
		return observe.Other
	}
	return text
}

// maxIdentifiers is the number of elements of a list that are reported one by one. The rest of the list
// counts as one element.
const maxIdentifiers = 8

// identifiersOrOther applies identifierOrOther to the elements of a comma-separated list.
func identifiersOrOther(list string) string {
	all := strings.SplitN(list, ",", maxIdentifiers+1)
	for i := range all {
		all[i] = identifierOrOther(all[i])
	}
	return strings.Join(all, ",")
}

// Waiting reports that the turn waits for people.
func (w *Watch) Waiting(todo turn.Todo) {
	if w != nil && todo.Approve != nil {
		w.report(observe.Waiting{QuestionID: todo.Approve.ID, Calls: len(todo.Approve.Calls)})
	}
}

// Logged reports the lines for the log among the effects for the host.
func (w *Watch) Logged(host []effect.Attributed) {
	if w == nil {
		return
	}
	for _, c := range host {
		if line, ok := c.Effect.(effect.WriteLog); ok {
			w.report(observe.Logged{By: c.Source, Level: line.Level, Message: line.Message})
		}
	}
}

// Committed reports a record, and the calls and rules that it made final.
func (w *Watch) Committed(rec *turn.Record, begun time.Time) {
	if w == nil {
		return
	}
	done := observe.Committed{Version: rec.Version, Record: rec.Kind, Took: w.since(begun)}
	if t := rec.Turn; t != nil {
		done.TurnID, done.Changes, done.Text = t.ID, len(t.Changes), t.Text
	}
	w.report(done)
	if rec.Turn == nil || rec.Kind != turn.RecordTurn {
		return
	}
	for _, a := range rec.Turn.Applied {
		w.report(observe.CallApplied{Tool: a.Tool, ID: a.ID, Args: a.Args, Result: a.Result})
	}
	if fired := rec.Turn.Trace.Fired; len(fired) > 0 {
		ids := make([]string, len(fired))
		for i, f := range fired {
			ids[i] = f.ID
		}
		w.report(observe.RulesFired{IDs: ids})
	}
}
