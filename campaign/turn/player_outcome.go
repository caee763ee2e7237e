package turn

import (
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// PlayerOutcome is the part of an [Outcome] that a player may read: see [Outcome.ForPlayers]. Its
// JSON is safe to send to the player. It has no rejected output, no trace, no changes of the state
// and no error text. Of the model's output it has only the narration.
type PlayerOutcome struct {
	Status OutcomeStatus `json:"status"`
	// Reason is the code of a refusal or of a failure; [game.Texts.Refusal] has a sentence for it.
	// Retry reports whether the same instruction may succeed later. RetryAfter is the time to wait in
	// nanoseconds, 0 if it is unknown.
	Reason     string        `json:"reason,omitempty"`
	Retry      bool          `json:"retry,omitempty"`
	RetryAfter time.Duration `json:"retry_after,omitempty"`
	Replayed   bool          `json:"replayed,omitempty"`

	Turn *PlayerTurn `json:"turn,omitempty"` // of a completed turn

	// Suggestions answer a [Suggest]. Messages are texts that hooks added for the player, and the
	// reason of a veto.
	Suggestions []string `json:"suggestions,omitempty"`
	Messages    []string `json:"messages,omitempty"`

	// Approval is the question about calls, in the form for players. Decisions are the ways to
	// settle a conflict. Only the acting character gets them.
	Approval  *state.ApprovalQuestion `json:"approval,omitempty"`
	Decisions []state.Decision        `json:"decisions,omitempty"`
}

// PlayerTurn is the part of a committed turn that a player reads, see [state.Turn]. The texts are as
// stored. Regex scripts that change only the displayed text act on what [campaign.Engine.Stream]
// yields. A host that shows a stored text again, such as a page of history, calls Apply of
// [game.Game.Scripts] with Where.ForDisplay.
type PlayerTurn struct {
	ID        string        `json:"turn_id"`
	Index     int           `json:"index"`
	ActorID   string        `json:"actor_id"`
	Audience  []string      `json:"audience,omitempty"`
	UserInput string        `json:"user_input,omitempty"`
	Text      string        `json:"text"`
	Replies   []PlayerReply `json:"replies,omitempty"`
	Timestamp time.Time     `json:"timestamp,omitzero"`
	// ClientTurnID is the client turn ID of the submission. AlternativeOf is the ID of the first
	// answer to the same line, "" for that answer itself.
	ClientTurnID  string `json:"client_turn_id,omitempty"`
	AlternativeOf string `json:"alternative_of,omitempty"`
}

// PlayerReply is the reply of one member of a cast.
type PlayerReply struct {
	Speaker string `json:"speaker"` // its ID
	Text    string `json:"text"`
}

// ForPlayers returns the part of the outcome that the player of a character may read. It reports
// false if the outcome belongs to other characters: then there is nothing to show. The viewer is
// the ID of a character; "" is a spectator, who reads what everybody may read.
//
// An [Outcome] is for operators: its attempts, traces, reports and hints name things that only the
// acting character, or no player at all, may know. Send players the PlayerOutcome instead.
func (o Outcome) ForPlayers(viewer string) (shown PlayerOutcome, ok bool) {
	if !state.Knows(o.Audience, viewer) || o.Turn != nil && !state.Knows(o.Turn.Audience, viewer) {
		return PlayerOutcome{}, false
	}
	shown = PlayerOutcome{Status: o.Status, Reason: o.Reason, Replayed: o.Replayed, Suggestions: o.Suggestions, Messages: o.Messages}
	if o.Reason == string(state.Vetoed) && o.Detail != "" {
		shown.Messages = append(slices.Clip(shown.Messages), o.Detail)
	}
	if o.Failure != nil {
		shown.Retry, shown.RetryAfter = o.Failure.Retry, o.Failure.RetryAfter
	}
	if o.Approval != nil && o.Approval.ActorID == viewer {
		shown.Approval = new(o.Approval.ForPlayers())
	}
	if o.Report != nil && o.Report.ActorID == viewer {
		shown.Decisions = o.Report.Options
	}
	if t := o.Turn; t != nil {
		shown.Turn = &PlayerTurn{ID: t.ID, Index: t.Index, ActorID: t.ActorID, Audience: t.Audience, UserInput: t.UserInput,
			Text: t.Text, Timestamp: t.Timestamp, AlternativeOf: t.AlternativeOf}
		if t.ActorID == viewer {
			shown.Turn.ClientTurnID = t.ClientTurnID
		}
		for _, r := range t.Replies {
			shown.Turn.Replies = append(shown.Turn.Replies, PlayerReply{Speaker: r.Speaker, Text: r.Text})
		}
	}
	return shown, true
}
