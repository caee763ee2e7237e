package state

import (
	"time"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// Submission is what a player says, and how. It is the content of the instruction that
// starts a turn.
type Submission struct {
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
	// countdowns; see [turn.PassTime].
	Elapsed float64 `json:"elapsed,omitempty"`
	// Events are what the host did for the instruction before the model is asked,
	// such as hooks.EventAfterKnowledge: hooks hear of them in this order, after
	// the turn was accepted and before rules, world book and prompt.
	Events []HostEvent `json:"events,omitempty"`
}

// HostEvent is work of the host's that hooks may answer.
type HostEvent struct {
	Event   string     `json:"event"`
	Payload tree.Value `json:"payload,omitzero"` // an object
}
