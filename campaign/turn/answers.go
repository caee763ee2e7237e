package turn

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
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

	// Refused lists the effects that cannot be stored. [Machine.Step] removes them from the result.
	Refused []state.TraceRefusedEffect `json:"refused_effects,omitempty"`
}

// Recalled answers [Todo.Recall]. Items that do not belong to the story are dropped, see
// [state.TraceMemory]. Items after the first [memory.MaxItems] are ignored. With an error the turn
// has no memories.
type Recalled struct {
	Items []memory.Item `json:"items,omitempty"`
	Error string        `json:"error,omitempty"`
}

// Retrieved answers [Todo.Retrieve], best entry first. IDs of unknown entries and IDs beyond the
// limit are ignored. With an error only the keys activate lore.
type Retrieved struct {
	IDs   []worldbook.ID `json:"ids,omitempty"`
	Error string         `json:"error,omitempty"`
}

// Replied answers [Todo.Generate] with the model's whole answer.
type Replied struct {
	Text      string         `json:"text"`
	ToolCalls []llm.ToolCall `json:"tool_calls,omitempty"`
	Usage     *llm.Usage     `json:"usage,omitempty"`
	// Finish says why the answer ended, if the provider reports it. An answer that ended by length
	// or was filtered is unfinished: the model is asked again.
	Finish llm.FinishReason `json:"finish,omitempty"`
	// Reasoning is the model's thinking, Warnings are the warnings of the adapter. They are stored
	// in the [state.Attempt] and are never part of a prompt.
	Reasoning string `json:"reasoning,omitempty"`
	// Thoughts are the parts of the thinking that the provider wants back with the results of
	// calls. They are sent in the next request of the turn and not stored.
	Thoughts []llm.Thought `json:"thoughts,omitempty"`
	Warnings []llm.Warning `json:"warnings,omitempty"`
	// First is the first piece of a streamed text, if [question.Generate.First] asks for it: at
	// most 1024 bytes.
	First string `json:"first_chunk,omitempty"`
	// Cut reports whether the answer was longer than [MaxReplyBytes]. [Machine.Step] sets it.
	Cut bool `json:"cut,omitempty"`
}

// ReplyOf converts the whole answer of a model to an input.
func ReplyOf(r llm.Response) Replied {
	message := r.Message
	return Replied{Text: message.Text, ToolCalls: message.ToolCalls, Usage: r.Usage, Finish: r.Finish,
		Reasoning: message.Reasoning, Thoughts: message.Thoughts, Warnings: r.Warnings}
}

// GenerateFailed answers [Todo.Generate] when the model gave no complete answer. The turn is
// dropped and may be submitted again.
type GenerateFailed struct {
	Reason    FailureCode `json:"reason"` // such as [TransportFailed], or an [llm.ErrorCode]
	Cancelled bool        `json:"cancelled,omitempty"`
	// Retry reports whether the same request may succeed later. RetryAfter is the time to wait, if
	// the provider reported one.
	Retry      bool          `json:"retry,omitempty"`
	RetryAfter time.Duration `json:"retry_after,omitempty"`
}

// Judged answers [Todo.Judge]. An error never blocks a text.
type Judged struct {
	Verdicts []conflict.Verdict `json:"verdicts,omitempty"`
	Error    string             `json:"error,omitempty"`
	// Usage counts the tokens, if the model of the campaign answered.
	Usage *llm.Usage `json:"usage,omitempty"`
}

// Committed answers [Todo.Commit]: the record is stored.
type Committed struct{}

