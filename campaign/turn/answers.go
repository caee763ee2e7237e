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

	// Refused are the effects that cannot be stored; [Machine.Step] takes them out of
	// the result.
	Refused []state.TraceRefusedEffect `json:"refused_effects,omitempty"`
}

// Recalled answers [Todo.Recall]. Items that do not belong to the story are left out, see
// [state.TraceMemory]; those behind the first [memory.MaxItems] are not looked at. An error
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

// ReplyOf is a whole answer of a model as a machine takes it.
func ReplyOf(r llm.Response) Replied {
	said := r.Message
	return Replied{Text: said.Text, ToolCalls: said.ToolCalls, Usage: r.Usage, Finish: r.Finish,
		Reasoning: said.Reasoning, Thoughts: said.Thoughts, Warnings: r.Warnings}
}

// GenerateFailed answers [Todo.Generate] when the model could not be asked to the
// end. The turn is dropped and may be submitted again.
type GenerateFailed struct {
	Reason    FailureCode `json:"reason"` // such as [TransportFailed], or an [llm.ErrorCode]
	Cancelled bool        `json:"cancelled,omitempty"`
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

// CommitFailed answers [Todo.Commit]: nothing was written. Reason is [VersionConflict] when
// another writer was faster, else [StoreFailed], and Detail says more.
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

// turnAnswer is an answer with which a running turn goes on.
type turnAnswer interface {
	Input
	// tell tells the turn.
	tell(*play.Turn)
}

func (in Routed) tell(t *play.Turn)    { play.Routed(t, in.Decision, in.Error) }
func (in HooksRan) tell(t *play.Turn)  { t.Stage.TakeHooks(in.Result, in.Refused) }
func (in Recalled) tell(t *play.Turn)  { play.Recalled(t, in.Items, in.Error) }
func (in Retrieved) tell(t *play.Turn) { play.Retrieved(t, in.IDs, in.Error) }
func (in Replied) tell(t *play.Turn)   { t.Out.Reply = play.Reply(in) }
func (in Answered) tell(t *play.Turn)  { play.HeardOutside(t, in.Answer) }
func (in Judged) tell(t *play.Turn)    { play.Judged(t, in.Verdicts, in.Error) }

// cleaned drops the items that are too many.
func (in Recalled) cleaned() Input {
	in.Items = slices.Clone(in.Items[:min(len(in.Items), memory.MaxItems)])
	return in
}

// PastRead answers [Todo.Past]. An error, or a turn that is missing, ends the instruction as a
// failure of the store, and changes nothing.
//
// It is no input of a record, nor of [Machine.Journal].
type PastRead struct {
	State *state.State
	Turns []state.Turn
	// Jumps are all of [state.Campaign.OlderJumps]. Branch is nil if there is none of that id.
	Jumps  [][2]int
	Branch *state.Branch
	Error  string
}

// Answered answers [Todo.Outside]. An answer whose JSON form is longer than
// [MaxReplyBytes], or nested deeper than 64 levels, refuses its call with internal_error.
type Answered struct {
	Answer tool.Answer `json:"answer"`
}

func (Answered) inputType() string { return "answered" }

// maxAnswerDepth is the bound of nesting of an answer, which stands in records.
const maxAnswerDepth = 64

// cleaned refuses what a record has no room for.
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

// boundThoughts returns the thoughts, or none of them where they hold more than limit bytes: a part of
// them proves nothing to the provider.
func boundThoughts(thoughts []llm.Thought, limit int) []llm.Thought {
	for _, thought := range thoughts {
		limit -= len(thought.Provider) + len(thought.Text) + len(thought.Signature) + len(thought.Redacted) + callCost
	}
	if limit < 0 {
		return nil
	}
	return thoughts
}

// bound cuts an answer at [MaxReplyBytes].
func (r Replied) bound() Replied {
	r.Reasoning = utf8text.Cut(r.Reasoning, maxReasoning)
	r.First = utf8text.Cut(r.First, MaxFirstBytes)
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
		// A call costs more than its bytes: an empty one is not free.
		if room -= len(c.ID) + len(c.Name) + len(c.Arguments) + len(c.Signature) + callCost; room < 0 {
			r.ToolCalls, r.Cut = r.ToolCalls[:i:i], true
			break
		}
	}
	return r
}

// Bounds of what one answer of a model can make grow. What is over them is refused
// in words that the model and the log see; nothing is dropped in silence.
const (
	// MaxReplyBytes is the room for one answer: its text and the names and arguments
	// of its native calls. A longer one is cut there and counts as malformed output.
	MaxReplyBytes = 1 << 20
	// MaxFirstBytes is the room for the piece that an answer began with.
	MaxFirstBytes = 1 << 10
)

// Bounds of what is kept of a reply beside its text and calls.
const (
	maxReasoning = 64 << 10 // bytes
	maxWarnings  = 16
)

// callCost is what a call is counted with beside its texts.
const callCost = 64
