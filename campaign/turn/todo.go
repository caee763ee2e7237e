package turn

import (
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules/effect"
)

// Todo is what a [Machine] wants done: one question or one ending, never both. While an
// instruction runs, exactly one of the questions (Past, Route, Hooks, Recall, Retrieve, Generate,
// Outside, Judge, Approve, Commit) is set; the machine waits for the answer that its comment names. The fields
// below them are set when an instruction has ended, and are to be acted on in their order;
// nothing answers them but Summarize.
type Todo struct {
	// Past: read in the log what the campaign does not hold, answer with [PastRead].
	Past *question.Past
	// Route: ask the router, answer with [Routed].
	Route *question.Route
	// Hooks: run the hooks for an event, answer with [HooksRan].
	Hooks *question.Hooks
	// Recall: ask the memory, answer with [Recalled].
	Recall *memory.Query
	// Retrieve: ask the retriever of lore, answer with [Retrieved].
	Retrieve *question.Retrieve
	// Generate: send the request to the model, answer with [Replied] or
	// [GenerateFailed]. Show nothing of the answer unless Intercept is false.
	Generate *question.Generate
	// Outside: find out what a tool wants to know, answer with [Answered].
	Outside *question.Outside
	// Judge: ask the second model, answer with [Judged].
	Judge *question.Judge
	// Approve: ask people, for as long as it takes; answer with [Approve] or [Discard]. The
	// campaign holds the question, so that a machine of any process waits for the answer.
	// Until then other instructions are refused, and nothing that players see may tell of it.
	Approve *state.ApprovalQuestion
	// Commit: append the record to the store, expecting its version minus one,
	// and answer with [Committed] or [CommitFailed]. Show nothing before that.
	Commit *Record

	// Show: the text for the player, valid now that the turn is committed.
	Show *Shown
	// Host: effects that the library cannot carry out, in order, each at most once.
	Host []effect.Caused
	// HostAudience are those who may see what the host makes of these effects: who heard what led
	// to them; empty: everybody.
	HostAudience []string
	// Announce: events that hooks wait for. Give each back as an instruction, once
	// the text is shown.
	Announce []Announce
	// Outcome: how the instruction ended.
	Outcome *Outcome
	// Summarize: the unsummarised history is long. Answer with [Summarized] when
	// convenient; any other instruction may come first.
	Summarize *question.Summarize
}

// turnQuestion is what a running turn may ask.
type turnQuestion interface {
	question.Past | question.Route | memory.Query | question.Retrieve | question.Generate | question.Outside | question.Judge
}

// todoOf is a question of a turn as something that is to be done.
func todoOf[Q turnQuestion](what *Q) Todo {
	switch q := any(what).(type) {
	case *question.Past:
		return Todo{Past: q}
	case *question.Route:
		return Todo{Route: q}
	case *memory.Query:
		return Todo{Recall: q}
	case *question.Retrieve:
		return Todo{Retrieve: q}
	case *question.Generate:
		return Todo{Generate: q}
	case *question.Outside:
		return Todo{Outside: q}
	case *question.Judge:
		return Todo{Judge: q}
	}
	return Todo{}
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

// aftermath is an instruction that may be what another one has led to.
type aftermath interface {
	// settles reports whether it is what is left to do, and takes it off.
	settles(left *Todo) bool
}

// Settle reports whether a record is of something that an earlier instruction has ended with: its
// first announcement, or its summary. That is then no longer to be done.
func (t *Todo) Settle(rec Record) bool {
	if len(rec.Inputs) == 0 {
		return false
	}
	in, ok := withoutID(rec.Inputs[0]).(aftermath)
	return ok && in.settles(t)
}
