package act

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Action is one entry of a hook's list: a JSON object with a text member "type" and the parameters
// of that type. All its members are kept unchanged. A value that is not such an object fails with
// invalid_action when it runs.
type Action struct {
	JSON tree.Value
}

// New returns the action of a type with the given parameters.
func New(typ string, params ...tree.Member) Action {
	all := append([]tree.Member{{Key: "type", Value: tree.Text(typ)}}, params...)
	return Action{tree.Object(all...)}
}

// Type returns the action's type, "" if it has none.
func (a Action) Type() string {
	typ, _ := a.JSON.Get("type").AsText()
	return typ
}

// Get returns a parameter, absent if there is no parameter of that name.
func (a Action) Get(name string) tree.Value { return a.JSON.Get(name) }

// MarshalJSON writes the action as it was read.
func (a Action) MarshalJSON() ([]byte, error) { return a.JSON.MarshalJSON() }

// UnmarshalJSON reads any JSON value. Compile reports a value that is not an action.
func (a *Action) UnmarshalJSON(data []byte) (err error) {
	a.JSON, err = tree.ParseValue(data)
	return err
}

// The built-in action types.
const (
	PromptInject      = "prompt_inject"
	StateDelta        = "state_delta"
	RelationshipDelta = "relationship_delta"
	MemoryWrite       = "memory_write"
	LogLine           = "log"
	Message           = "message"
	Workflow          = "workflow"
	WorldBookAdd      = "world_book_add"
)

var builtin = [...]string{PromptInject, StateDelta, RelationshipDelta, MemoryWrite, LogLine, Message,
	Workflow, WorldBookAdd}

// IsEffect reports whether package rules has an effect of that name that hooks can use as an
// action.
func IsEffect(typ string) bool {
	asked := effect.Parse(tree.Object(tree.Member{Key: "type", Value: tree.Text(typ)}))
	if effect.Mistake(asked) != "" {
		return true // a known effect that requires more members than type
	}
	switch asked.(type) {
	case effect.Custom:
		return false
	case effect.InjectPrompt, effect.ChangeState, effect.ChangeRelationship, effect.AddMessage,
		effect.WriteMemory, effect.WriteLog, effect.StartWorkflow, effect.AddEntry:
		return false // built-in actions make these effects, with their own checks and sinks
	}
	return true
}

// SpelledAsEffect returns the effect that an author of hooks may have meant: hook types use
// underscores, effect types use dashes.
func SpelledAsEffect(typ string) []string {
	if dashed := strings.ReplaceAll(typ, "_", "-"); dashed != typ && IsEffect(dashed) {
		return []string{dashed}
	}
	return nil
}

// Handler runs one custom action. It is called on its own goroutine with a context that ends at the
// attempt's deadline, and should return when the context ends. If it does not return in time, its
// result is discarded. An error gives the code handler_error, or the code of a [*Failure]; a panic
// gives the code panic. Neither stops the hook's other actions.
//
// When the hook retries, a handler may run again while the call that timed out is still running.
// [Call.Key] is equal in both calls.
type Handler func(ctx context.Context, call Call) (Outcome, error)

// Call describes the action to a handler or a sink. All of it is immutable. The values include what
// the hook's earlier actions have staged.
type Call struct {
	// Key is the idempotency key: event id, hook id and action index joined by
	// slashes. It stays the same over all attempts.
	Key     string
	HookID  string
	Index   int // index of the action in the hook's list
	Attempt int // 1 for the first
	Action  Action
	Event   Event
	Now     time.Time

	Character    tree.Value // absent if not available
	Relationship tree.Value // absent if not available
	Vars         rules.Vars // the host's variables; may be nil
}

// Outcome is the result of a successful handler.
type Outcome struct {
	Detail string
	Output tree.Value
	// Effects are applied with the hook's commit, or dropped with it. A ChangeState or
	// ChangeRelationship sets its field to New, with the checks and bounds of the built-in actions;
	// Old and the ids are filled in. An InjectPrompt without key or scope gets the defaults of
	// prompt_inject. If one effect is refused, the action fails and all its effects are dropped. A
	// retry does not run such an action again unless it is Internal, because its external work is
	// done.
	Effects []effect.Effect
}

// Failure is an error with a [ResultCode]. Handlers and sinks return it if a code is more exact
// than "handler_error". Every other error gets the code handler_error.
type Failure struct {
	// Code is one of not_found, unavailable, forbidden, missing_params, invalid_value,
	// unknown_field and protected_field. Other codes are replaced by handler_error.
	Code   ResultCode
	Detail string

	// Param is the parameter that caused the failure, if one did.
	Param string
}

// Error returns the code and the detail.
func (f *Failure) Error() string { return string(f.Code) + ": " + f.Detail }

// Missing returns the failure of a missing required parameter.
func Missing(param string) *Failure {
	return &Failure{CodeMissingParams, param + " is required", param}
}

// Invalid returns the failure of a parameter of the wrong type or range. The format describes the
// required value; the name is added before it.
func Invalid(param, format string, args ...any) *Failure {
	return &Failure{CodeInvalidValue, param + " " + fmt.Sprintf(format, args...), param}
}

// Sinks deliver external effects while the hook runs, so that a retry and a refusal can be
// distinguished from success. A nil sink delivers nothing: its effects are returned with the hook's
// commit and count as success.
//
// A sink is called like a [Handler]: on its own goroutine, with the attempt's deadline. A plain
// error gives the code handler_error; a [*Failure] has its own code. A sink that runs past its
// deadline may still deliver an effect that the log records as a timeout. When the hook retries,
// the equal [Call.Key] identifies the same delivery.
type Sinks struct {
	Memory    func(ctx context.Context, call Call, effect effect.WriteMemory) error
	Workflow  func(ctx context.Context, call Call, effect effect.StartWorkflow) error
	WorldBook func(ctx context.Context, call Call, effect effect.AddEntry) error
	Log       func(ctx context.Context, call Call, effect effect.WriteLog) error
}
