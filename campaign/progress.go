package campaign

import (
	"context"
	"iter"

	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/internal/watch"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/rules/effect"
)

// Progress is one event of a running turn, from [Engine.Stream]. The set is
// closed: it is the types below.
type Progress interface{ progress() }

// AttemptStarted says that the model is asked. Retry names the classes of what was
// wrong with the attempt before, "" for a first attempt or a continuation; it holds
// no text of the model's.
type AttemptStarted struct {
	Attempt int
	Retry   string
}

// Provisional is a piece of the narration of an output that has not passed yet: no
// JSON, no variable commands, no thoughts of the model. It comes only if the setting
// conflict.intercept_output is off, and may be retracted.
type Provisional struct {
	Attempt int
	Text    string
	// Audience are those who may see it; empty: everybody.
	Audience []string
}

// Retracted takes back everything that was shown of an attempt.
type Retracted struct {
	Attempt int
}

// Narration is a piece of the final text. The pieces of a turn add up to it, byte
// for byte. It comes after the commit.
type Narration struct {
	Text string
	// Speaker is the member of the cast who says it, empty without a cast.
	Speaker string
	// Audience are those who may see it; empty: everybody.
	Audience []string
}

// HostEffect hands over an effect that the library cannot carry out, after the
// commit and at most once; see [Engine.Handover] for what a dead process has kept.
type HostEffect struct {
	By     string
	Effect effect.Effect
}

// Finished is the last event: only it is authoritative.
type Finished struct {
	Outcome  turn.Outcome
	Messages []string // what hooks added for the player
}

func (AttemptStarted) progress() {}
func (Provisional) progress()    {}
func (Retracted) progress()      {}
func (Narration) progress()      {}
func (HostEffect) progress()     {}
func (Finished) progress()       {}

// sent// runner carries out one instruction.
type runner struct {
	engine  *Engine
	ctx     context.Context
	cancel  context.CancelFunc
	id      string
	yield   func(Progress, error) bool
	stopped bool         // the consumer has gone
	shown   int          // attempt of which provisional text is on the screen, 0: none
	after   bool         // what follows from the instruction, which has had its outcome
	cause   error        // of a failed call of the model or the store
	again   bool         // the instruction came before, and waits for people since
	lease   *lease       // nil where the store is no desk
	beside  turn.Suggest // what is asked beside the story, if that is the instruction
	watch   *watch.Watch // nil: nobody observes
	outcome *turn.Outcome
	// answered are the keys of the calls that were answered, by the model or by the ledger.
	answered []string
}

func (r *runner) emit(p Progress) {
	if done, ok := p.(Finished); ok {
		o := done.Outcome
		r.outcome = &o
	}
	if r.stopped {
		return
	}
	if !r.yield(p, nil) {
		r.stopped = true
		r.cancel()
	}
}

// inner is the context for what the instruction does, with what observers have added.
func (r *runner) inner() context.Context { return r.watch.Context(r.ctx) }

// show emits the text for the player and the effects for the host.
func (r *runner) show(todo turn.Todo) {
	if todo.Show != nil {
		replies := todo.Show.Replies
		if replies == nil {
			replies = []state.Reply{{Text: todo.Show.Text}}
		}
		for _, reply := range replies {
			for piece := range sentences(reply.Text) {
				r.emit(Narration{Text: piece, Speaker: reply.Speaker, Audience: todo.Show.Audience})
			}
		}
	}
	for _, c := range todo.Host {
		r.emit(HostEffect{c.By, c.Effect})
	}
}

// finish emits the outcome, if there is one.
func (r *runner) finish(todo turn.Todo, version int64) {
	if todo.Outcome == nil {
		return
	}
	o := *todo.Outcome
	if o.Status == turn.Conflict || o.Status == turn.Cancelled ||
		o.Status == turn.Failed && o.Failure != nil && o.Failure.Kind != failure.Store {
		r.forget(version + 1) // the place at which the next answer is looked for
	}
	if o.Version = version; todo.Show != nil {
		o.Messages = todo.Show.Messages
	}
	r.emit(Finished{Outcome: o, Messages: o.Messages})
}

// retract takes back the provisional text that is on the screen.
func (r *runner) retract() {
	if r.shown > 0 {
		r.emit(Retracted{r.shown})
		r.shown = 0
	}
}

// tellPanics writes the panics of tools to the logger, but for those that it has heard of, and
// returns how many there are.
func (r *runner) tellPanics(m *turn.Machine, told int) int {
	all := m.Panics()
	for _, p := range all[min(told, len(all)):] {
		r.logPanic(p)
	}
	return len(all)
}

func (r *runner) logPanic(p tool.Panic) {
	r.engine.cfg.Logger.Error("campaign: a tool panicked", "campaign", r.id, "tool", p.Tool,
		"panic", p.Value, "stack", string(p.Stack))
}

// wait ends an instruction whose turn waits for people. What players have seen of the text stays.
func (r *runner) wait(m *turn.Machine) {
	c := m.Campaign()
	q := c.PendingApproval.Question.ForPlayers()
	r.emit(Finished{Outcome: turn.Outcome{
		Status: turn.Waiting, Replayed: r.again, Approval: &q, Version: c.Version,
	}})
}

func refusedOutcome(code state.RefusalCode) *turn.Outcome {
	return &turn.Outcome{Status: turn.Refused, Reason: string(code)}
}

// sentences cuts a text after its sentences. The pieces add up to the text.
func sentences(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		ended := false
		for i, r := range text {
			end := false
			switch r {
			case '。', '！', '？', '!', '?', '…', '\n', '.', ';', '；':
				end = true
			}
			if ended && !end && i > start {
				if !yield(text[start:i]) {
					return
				}
				start = i
			}
			ended = end
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}
