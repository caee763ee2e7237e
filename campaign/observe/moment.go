package observe

import (
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// Moment is something that happened. The set is closed: it is the types of this file. Where a comment
// says "text", the field is empty but for observers that asked with [Verbose].
type Moment interface {
	// bare is the moment without its texts.
	bare() Moment
}

// Other stands for a word that is none of the game's own.
const Other = "other"

// Begun is the first moment of an instruction, or of a step of one.
type Begun struct {
	ActorID      string
	ClientTurnID string
	Line         string // of the player: text
}

// Admitted says that nothing else runs in the campaign now.
type Admitted struct {
	Waited time.Duration // in the queue, and for other processes
	Fence  int64         // of the lease, 0 without one
}

// PhaseBegun says that a turn has come to another phase.
type PhaseBegun struct{ Phase turn.Phase }

// PhaseEnded says that it is over.
type PhaseEnded struct {
	Phase turn.Phase
	Took  time.Duration
}

// LoreActivated says which entries of the world book are in the prompt that follows.
type LoreActivated struct {
	IDs []string // book and uid
}

// PromptAssembled says what a prompt consists of.
type PromptAssembled struct {
	Tokens  int    // of what was kept, estimated
	Parts   int    // that were kept
	Dropped int    // that had no room
	Speaker string // the member of a cast whose prompt it is
}

// ModelAsked says that a request goes to the model.
type ModelAsked struct {
	Attempt  int    // counts the outputs of a turn, from 1
	Again    int    // counts the times that this one is asked for because it broke off, from 0
	Retry    string // the classes of what was wrong with the attempt before
	Model    string // the name in the request, which may be empty
	Messages int
	Tools    int
	// Generation is the request with what its messages are for: text.
	Generation *question.Generate
}

// ModelAnswered says that the answer is there, or that there is none. Cancelled says that somebody
// did not wait for it.
type ModelAnswered struct {
	Attempt, Again int
	Model          string
	First          time.Duration // until the first chunk, 0 if there was none
	Took           time.Duration // until the end
	Usage          *llm.Usage    // nil: the provider did not say
	Finish         llm.FinishReason
	Calls          int
	Warnings       []string // their codes
	Kept           bool     // the answer was paid for before, and nobody was asked
	// Failed has a code, "" for an answer that came; Status and Retryable belong to it.
	Failed    turn.FailureCode
	Status    int
	Retryable bool
	Cancelled bool
	Reply     *llm.Message // text
	Err       error        // in the words of the provider: text
}

// Retrying says that an output did not pass, and that the model is asked for another one.
type Retrying struct {
	Attempt int // that which follows
	Why     string
}

// CallRefused is a call that does not count.
type CallRefused struct {
	Attempt int
	Tool    string // [Other] for one that there is not
	Code    state.CallCode
	Message string // what the model is told: text
}

// ConflictFound is a place where a narration contradicts the state.
type ConflictFound struct {
	Attempt  int
	Kind     string
	Severity conflict.Severity
	Entity   string // whose state it is: text
	Quote    string // text
}

// CallApplied is a call that counts, after the commit.
type CallApplied struct {
	Tool   string
	ID     string     // as the model named it: text
	Args   tree.Value // text
	Result tree.Value // text
}

// RulesFired lists rules and reactions by their ids, in order, after the commit.
type RulesFired struct{ IDs []string }

// HooksRan says what became of an event that hooks heard of.
type HooksRan struct {
	Event                string
	Ran, Skipped, Failed int
	Took                 time.Duration
}

// Asked is a question to the host's own functions, answered.
type Asked struct {
	Question Question
	Took     time.Duration
	Failed   bool
	Error    string // text
}

// Question names whom a turn asks beside the model.
type Question string

// The questions.
const (
	AskRouter    Question = "route"
	AskMemory    Question = "recall"
	AskRetriever Question = "retrieve"
	AskTool      Question = "outside" // what a tool wants to know
	AskJudge     Question = "judge"
	AskApprover  Question = "approve"
	AskSummary   Question = "summarize"
)

// Waiting says that the turn waits for people, and that the question is stored.
type Waiting struct {
	QuestionID string
	Calls      int
}

// Stored is a call of the store that has returned.
type Stored struct {
	Call    StoreCall
	Version int64 // that it is about, if it is about one
	Took    time.Duration
	Err     error
}

// StoreCall names a call of the store.
type StoreCall string

// The calls.
const (
	StoreLoad    StoreCall = "load"    // the campaign, or what is new of it
	StorePast    StoreCall = "past"    // what the head does not hold
	StoreAppend  StoreCall = "append"  // a record
	StoreClaim   StoreCall = "claim"   // the lease, waiting for others included
	StoreRelease StoreCall = "release" // the lease
	StoreAnswer  StoreCall = "answer"  // of a model that was kept
	StoreKeep    StoreCall = "keep"    // an answer of the model
)

// LeaseLost says that another process plays the campaign by now.
type LeaseLost struct{ Err error }

// Committed says that a record is in the store.
type Committed struct {
	Version int64
	Record  turn.RecordKind
	TurnID  string // of a turn
	Changes int    // of variables, by a turn
	Took    time.Duration
	Text    string // the narration: text
}

// Logged is a line that the action log of a hook, or a rule, writes for the log of the application,
// after the commit. Its message is an author's, and is told to every observer. A line that the host's
// own sink of package hooks takes is not told.
type Logged struct {
	By      string // the id of the rule; "hooks" for hooks
	Level   string // debug, info, warning or error
	Message string
}

// Ended is the last moment of an instruction, whatever became of it, or of a step of one.
type Ended struct {
	// Next is where the next step goes on, "" where the instruction is at its end. Status and what
	// follows from it are then those of no outcome yet.
	Next     turn.Stop
	Status   turn.OutcomeStatus // "" with an error
	Reason   string             // a code
	TurnID   string
	Version  int64
	Replayed bool // the outcome is that of an earlier time
	Attempts int
	Retries  int
	Took     time.Duration
	// Err is the error of an instruction that has no outcome: that of the store, or a refusal.
	Err error
}

func (m Begun) bare() Moment           { m.Line = ""; return m }
func (m Admitted) bare() Moment        { return m }
func (m PhaseBegun) bare() Moment      { return m }
func (m PhaseEnded) bare() Moment      { return m }
func (m LoreActivated) bare() Moment   { return m }
func (m PromptAssembled) bare() Moment { return m }
func (m ModelAsked) bare() Moment      { m.Generation = nil; return m }
func (m ModelAnswered) bare() Moment   { m.Reply, m.Err = nil, nil; return m }
func (m Retrying) bare() Moment        { return m }
func (m CallRefused) bare() Moment     { m.Message = ""; return m }
func (m ConflictFound) bare() Moment   { m.Entity, m.Quote = "", ""; return m }
func (m CallApplied) bare() Moment     { m.ID, m.Args, m.Result = "", tree.Value{}, tree.Value{}; return m }
func (m RulesFired) bare() Moment      { return m }
func (m HooksRan) bare() Moment        { return m }
func (m Asked) bare() Moment           { m.Error = ""; return m }
func (m Waiting) bare() Moment         { return m }
func (m Stored) bare() Moment          { return m }
func (m LeaseLost) bare() Moment       { return m }
func (m Committed) bare() Moment       { m.Text = ""; return m }
func (m Logged) bare() Moment          { return m }
func (m Ended) bare() Moment           { return m }