// CommitFailed answers [Todo.Commit]: nothing was written. Reason is [VersionConflict] when a
// different writer was faster, else [StoreFailed]. Detail has more information.
type CommitFailed struct {
	Reason FailureCode `json:"reason"`
	Detail string      `json:"detail,omitempty"`
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

// turnAnswer is an answer that continues a running turn.
type turnAnswer interface {
	Input
	// applyTo stores the answer in the turn, or changes the turn by it.
	applyTo(*play.Turn)
}

func (in Routed) applyTo(t *play.Turn)    { play.Routed(t, in.Decision, in.Error) }
func (in HooksRan) applyTo(t *play.Turn)  { t.Stage.MergeHookResult(in.Result, in.Refused) }
func (in Recalled) applyTo(t *play.Turn)  { play.Recalled(t, in.Items, in.Error) }
func (in Retrieved) applyTo(t *play.Turn) { play.Retrieved(t, in.IDs, in.Error) }
func (in Replied) applyTo(t *play.Turn)   { t.Out.Reply = play.Reply(in) }
func (in Answered) applyTo(t *play.Turn)  { play.AnsweredOutside(t, in.Answer) }
func (in Judged) applyTo(t *play.Turn)    { play.Judged(t, in.Verdicts, in.Error, in.Usage) }

// cleaned drops the items after the first [memory.MaxItems].
func (in Recalled) cleaned() Input {
	in.Items = slices.Clone(in.Items[:min(len(in.Items), memory.MaxItems)])
	return in
}

// PastRead answers [Todo.Past]. With an error, or if a turn is missing, the instruction fails with
// a store failure and changes nothing.
//
// A PastRead is not an input of a record or of [Machine.Journal].
type PastRead struct {
	State *state.State
	Turns []state.Turn
	// Jumps is the complete [state.Campaign.OlderJumps]. Branch is nil if there is no branch with
	// that ID.
	Jumps  [][2]int
	Branch *state.Branch
	Error  string
}

// Answered answers [Todo.Outside]. If the JSON form of the answer is longer than [MaxReplyBytes],
// or nested deeper than 64 levels, its call is refused with internal_error.
type Answered struct {
	Answer tool.Answer `json:"answer"`
}

func (Answered) inputType() string { return "answered" }

// maxAnswerDepth limits the nesting of an answer, because records store answers.
const maxAnswerDepth = 64

// cleaned refuses an answer that is too long or nested too deep for a record.
func (in Answered) cleaned() Input {
	size := 0
	for _, v := range []tree.Value{in.Answer.Value, in.Answer.Hint} {
		if nestedDeeper(v, maxAnswerDepth) {
			return Answered{tool.Answer{Reason: tool.CallToolFailed, Hint: tree.Text("the answer is nested too deep")}}
		}
		if v.Exists() {
			size += len(v.AppendJSON(nil))
		}
	}
	if size > MaxReplyBytes {
		return Answered{tool.Answer{Reason: tool.CallToolFailed,
			Hint: tree.Text(fmt.Sprintf("the answer has more than %d bytes", MaxReplyBytes))}}
	}
	return in
}

// nestedDeeper reports whether a value has more than the given levels.
func nestedDeeper(v tree.Value, levels int) bool {
	switch v.Kind() {
	case tree.KindArray:
		for i := range v.Len() {
			if levels == 0 || nestedDeeper(v.At(i), levels-1) {
				return true
			}
		}
	case tree.KindObject:
		for _, m := range v.Members() {
			if levels == 0 || nestedDeeper(m, levels-1) {
				return true
			}
		}
	}
	return false
}

func (PastRead) inputType() string { return "past_read" }

// cleaned refuses the effects that cannot be stored.
func (in HooksRan) cleaned() Input {
	effects, refused := draft.Readable("hooks", in.Result.Effects)
	in.Result.Effects, in.Refused = effects, append(slices.Clip(in.Refused), refused...)
	return in
}

// cleaned limits the answer, and drops the extra members of calls that are not valid JSON.
func (in Replied) cleaned() Input {
	in.ToolCalls = slices.Clone(in.ToolCalls)
	for n, c := range in.ToolCalls {
		extra := maps.Clone(c.Extra)
		maps.DeleteFunc(extra, func(_ string, v json.RawMessage) bool { return !json.Valid(v) })
		in.ToolCalls[n].Extra = extra
	}
	return in.limited()
}

// boundThoughts returns the thoughts, or nil if they have more than limit bytes. An incomplete list
// is useless: the provider cannot verify it.
func boundThoughts(thoughts []llm.Thought, limit int) []llm.Thought {
	for _, thought := range thoughts {
		limit -= len(thought.Provider) + len(thought.Text) + len(thought.Signature) + len(thought.Redacted) + callCost
	}
	if limit < 0 {
		return nil
	}
	return thoughts
}

// limited returns the answer within the limits of this file. Text after [MaxReplyBytes] is removed.
func (r Replied) limited() Replied {
	r.Reasoning = utf8text.Cut(r.Reasoning, maxReasoning)
	r.First = utf8text.Cut(r.First, maxFirstBytes)
	r.Thoughts = boundThoughts(r.Thoughts, MaxReplyBytes)
	r.Warnings = slices.Clone(r.Warnings[:min(len(r.Warnings), maxWarnings)])
	for i := range r.Warnings {
		r.Warnings[i].Code = utf8text.Cut(r.Warnings[i].Code, draft.MaxText)
		r.Warnings[i].Detail = utf8text.Cut(r.Warnings[i].Detail, draft.MaxText)
	}
	room := MaxReplyBytes - len(r.Text)
	if room < 0 {
		r.Text, r.Cut, room = utf8text.Cut(r.Text, MaxReplyBytes), true, 0
	}
	for i, c := range r.ToolCalls {
		// Each call also costs callCost, so an empty call is not free.
		if room -= len(c.ID) + len(c.Name) + len(c.Arguments) + len(c.Signature) + callCost; room < 0 {
			r.ToolCalls, r.Cut = r.ToolCalls[:i:i], true
			break
		}
	}
	return r
}

// Limits of one answer of a model. Whatever exceeds them is refused in words that the model and the
// log see. Nothing is dropped silently.
const (
	// MaxReplyBytes limits one answer: its text and the names and arguments of its native calls. A
	// longer answer is cut there and counts as malformed output.
	MaxReplyBytes = 1 << 20
	// maxFirstBytes limits the first piece of an answer.
	maxFirstBytes = 1 << 10
)

// Limits of the stored parts of a reply other than its text and calls.
const (
	maxReasoning = 64 << 10 // bytes
	maxWarnings  = 16
)

// callCost is the cost of a call in bytes, in addition to its texts.
const callCost = 64
