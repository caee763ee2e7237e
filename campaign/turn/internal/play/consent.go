package play

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/adjudicate"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/internal/utf8text"
)

// consent is what people are asked, and have said, about the calls of one output.
type Consent struct {
	calls   []approval.Call              // accepted ones about which people are to be asked
	Decided map[string]approval.Decision // what they said, by the id of the call; nil before
	Heard   map[string]tool.Answer       // from outside the game, by id, tool and arguments
	Refused []approval.Refused           // what could not be carried out as they decided
	Spent   bool                         // they denied something, and the model is not asked again
	Opened  *Snapshot                    // before the calls; nil if nobody will be asked
	Asked   *Snapshot                    // when they were asked
}

// Snapshot is what the calls of an output change in a turn, so that they can be judged again.
type Snapshot struct {
	staged             stage.Progress
	before             map[string]state.CallCode // what had been refused, by tool and arguments
	calling            Calling
	Unsettled          []state.FailedCall
	findings, blocking []conflict.Conflict
	attempt            state.Attempt
	calls              []approval.Call
	Decided            map[string]approval.Decision
	Approvals          int
}

// Keep remembers where the judging of the calls stands.
func Keep(t *Turn) *Snapshot {
	return &Snapshot{
		staged: t.Stage.Staged.Clone(), before: maps.Clone(t.Calls.Refused), calling: t.Out.Calling,
		Unsettled: t.Out.Unsettled, findings: t.Out.Findings, blocking: t.Out.Blocking,
		attempt: t.Attempts[len(t.Attempts)-1], calls: t.People.Consent.calls,
		Decided: maps.Clone(t.People.Consent.Decided), Approvals: len(t.People.Given),
	}
}

// Restore goes back there, but for what people have decided.
func Restore(t *Turn, b *Snapshot) {
	t.Stage.Staged, t.Calls.Refused, t.Out.Calling = b.staged.Clone(), maps.Clone(b.before), b.calling
	t.Out.Unsettled, t.Out.Findings, t.Out.Blocking = b.Unsettled, b.findings, b.blocking
	t.Attempts = append(slices.Clone(t.Attempts[:len(t.Attempts)-1]), b.attempt)
	t.People.Consent.calls = b.calls
}

// Denial is the ruling about a call that people have denied, nil if they have not.
func (c *Consent) Denial(call answer.RawCall, text string) *state.FailedCall {
	d, decided := c.Decided[call.ID]
	if !decided || d.Verdict != approval.Deny {
		return nil
	}
	failed := &state.FailedCall{ID: call.ID, Tool: call.Tool, Status: state.CallRejected, Reason: tool.CallDenied,
		Message: text}
	if d.Reason != "" {
		failed.Message += ": " + utf8text.Cut(d.Reason, stage.MaxText/2)
	}
	return failed
}

// Ask notes an accepted call about which people are to be asked.
func (c *Consent) Ask(r adjudicate.Ruling, affects []string) {
	effects, _ := stage.Readable("", r.Judgement.Effects)
	c.calls = append(c.calls, approval.Call{ID: r.Call.ID, Tool: r.Call.Tool, Args: r.Call.Args, Reason: r.Call.Reason,
		Result: r.Judgement.Result, Effects: effects, Affects: affects})
}

// Open lists the calls that nobody has decided about.
func (c *Consent) Open() []approval.Call {
	return slices.DeleteFunc(slices.Clone(c.calls), func(call approval.Call) bool {
		_, decided := c.Decided[call.ID]
		return decided
	})
}

// Revised is a call as people want it.
func (c *Consent) Revised(call answer.RawCall) answer.RawCall {
	if d, decided := c.Decided[call.ID]; decided && d.Verdict == approval.Edit {
		call.Args = d.Args
	}
	return call
}

// Edits reports whether people have decided about the output, and not denied in vain: what its
// text then contradicts is theirs to say.
func (c *Consent) Edits() bool { return c.Decided != nil && !c.Spent }

// Hear remembers what was found outside the game, so that nobody is asked twice.
func (c *Consent) Hear(call answer.RawCall, found tool.Answer) {
	if c.Opened == nil {
		return
	}
	if c.Heard == nil {
		c.Heard = map[string]tool.Answer{}
	}
	c.Heard[HeardKey(call)] = found
}

// HeardKey names a call among those that were heard of outside the game.
func HeardKey(call answer.RawCall) string {
	return call.ID + " " + adjudicate.CallKey(tool.Call{Tool: call.Tool, Args: call.Args})
}
