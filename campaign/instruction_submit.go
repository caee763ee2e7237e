package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

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
	Event   string     `json:"event"`
	Payload tree.Value `json:"payload,omitzero"` // an object
}

func (Submit) inputType() string { return "submit" }

func (in Submit) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

// apply accepts a player's instruction, or refuses it. The first reason wins.
func (in Submit) apply(m *Machine) (Stop, error) {
	if o, known := m.stored(in); known {
		return m.endWith(o), nil
	}
	if in.ActorID == "" {
		in.ActorID = m.base.State.Selected.ActorID
	}
	values := m.game.settings.Freeze(m.base.GlobalSettings, m.base.Settings)
	if code := m.refusal(in, values); code != "" {
		return m.endWith(Outcome{Status: Refused, Reason: string(code)}), nil
	}
	return m.begin(in, values), nil
}

// begin starts an accepted turn: a pending conflict is dropped, the undo window
// closes.
func (m *Machine) begin(in Submit, values setting.Values) Stop {
	next := m.base.clone()
	next.PendingConflict = nil
	delete(next.Conflicts, in.ClientTurnID) // it is being played again
	closed := next.closeUndo()
	m.turn = newTurn(m.game, next, in, values)
	m.turn.past = &m.past
	m.turn.headChanged = closed || m.base.PendingConflict != nil
	return atRoute
}

// stored looks for the outcome of an earlier submission with the same id.
func (m *Machine) stored(in Submit) (Outcome, bool) {
	if in.ClientTurnID == "" {
		return Outcome{}, false
	}
	if t, ok := m.turnOf(in.ClientTurnID); ok {
		if t.Fingerprint != in.by(t.ActorID) {
			return Outcome{Status: Refused, Reason: string(IdempotencyConflict)}, true
		}
		return completed(t, true), true
	}
	if c, ok := m.base.Conflicts[in.ClientTurnID]; ok {
		if c.Fingerprint != in.by(c.Report.ActorID) {
			return Outcome{Status: Refused, Reason: string(IdempotencyConflict)}, true
		}
		return Outcome{Status: Conflict, Replayed: true, Report: &c.Report,
			Attempts: c.Report.History, RetriesUsed: c.RetriesUsed,
			DialogType: c.DialogType, DialogTypeSource: c.DialogTypeSource}, true
	}
	return Outcome{}, false
}

// completed is the outcome of a committed turn.
func completed(t Turn, replayed bool) Outcome {
	return Outcome{
		Status: Completed, Replayed: replayed, Turn: &t, Attempts: t.Attempts,
		RetriesUsed: t.RetriesUsed, DialogType: t.DialogType,
		DialogTypeSource: t.DialogTypeSource,
	}
}

func (m *Machine) refusal(in Submit, values setting.Values) RefusalCode {
	s := m.base.State
	actor, known := s.Character(in.ActorID)
	switch {
	case in.ExpectedHead != "" && in.ExpectedHead != s.HeadTurnID:
		return StaleHead
	case s.Lifecycle.Ended:
		return CampaignEnded
	case strings.TrimSpace(in.Text) == "":
		return EmptyInput
	case !s.inParty(in.ActorID) || !known:
		return ActorNotInParty
	case values.Text(setting.TurnOrder) != "free" && in.ActorID != s.Selected.ActorID:
		return NotActiveActor
	case !m.game.life[actor.Status.AliveState].MayAct:
		return ActorCannotAct
	}
	return ""
}

// by is the fingerprint of a submission that means the given character unless it
// names one. Whose turn it is may have changed since the first time.
func (in Submit) by(actor string) string {
	if in.ActorID == "" {
		in.ActorID = actor
	}
	return fingerprint(in)
}

// fingerprint tells a repeated submission from another one with the same id.
func fingerprint(in Submit) string {
	sum := sha256.Sum256([]byte(in.ActorID + "\x00" + in.Text))
	return hex.EncodeToString(sum[:8])
}
