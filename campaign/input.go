package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// Input is something that a [Machine] is told: an instruction of the host or the
// player, or the answer to what [Machine.Todo] asked for. The set is closed: it is
// the types of this file. Inputs are what the log keeps, so that it can be
// replayed; their JSON form is an object whose member "input" names the type.
type Input interface {
	inputType() string
}

// Submit is a player's instruction. It starts a turn, if it is accepted.
type Submit struct {
	ActorID string `json:"actor_id,omitempty"` // empty: the active actor
	UserID  string `json:"user_id,omitempty"`  // the person, for hooks
	Text    string `json:"text"`
	// ClientTurnID makes the submission repeatable: the same id with the same
	// actor and text returns the first outcome.
	ClientTurnID string `json:"client_turn_id,omitempty"`
	// ExpectedHead guards against answering an old screen: the id of the last
	// turn that the player saw. Empty: no guard.
	ExpectedHead string    `json:"expected_head,omitempty"`
	Channel      string    `json:"channel,omitempty"` // for hooks
	At           time.Time `json:"at,omitzero"`
	// Generation is the kind of reply that is wanted, for lore and prompts that are limited
	// to some kinds; empty is normal. Icon is the player's active icon, for lore with the
	// decorator is_user_icon.
	Generation worldbook.GenerationType `json:"generation,omitempty"`
	Icon       string                   `json:"icon,omitempty"`
	// Elapsed is the time of the host's that passed since the last instruction, for
	// countdowns; see [PassTime].
	Elapsed float64 `json:"elapsed,omitempty"`
	// Events are what the host did for the instruction before the model is asked,
	// such as hooks.EventAfterKnowledge: hooks hear of them in this order, after
	// the turn was accepted and before rules, world book and prompt.
	Events []HostEvent `json:"events,omitempty"`
}

// HostEvent is work of the host's that hooks may answer.
type HostEvent struct {
	Event   string        `json:"event"`
	Payload memvars.Value `json:"payload,omitzero"` // an object
}

// Routed answers [Todo.Route].
type Routed struct {
	Decision *RouteDecision `json:"decision,omitempty"`
	Error    string         `json:"error,omitempty"`
}

// HooksRan answers [Todo.Hooks].
type HooksRan struct {
	Result hooks.Result `json:"result"`

	// Refused are the effects that cannot be stored; [Machine.Step] takes them out of
	// the result.
	Refused []RefusedEffect `json:"refused_effects,omitempty"`
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
	// are kept in the [Attempt] and never become part of a prompt.
	Reasoning string        `json:"reasoning,omitempty"`
	Warnings  []llm.Warning `json:"warnings,omitempty"`
	// Cut says that the answer was longer than [MaxReplyBytes]; [Machine.Step] sets it.
	Cut bool `json:"cut,omitempty"`
}

