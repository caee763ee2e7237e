package turn

import (
	"context"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Todo is what a [Machine] wants done: one question or one ending, never both. While an
// instruction runs, exactly one of the questions (Past, Route, Hooks, Recall, Retrieve, Generate,
// Outside, Judge, Approve, Commit) is set; the machine waits for the answer that its comment names. The fields
// below them are set when an instruction has ended, and are to be acted on in their order;
// nothing answers them but Summarize.
type Todo struct {
	// Past: read in the log what the campaign does not hold, answer with [PastRead].
	Past *PastQuestion
	// Route: ask the router, answer with [Routed].
	Route *RouteQuestion
	// Hooks: run the hooks for an event, answer with [HooksRan].
	Hooks *HookRun
	// Recall: ask the memory, answer with [Recalled].
	Recall *memory.Query
	// Retrieve: ask the retriever of lore, answer with [Retrieved].
	Retrieve *RetrieveQuestion
	// Generate: send the request to the model, answer with [Replied] or
	// [GenerateFailed]. Show nothing of the answer unless Intercept is false.
	Generate *Generation
	// Outside: find out what a tool wants to know, answer with [Answered].
	Outside *OutsideCall
	// Judge: ask the second model, answer with [Judged].
	Judge *JudgeQuestion
	// Approve: ask people, for as long as it takes; answer with [Approve] or [Discard]. The
	// campaign holds the question, so that a machine of any process waits for the answer.
	// Until then other instructions are refused, and nothing that players see may tell of it.
	Approve *approval.Question
	// Commit: append the record to the store, expecting its version minus one,
	// and answer with [Committed] or [CommitFailed]. Show nothing before that.
	Commit *Record

	// Show: the text for the player, valid now that the turn is committed.
	Show *Shown
	// Host: effects that the library cannot carry out, in order, each at most once.
	Host []effect.Caused
	// Announce: events that hooks wait for. Give each back as an instruction, once
	// the text is shown.
	Announce []Announce
	// Outcome: how the instruction ended.
	Outcome *Outcome
	// Summarize: the unsummarised history is long. Answer with [Summarized] when
	// convenient; any other instruction may come first.
	Summarize *SummarizeQuestion
}

// Shown is what the player gets to see of a turn.
type Shown struct {
	// Text is the narration, changed by the scripts for what is displayed.
	Text string
	// Replies are the parts of Text that members of a cast speak.
	Replies []state.Reply
	// Messages are what hooks added to the turn.
	Messages []string
	// Audience are those who may see it; empty: everybody.
	Audience []string
}

// RouteQuestion asks which dialog type a submission belongs to.
type RouteQuestion struct {
	Input    string   // the player's line
	Manual   string   // the type that the player chose
	Known    []string // the registered types
	Campaign string
}

// Generation is a request for the model.
type Generation struct {
	Request Request
	// Attempt counts the outputs of the turn, from 1.
	Attempt int
	// Retry says why this is not the first: "" for a first request or a
	// continuation, else the classes of what was wrong, such as "refused_calls".
	Retry string
	// Intercept forbids to show anything of the answer before the turn is
	// committed.
	Intercept bool
	// Key names the call: in whichever process, the same request of the same campaign at the
	// same version has the same key. [campaign.Engine] sets it.
	Key string
	// First asks for [Replied.First]: a hook waits for it.
	First bool
	// Audience are those who may see what comes of it; empty: everybody.
	Audience []string

	seen int // messages that the model was sent before in this turn
}

// JudgeQuestion asks a second model about doubtful findings.
type JudgeQuestion struct {
	Narration string
	Expected  tree.Value // the authoritative state
	Applied   []state.Applied
	Findings  []conflict.Conflict
}

// SummarizeQuestion asks for a new summary. Where some of the turns are private it has several
// [SummarizeQuestion.Parts].
type SummarizeQuestion struct {
	Old state.Summary
	// Turns are those that it does not cover yet, oldest first, as a model may see them:
	// without changes, commands and traces, which name variables that it may not.
	Turns []state.Turn
	// Unread are turns before those, which the head does not hold: read them in the log first.
	Unread []string
	// Witnesses are those who alone know of all that, in one of its [SummarizeQuestion.Parts]:
	// nobody else is to read the answer. Empty: everybody.
	Witnesses []string
}

// HookRun is a ready call of hooks for one event. Run it once.
type HookRun struct {
	Event on.Event
	State hooks.State
	Env   hooks.Env
	set   *hooks.Set
}

// Run runs the hooks. Sinks and Clock of the environment are the host's: set them
// before, or leave them empty to get external effects back as data.
func (h *HookRun) Run(ctx context.Context) HooksRan {
	return HooksRan{Result: hooks.Run(ctx, h.set, h.Event, h.State, h.Env)}
}
