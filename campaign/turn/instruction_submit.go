package turn

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
)

// Submit is a player's instruction: what a [state.Submission] holds. It starts a turn, if it is
// accepted.
type Submit state.Submission

func (Submit) inputType() string { return "submit" }

func (in Submit) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

// apply accepts a player's instruction, or refuses it. The first reason wins.
func (in Submit) apply(m *Machine) (Stop, error) {
	if o, known := m.Known(in); known {
		return m.endWith(o), nil
	}
	if in.ActorID == "" {
		in.ActorID = m.base.State.Selected.ActorID
	}
	values := m.game.Settings().Freeze(m.base.GlobalSettings, m.base.Settings)
	if code := m.Refuses(in, values); code != "" {
		return m.endWith(Outcome{Status: Refused, Reason: string(code)}), nil
	}
	return m.begin(in, values), nil
}

// begin starts an accepted turn: a pending conflict is dropped, the undo window
// closes.
func (m *Machine) begin(in Submit, values setting.Values) Stop {
	next := m.base.Clone()
	next.PendingConflict = nil
	delete(next.Conflicts, in.ClientTurnID) // it is being played again
	closed := next.CloseUndo()
	m.turn = newTurn(m.game, next, in, values)
	m.turn.past = &m.past
	m.turn.headChanged = closed || m.base.PendingConflict != nil
	return atRoute
}

// Known looks for the outcome of an earlier submission with the same id.
func (m *Machine) Known(in Submit) (Outcome, bool) {
	if in.ClientTurnID == "" {
		return Outcome{}, false
	}
	if t, ok := m.turnOf(in.ClientTurnID); ok {
		if t.Fingerprint != in.By(t.ActorID) {
			return Outcome{Status: Refused, Reason: string(state.IdempotencyConflict)}, true
		}
		return completed(t, true), true
	}
	if c, ok := m.base.Conflicts[in.ClientTurnID]; ok {
		if c.Fingerprint != in.By(c.Report.ActorID) {
			return Outcome{Status: Refused, Reason: string(state.IdempotencyConflict)}, true
		}
		return Outcome{Status: Conflict, Replayed: true, Report: &c.Report,
			Attempts: c.Report.History, RetriesUsed: c.RetriesUsed,
			DialogType: c.DialogType, DialogTypeSource: c.DialogTypeSource}, true
	}
	return Outcome{}, false
}

// completed is the outcome of a committed turn.
func completed(t state.Turn, replayed bool) Outcome {
	return Outcome{
		Status: Completed, Replayed: replayed, Turn: &t, Attempts: t.Attempts,
		RetriesUsed: t.RetriesUsed, DialogType: t.DialogType,
		DialogTypeSource: t.DialogTypeSource,
	}
}

// Refuses returns why a submission would not be accepted now, "" if it would.
func (m *Machine) Refuses(in Submit, values setting.Values) state.RefusalCode {
	s := m.base.State
	actor, known := s.Character(in.ActorID)
	switch {
	case in.ExpectedHead != "" && in.ExpectedHead != s.HeadTurnID:
		return state.StaleHead
	case s.Lifecycle.Ended:
		return state.CampaignEnded
	case strings.TrimSpace(in.Text) == "":
		return state.EmptyInput
	case !s.InParty(in.ActorID) || !known:
		return state.ActorNotInParty
	case values.Text(setting.TurnOrder) != "free" && in.ActorID != s.Selected.ActorID:
		return state.NotActiveActor
	case !m.game.Life()[actor.Status.AliveState].MayAct:
		return state.ActorCannotAct
	}
	return ""
}

// By is the fingerprint of a submission that means the given character unless it
// names one. Whose turn it is may have changed since the first time.
func (in Submit) By(actor string) string {
	if in.ActorID == "" {
		in.ActorID = actor
	}
	return in.Fingerprint()
}

// Fingerprint tells a repeated submission from another one with the same id.
func (in Submit) Fingerprint() string {
	sum := sha256.Sum256([]byte(in.ActorID + "\x00" + in.Text))
	return hex.EncodeToString(sum[:8])
}
