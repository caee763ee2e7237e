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

// Moment is something that happened. The set is closed: the types of this file are the only ones. A
// field whose comment says "text" is empty unless the observer asks for texts with [Verbose].
type Moment interface {
	// bare returns the moment without its texts.
	bare() Moment
}

// Other replaces a word that is not an identifier of the game.
const Other = "other"

// Begun is the first moment of an instruction, or of a step of one.
type Begun struct {
	ActorID      string
	ClientTurnID string
	Line         string // the line of the player: text
}

// Admitted reports that the campaign is free for this instruction.
type Admitted struct {
	Waited time.Duration // in the queue, and for other processes
	Fence  int64         // the fence of the lease, 0 without one
}

// PhaseBegun reports that a turn has entered a phase.
type PhaseBegun struct{ Phase turn.Phase }

// PhaseEnded reports that a phase is over.
type PhaseEnded struct {
	Phase turn.Phase
	Took  time.Duration
}

// LoreActivated lists the entries of the world book in the next prompt.
type LoreActivated struct {
	IDs []string // book and uid
}

// PromptAssembled describes the size of a prompt.
type PromptAssembled struct {
	Tokens  int    // of the kept parts, estimated
	Parts   int    // the number of kept parts
	Dropped int    // the number of parts that did not fit
	Speaker string // the member of a cast whose prompt it is
}

// ModelAsked reports that a request is sent to the model.
type ModelAsked struct {
	Attempt  int    // counts the outputs of a turn, from 1
	Again    int    // counts the repetitions after a reply broke off, from 0
	Retry    string // the classes of errors in the previous attempt
	Model    string // the name in the request; may be empty
	Messages int
	Tools    int
	Updates  bool // the second request of a turn, see the setting variables.second_model
	// Generation is the request, with the purpose of its messages: text.
	Generation *question.Generate
}

// ModelAnswered reports the answer, or its failure. Cancelled reports that the call was cancelled.
type ModelAnswered struct {
	Attempt, Again int
	Model          string        // the name in the request; with wrap.Fallback a different model may have answered
	First          time.Duration // until the first chunk, 0 if there was none
	Took           time.Duration // until the end
	Usage          *llm.Usage    // nil: the provider did not report it
	Finish         llm.FinishReason
	Calls          int
	Warnings       []string // their codes
	Kept           bool     // the answer was paid for before, and the model was not asked
	// Failed is a code, or "" for an answer that came. Status and Retryable belong to it.
	Failed    turn.FailureCode
	Status    int
	Retryable bool
	Cancelled bool
	Reply     *llm.Message // text
	Err       error        // the error of the provider: text
}

// Retrying reports that an output was refused, and that the model is asked again.
type Retrying struct {
	Attempt int // the next attempt
	Why     string
}

// CallRefused is a call that was refused.
type CallRefused struct {
	Attempt int
	Tool    string // [Other] for an unknown tool
	Code    state.CallCode
	Message string // the text for the model: text
}

// ConflictFound is a place where a narration contradicts the state.
type ConflictFound struct {
	Attempt  int
	Kind     string
	Severity conflict.Severity
	Entity   string // the entity whose state it contradicts: text
	Quote    string // text
}

// CallApplied is a call that took effect, after the commit.
type CallApplied struct {
	Tool   string
	ID     string     // from the model: text
	Args   tree.Value // text
	Result tree.Value // text
}

// RulesFired lists rules and reactions by their ids, in order, after the commit.
type RulesFired struct{ IDs []string }

// HooksRan reports the hooks that ran for an event.
type HooksRan struct {
	Event                string
	Ran, Skipped, Failed int
	Took                 time.Duration
}

// Asked is an answered question to a function of the host.
type Asked struct {
	Question Question
	Took     time.Duration
	Failed   bool
	Error    string // text
}

// Question names what a turn asks other than the model.
type Question string

// The questions.
const (
	AskRouter    Question = "route"
	AskMemory    Question = "recall"
	AskRetriever Question = "retrieve"
	AskTool      Question = "outside" // the question of a tool
	AskJudge     Question = "judge"
	AskApprover  Question = "approve"
	AskSummary   Question = "summarize"
)

// Waiting reports that the turn waits for people, and that the question is stored.
type Waiting struct {
	QuestionID string
	Calls      int
}

// Stored is a finished call of the store.
type Stored struct {
	Call    StoreCall
	Version int64 // the version of the call, if it has one
	Took    time.Duration
	Err     error
}

// StoreCall names a call of the store.
type StoreCall string

// The calls.
const (
	StoreLoad       StoreCall = "load"        // the campaign, or its new records
	StorePast       StoreCall = "past"        // what the head does not hold
	StoreAppend     StoreCall = "append"      // a record
	StoreAcquire    StoreCall = "acquire"     // the lease; an attempt that finds it held by others is not reported
	StoreRelease    StoreCall = "release"     // the lease
	StoreAnswer     StoreCall = "answer"      // a stored answer of a model
	StoreSaveAnswer StoreCall = "save_answer" // an answer of the model
)

// LeaseLost reports that a different process plays the campaign.
type LeaseLost struct{ Err error }

// Committed reports that a record is in the store.
type Committed struct {
	Version int64
	Record  turn.RecordKind
	TurnID  string // of a turn
	Changes int    // of variables, by a turn
	Took    time.Duration
	Text    string // the narration: text
}

// Logged is a line that the action log of a hook, or a rule, writes for the log of the application,
// after the commit. Its message is from an author, and every observer receives it. A line that the
// host's own sink of package hooks takes is not reported.
type Logged struct {
	By      string // the id of the rule; "hooks" for hooks
	Level   string // debug, info, warning or error
	Message string
}

// Ended is the last moment of an instruction, or of a step of one, whatever its result.
type Ended struct {
	// Next is the stop at which the next step continues, "" at the end of the instruction. If it is
	// set, there is no outcome yet: Status and the fields after it are empty.
	Next     turn.Stop
	Status   turn.OutcomeStatus // "" with an error
	Reason   string             // a code
	TurnID   string
	Version  int64
	Replayed bool // the outcome is from an earlier time
	Attempts int
	Retries  int
	Took     time.Duration
	// Err is the error of an instruction without an outcome: an error of the store, or a refusal.
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
