package state

import (
	"cmp"
	"fmt"

	"github.com/talewright/talewright"
)

// RefusalCode says why an instruction was not run. The campaign has not changed.
type RefusalCode string

// The codes of refused submissions and commands.
const (
	IdempotencyConflict RefusalCode = "idempotency_conflict" // the ID was used with different input
	InProgress          RefusalCode = "in_progress"          // the same submission is running
	StaleHead           RefusalCode = "stale_head"
	CampaignEnded       RefusalCode = "campaign_ended"
	EmptyInput          RefusalCode = "empty_input"
	ActorNotInParty     RefusalCode = "actor_not_in_party"
	NotActiveActor      RefusalCode = "not_active_actor"
	ActorCannotAct      RefusalCode = "actor_cannot_act"
	Vetoed              RefusalCode = "vetoed" // a rule or hook stopped the turn
	CampaignBusy        RefusalCode = "campaign_busy"
	UnknownSpeaker      RefusalCode = "unknown_speaker" // not a member of the cast with a card
	NoAutoRound         RefusalCode = "no_auto_round"   // no cast, or cast.auto_replies is used up
	Replaced            RefusalCode = "replaced"        // a later submission of the player replaced it
	QueueFull           RefusalCode = "queue_full"      // the queue has its maximum length, see the setting turn.concurrency

	RollbackUnavailable RefusalCode = "rollback_unavailable"
	refusalAlreadyThere RefusalCode = "already_there"
	CheckpointNotFound  RefusalCode = "checkpoint_not_found"
	UndoNotAllowed      RefusalCode = "undo_not_allowed"
	BranchNotFound      RefusalCode = "branch_not_found"
	NoPendingConflict   RefusalCode = "no_pending_conflict"
	OverrideRejected    RefusalCode = "override_rejected"
	UnknownDecision     RefusalCode = "unknown_decision"
	AwaitingApproval    RefusalCode = "awaiting_approval"   // a turn waits for people: see [Campaign.PendingApproval]
	NoPendingApproval   RefusalCode = "no_pending_approval" // also: a different question waits
	InvalidApproval     RefusalCode = "invalid_approval"    // not one decision for each call that waits
	ApprovalOutdated    RefusalCode = "approval_outdated"   // the turn was played with different content: discard the turn
	InvalidParty        RefusalCode = "invalid_party"
	InvalidWorld        RefusalCode = "invalid_world"
	EffectsRefused      RefusalCode = "effects_refused"
	InvalidCharacter    RefusalCode = "invalid_character"
	UnknownArea         RefusalCode = "unknown_area"
	UnknownPath         RefusalCode = "unknown_path"
	SettingsRefused     RefusalCode = "settings_refused"
	UnknownTimer        RefusalCode = "unknown_timer"
	TooManyTimers       RefusalCode = "too_many_timers"
	UnknownScene        RefusalCode = "unknown_scene"
	UnknownTurn         RefusalCode = "unknown_turn"
	UnknownAlternative  RefusalCode = "unknown_alternative"
	UnknownSuggestion   RefusalCode = "unknown_suggestion" // an unknown kind
	TextTooLong         RefusalCode = "text_too_long"
	InvalidTime         RefusalCode = "invalid_time" // of an instruction: its year is not within 0 to 9999
	NoHeadTurn          RefusalCode = "no_head_turn" // there is no turn at the head to answer again
)

// Refusal is the error of an instruction that was not run. Find it with errors.AsType[*Refusal].
type Refusal struct {
	Code   RefusalCode
	Detail string
	// Problems lists what is wrong with a settings patch, sorted by key. The codes are the codes of
	// package setting. The paths are keys.
	Problems talewright.Problems
	// FailedCalls lists the refused calls of an override.
	FailedCalls []FailedCall
}

// whatToDo is the advice for refusals without a detail.
var whatToDo = map[RefusalCode]string{
	AwaitingApproval:    "the last turn waits for people: answer with turn.Approve, or drop it with turn.Discard",
	NoPendingApproval:   "no question waits, or a newer one does: call Engine.Pending",
	IdempotencyConflict: "the ID was used for a different instruction: give each instruction its own",
	CampaignBusy:        "a different instruction is running: send it again, or set turn.concurrency to queue",
	EmptyInput:          "the line is blank: use turn.Proceed for a turn without a line",
	NoHeadTurn:          "nothing has been played yet",
	ActorNotInParty:     "no member of the party has that id: Campaign.State.Selected.Party lists them",
	BranchNotFound:      "the campaign has no such branch: Engine.Branches lists them",
	NoPendingConflict:   "no conflict waits for a decision",
	UndoNotAllowed:      "there is no rollback to undo, or an instruction was accepted since",
	StaleHead:           "a different turn is the newest now: show it, and send the line with its id",
	CampaignEnded:       "the story is over: go back with turn.RollBack, or begin a new campaign",
	NotActiveActor:      "a different character acts: turn.SelectActor changes that, and with turn.order free every member of the party may act",
	ActorCannotAct:      "the character is dead or in a different state without turns: select a different one with turn.SelectActor",
	UnknownSpeaker:      "no member of the cast with a card has that id: game.Content.People.Cast lists them",
	NoAutoRound:         "there is no cast, or cast.auto_replies is used up: wait for a line of the player",
	Replaced:            "a later line of the player took its place",
	QueueFull:           "as many wait as may: a line of each member of the party, and 64 instructions of the host; send it again later",
	InProgress:          "the same line is being played: wait for its outcome",
	refusalAlreadyThere: "the campaign is already there: nothing to do",
	RollbackUnavailable: "no checkpoints are kept: rollback.max_checkpoints is 0",
	UnknownDecision:     "a decision is retry, accept_text, override or discard",
	ApprovalOutdated:    "the turn was played with different content: drop it with turn.Discard",

	UnknownCharacter: "the audience has an id that belongs to no character and no member of the cast",
}

// Error says why the instruction was refused.
func (r *Refusal) Error() string {
	text := "campaign: refused: " + string(r.Code)
	if detail := cmp.Or(r.Detail, whatToDo[r.Code]); detail != "" {
		text += ": " + detail
	}
	for _, p := range r.Problems {
		text += "; " + p.String()
	}
	for _, c := range r.FailedCalls {
		text += fmt.Sprintf("; call %s %s: %s", c.ID, c.Tool, c.Reason)
	}
	return text
}

func refuse(code RefusalCode) error { return &Refusal{Code: code} }
