package turn

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/worldbook"
)

// answers lists the inputs that answer a question of [Machine.Todo].
var answers = kinds(
	kindOf[Routed],
	kindOf[HooksRan],
	kindOf[Recalled],
	kindOf[Retrieved],
	kindOf[Replied],
	kindOf[GenerateFailed],
	kindOf[Answered],
	kindOf[Judged],
	kindOf[Committed],
	kindOf[CommitFailed],
)

// Routed answers [Todo.Route].
type Routed struct {
	Decision *state.RouteDecision `json:"decision,omitempty"`
	Error    string               `json:"error,omitempty"`
}

// HooksRan answers [Todo.Hooks].
type HooksRan struct {
	Result hooks.Result `json:"result"`

	// Refused are the effects that cannot be stored; [Machine.Step] takes them out of
	// the result.
	Refused []turntrace.RefusedEffect `json:"refused_effects,omitempty"`
}

// Recalled answers [Todo.Recall]. Items that do not belong to the story are left out, see
// [turntrace.Memory]; those behind the first [memory.MaxItems] are not looked at. An error
// leaves the turn without memories.
type Recalled struct {
	Items []memory.Item `json:"items,omitempty"`
	Error string        `json:"error,omitempty"`
}

// Retrieved answers [Todo.Retrieve], best entry first; ids of unknown entries and those
// beyond the limit are ignored. An error leaves the lore to its keys.
type Retrieved struct {
	IDs   []worldbook.ID `json:"ids,omitempty"`
	Error string         `json:"error,omitempty"`
}

// Replied answers [Todo.Generate] with the model's whole answer.
type Replied struct {
	Text      string         `json:"text"`
	ToolCalls []llm.ToolCall `json:"tool_calls,omitempty"`
	Usage     *llm.Usage     `json:"usage,omitempty"`
	// Finish says why the answer ended, as far as the provider does. One that ended by
	// length or was filtered is unfinished: it is asked for again.
	Finish llm.FinishReason `json:"finish,omitempty"`
	// Reasoning is the model's thinking, and Warnings what the adapter had to say. They
	// are kept in the [state.Attempt] and never become part of a prompt.
	Reasoning string `json:"reasoning,omitempty"`
	// Thoughts are the parts of the thinking that the provider wants back with the
	// results of calls. They are sent in the next request of the turn and not kept.
	Thoughts []llm.Thought `json:"thoughts,omitempty"`
	Warnings []llm.Warning `json:"warnings,omitempty"`
	// First is the first piece of a text that was streamed, if [question.Generate.First] asks for it:
	// at most [MaxFirstBytes] of it.
	First string `json:"first_chunk,omitempty"`
	// Cut says that the answer was longer than [MaxReplyBytes]; [Machine.Step] sets it.
	Cut bool `json:"cut,omitempty"`
}

// GenerateFailed answers [Todo.Generate] when the model could not be asked to the
// end. The turn is dropped and may be submitted again.
type GenerateFailed struct {
	Reason    failure.Code `json:"reason"` // such as [failure.TransportFailed], or an [llm.ErrorCode]
	Cancelled bool         `json:"cancelled,omitempty"`
	// Retry says whether the same request may succeed later, RetryAfter after what
	// time, if the provider said so.
	Retry      bool          `json:"retry,omitempty"`
	RetryAfter time.Duration `json:"retry_after,omitempty"`
}

// Judged answers [Todo.Judge]. An error never blocks a text.
type Judged struct {
	Verdicts []conflict.Verdict `json:"verdicts,omitempty"`
	Error    string             `json:"error,omitempty"`
}

// Committed answers [Todo.Commit]: the record is safe.
type Committed struct{}

// CommitFailed answers [Todo.Commit]: nothing was written. Reason is [failure.VersionConflict] when
// another writer was faster, else [failure.StoreFailed], and Detail says more.
type CommitFailed struct {
	Reason failure.Code `json:"reason"`
	Detail string       `json:"detail,omitempty"`
}

func (Routed) inputType() string         { return "routed" }
func (HooksRan) inputType() string       { return "hooks_ran" }
func (Recalled) inputType() string       { return "recalled" }
func (Retrieved) inputType() string      { return "retrieved" }
func (Replied) inputType() string        { return "replied" }
func (GenerateFailed) inputType() string { return "generate_failed" }
func (Judged) inputType() string         { return "judged" }
func (Committed) inputType() string      { return "committed" }
func (CommitFailed) inputType() string   { return "commit_failed" }

// cleaned bounds the answer, and drops what an adapter remembers of a call and is no JSON.
func (in Replied) cleaned() Input {
	in.ToolCalls = slices.Clone(in.ToolCalls)
	for n, c := range in.ToolCalls {
		extra := maps.Clone(c.Extra)
		maps.DeleteFunc(extra, func(_ string, v json.RawMessage) bool { return !json.Valid(v) })
		in.ToolCalls[n].Extra = extra
	}
	return in.bound()
}

// cleaned drops the items that are too many.
func (in Recalled) cleaned() Input {
	in.Items = slices.Clone(in.Items[:min(len(in.Items), memory.MaxItems)])
	return in
}

// cleaned refuses the effects that cannot be stored.
func (in HooksRan) cleaned() Input {
	effects, refused := readable("hooks", in.Result.Effects)
	in.Result.Effects, in.Refused = effects, append(slices.Clip(in.Refused), refused...)
	return in
}
