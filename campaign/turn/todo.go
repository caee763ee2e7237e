package turn

import (
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules/effect"
)

// Todo is what to do for a [Machine]: one question or one ending, never both. While an instruction
// runs, exactly one of the questions (Past, Route, Hooks, Recall, Retrieve, Generate, Outside,
// Judge, Approve, Commit) is set. The machine waits for the answer that the comment of the field
// names. The fields after the questions are set when an instruction has ended. Handle them in their
// order; only Summarize needs an answer.
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
	// Outside: ask outside the game for a tool, answer with [Answered].
	Outside *question.Outside
	// Judge: ask the second model, answer with [Judged].
	Judge *question.Judge
	// Approve: ask people, without a time limit; answer with [Approve] or [Discard]. The campaign
	// stores the question, so a machine of any process can wait for the answer. Until then other
	// instructions are refused, and players must not see any sign of the question.
	Approve *state.ApprovalQuestion
	// Commit: append the record to the store, expecting its version minus one, and answer with
	// [Committed] or [CommitFailed]. Show nothing before that.
	Commit *Record

	// Show: the text for the player, valid now that the turn is committed.
	Show *Shown
	// Host: effects that the library cannot apply, in order, each at most once.
	Host []effect.Attributed
	// HostAudience lists the characters who may see the results of these effects; empty: everybody.
	HostAudience []string
	// Announce: events that hooks wait for. Give each back as an instruction, after the text is
	// shown.
	Announce []Announce
	// Outcome: how the instruction ended.
	Outcome *Outcome
	// Summarize: the unsummarised history is long. Answer with [Summarized] when
	// convenient; any other instruction may come first.
	Summarize *question.Summarize
}

// turnQuestion is a question that a running turn may ask.
type turnQuestion interface {
	question.Past | question.Route | memory.Query | question.Retrieve | question.Generate | question.Outside | question.Judge
}

// todoOf returns the Todo of a question of a turn.
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

// Shown is the part of a turn that the player sees.
type Shown struct {
	// Text is the narration, after the scripts for displayed text.
	Text string
	// Replies are the parts of Text that members of a cast speak.
	Replies []state.Reply
	// Messages are texts that hooks added to the turn.
	Messages []string
	// Audience lists the characters who may see it; empty: everybody.
	Audience []string
}

// aftermath is an instruction that may be the follow-up of an earlier instruction.
type aftermath interface {
	// settles reports whether the instruction is left to do, and removes it from the list.
	settles(left *Todo) bool
}

// Settle reports whether a record is the follow-up of an earlier instruction: its first
// announcement, or its summary. Settle then removes it from t.
func (t *Todo) Settle(rec Record) bool {
	if len(rec.Inputs) == 0 {
		return false
	}
	in, ok := withoutID(rec.Inputs[0]).(aftermath)
	return ok && in.settles(t)
}