// GenerateFailed answers [Todo.Generate] when the model could not be asked to the
// end. The turn is dropped and may be submitted again.
type GenerateFailed struct {
	Reason    string `json:"reason"` // such as transport, or an llm.ErrorCode
	Cancelled bool   `json:"cancelled,omitempty"`
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

// CommitFailed answers [Todo.Commit]: nothing was written. Reason is
// version_conflict when another writer was faster.
type CommitFailed struct {
	Reason string `json:"reason"`
}

// Summarized answers [Todo.Summarize]. An error keeps the old summary.
type Summarized struct {
	Summary Summary   `json:"summary"`
	Error   string    `json:"error,omitempty"`
	At      time.Time `json:"at,omitzero"`
}

// PatchSettings changes settings, all or none; see package setting.
type PatchSettings struct {
	Patch setting.Snapshot `json:"patch"`
	At    time.Time        `json:"at,omitzero"`
}

// SelectActor makes a member of the party the active actor.
type SelectActor struct {
	ActorID string    `json:"actor_id"`
	At      time.Time `json:"at,omitzero"`
}

// SetCharacter replaces fields of a character, or adds one that is not there yet.
// Fields is an object in the form of [Character].
type SetCharacter struct {
	CharacterID string        `json:"character_id"`
	Fields      memvars.Value `json:"fields"`
	At          time.Time     `json:"at,omitzero"`
}

// SetTools changes which tools are allowed and which are switched off for now. A
// nil field stays as it is.
type SetTools struct {
	Allowlist []string                `json:"allowlist,omitzero"` // empty: none
	Disabled  map[string]DisabledTool `json:"disabled,omitzero"`  // empty: none
	At        time.Time               `json:"at,omitzero"`
}

// SetLocks locks and unlocks movement, areas and paths. A nil field stays as it is.
type SetLocks struct {
	Movement *Lock           `json:"movement,omitempty"`
	Areas    map[string]Lock `json:"areas,omitempty"` // by area id
	Paths    map[string]Lock `json:"paths,omitempty"` // by path id
	At       time.Time       `json:"at,omitzero"`
}

// RaiseEvents hands events of the host to rules and reactions, between turns: a
// button, a timer, a zone.
type RaiseEvents struct {
	Events []rules.Event `json:"events"`
	At     time.Time     `json:"at,omitzero"`
}

// AdvanceMilestone makes one step by hand.
type AdvanceMilestone struct {
	At time.Time `json:"at,omitzero"`
}

// EndCampaign ends the campaign, for instance because its goal is reached.
type EndCampaign struct {
	Reason string    `json:"reason"`
	At     time.Time `json:"at,omitzero"`
}

// MakeCheckpoint marks the present state under a label.
type MakeCheckpoint struct {
	Label string    `json:"label"`
	At    time.Time `json:"at,omitzero"`
}

// RollBack returns to the checkpoint of a turn.
type RollBack struct {
	To string    `json:"to"`
	At time.Time `json:"at,omitzero"`
}

// UndoRollBack returns from a rollback, as long as no new instruction was accepted.
type UndoRollBack struct {
	At time.Time `json:"at,omitzero"`
}

// SwitchBranch goes to the head of another branch.
type SwitchBranch struct {
	BranchID string    `json:"branch_id"`
	At       time.Time `json:"at,omitzero"`
}

// ResolveConflict decides about a pending conflict report.
type ResolveConflict struct {
	Decision Decision `json:"decision"`
	// Text and ToolCalls, a list of calls, are those of an override.
	Text      string        `json:"text,omitempty"`
	ToolCalls memvars.Value `json:"tool_calls,omitzero"`
	At        time.Time     `json:"at,omitzero"`
}

func (Submit) inputType() string           { return "submit" }
func (Routed) inputType() string           { return "routed" }
func (HooksRan) inputType() string         { return "hooks_ran" }
func (Replied) inputType() string          { return "replied" }
func (GenerateFailed) inputType() string   { return "generate_failed" }
func (Judged) inputType() string           { return "judged" }
func (Committed) inputType() string        { return "committed" }
func (CommitFailed) inputType() string     { return "commit_failed" }
func (Summarized) inputType() string       { return "summarized" }
func (PatchSettings) inputType() string    { return "patch_settings" }
func (SelectActor) inputType() string      { return "select_actor" }
func (SetCharacter) inputType() string     { return "set_character" }
func (SetTools) inputType() string         { return "set_tools" }
func (SetLocks) inputType() string         { return "set_locks" }
func (RaiseEvents) inputType() string      { return "raise_events" }
func (AdvanceMilestone) inputType() string { return "advance_milestone" }
func (EndCampaign) inputType() string      { return "end_campaign" }
func (MakeCheckpoint) inputType() string   { return "checkpoint" }
func (RollBack) inputType() string         { return "rollback" }
func (UndoRollBack) inputType() string     { return "undo_rollback" }
func (SwitchBranch) inputType() string     { return "switch_branch" }
func (ResolveConflict) inputType() string  { return "resolve_conflict" }

// Inputs is a list of inputs with a JSON form.
type Inputs []Input

// MarshalJSON writes a list of objects, each with its "input" first.
func (in Inputs) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, input := range in {
		if input == nil {
			return nil, fmt.Errorf("inputs[%d]: %w: none", i, ErrInvalidInput)
		}
		body, err := openjson.Marshal(input)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{"input":"`+input.inputType()+`"`...)
		if len(body) > 2 {
			out = append(out, ',')
		}
		out = append(out, body[1:]...)
	}
	return append(out, ']'), nil
}

// UnmarshalJSON reads the list that MarshalJSON writes.
func (in *Inputs) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	out := make(Inputs, len(raw))
	for i, r := range raw {
		input, err := unmarshalInput(r)
		if err != nil {
			return fmt.Errorf("inputs[%d]: %w", i, err)
		}
		out[i] = input
	}
	*in = out
	return nil
}

func unmarshalInput(data []byte) (Input, error) {
	var head struct {
		Input string `json:"input"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.Input == "" {
		return nil, errors.New(`an input is an object with a member "input"`)
	}
	return decode(head.Input, data)
}

// decode reads an input of the named type.
func decode(name string, data []byte) (Input, error) {
	switch name {
	case "submit":
		return decodeInput[Submit](data)
	case "routed":
		return decodeInput[Routed](data)
	case "hooks_ran":
		return decodeInput[HooksRan](data)
	case "replied":
		return decodeInput[Replied](data)
	case "generate_failed":
		return decodeInput[GenerateFailed](data)
	case "judged":
		return decodeInput[Judged](data)
	case "retrieved":
		return decodeInput[Retrieved](data)
	case "committed":
		return decodeInput[Committed](data)
	case "commit_failed":
		return decodeInput[CommitFailed](data)
	case "summarized":
		return decodeInput[Summarized](data)
	}
	return decodeCommand(name, data)
}

func decodeCommand(name string, data []byte) (Input, error) {
	switch name {
	case "patch_settings":
		return decodeInput[PatchSettings](data)
	case "select_actor":
		return decodeInput[SelectActor](data)
	case "set_character":
		return decodeInput[SetCharacter](data)
	case "set_tools":
		return decodeInput[SetTools](data)
	case "set_locks":
		return decodeInput[SetLocks](data)
	case "raise_events":
		return decodeInput[RaiseEvents](data)
	case "announce":
		return decodeInput[Announce](data)
	case "pass_time":
		return decodeInput[PassTime](data)
	case "set_timer":
		return decodeInput[SetTimer](data)
	case "travel":
		return decodeInput[Travel](data)
	case "advance_milestone":
		return decodeInput[AdvanceMilestone](data)
	case "end_campaign":
		return decodeInput[EndCampaign](data)
	case "checkpoint":
		return decodeInput[MakeCheckpoint](data)
	case "rollback":
		return decodeInput[RollBack](data)
	case "undo_rollback":
		return decodeInput[UndoRollBack](data)
	case "switch_branch":
		return decodeInput[SwitchBranch](data)
	case "resolve_conflict":
		return decodeInput[ResolveConflict](data)
	}
	return nil, fmt.Errorf("unknown input %q", name)
}

func decodeInput[I Input](data []byte) (Input, error) {
	var in I
	err := json.Unmarshal(data, &in)
	return in, err
}
