package turn

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/memvars/tree"
)

// ModelInstruction is an instruction that asks the model. One runs at a time; others wait or are refused, as
// the setting turn.concurrency says. An instruction repeated with the same client turn ID returns
// the first outcome. A refusal is an [Outcome].
type ModelInstruction interface {
	Input
	// Ticket returns who asks for what.
	Ticket() Ticket
	// refuses returns why the instruction would be refused now, "" if it would be accepted.
	refuses(m *Machine, values setting.Values) state.RefusalCode
	// open prepares the turn of an accepted instruction and returns its first stop.
	open(m *Machine, values setting.Values) Stop
	// Remembering returns the instruction with a flag that says whether a memory can be asked.
	Remembering(memory bool) ModelInstruction
}

// NeedsModel returns the input as an instruction that asks the model. It reports false for every other
// input.
func NeedsModel(in Input) (ModelInstruction, bool) {
	a, ok := in.(ModelInstruction)
	return a, ok && !isNone(in)
}

// Ticket identifies an instruction that asks the model.
type Ticket struct {
	ActorID      string // who asks; empty: the active actor
	ClientTurnID string // makes it repeatable; empty: it is not
	What         string // what is asked for
}

// By returns the fingerprint of the instruction. It uses the given character if the ticket names no
// actor, because the active actor may have changed since the first time. The fingerprint
// distinguishes a repeated instruction from a different instruction with the same ID.
func (t Ticket) By(actor string) string {
	sum := sha256.Sum256([]byte(requestText(cmp.Or(t.ActorID, actor), t.What)))
	return hex.EncodeToString(sum[:8])
}

// requestText joins the parts of a request, for [Ticket.What]. Each part follows its length, so
// different parts never give the same text.
func requestText(kind string, parts ...string) string {
	size := len(kind)
	for _, part := range parts {
		size += len(part) + 12 // a blank, up to ten digits and a colon
	}
	var out strings.Builder
	out.Grow(size)
	out.WriteString(kind)
	for _, part := range parts {
		out.WriteByte(' ')
		out.WriteString(strconv.Itoa(len(part)))
		out.WriteByte(':')
		out.WriteString(part)
	}
	return out.String()
}

// Repeats returns the outcome of an instruction whose client turn ID belongs to a committed turn.
func (t Ticket) Repeats(before state.Turn) Outcome {
	if before.FingerprintOf(t.ClientTurnID) != t.By(before.ActorID) {
		return Outcome{Status: Refused, Reason: string(state.IdempotencyConflict)}
	}
	return replayed(before)
}

// RepeatsConflict returns the outcome of an instruction whose client turn ID belongs to an
// instruction that ended in a conflict.
func (t Ticket) RepeatsConflict(before state.StoredConflict) Outcome {
	if before.Fingerprint != t.By(before.Report.ActorID) {
		return Outcome{Status: Refused, Reason: string(state.IdempotencyConflict)}
	}
	return Outcome{Status: Conflict, Replayed: true, Report: &before.Report,
		Attempts: before.Report.History, RetriesUsed: before.RetriesUsed,
		DialogType: before.DialogType, DialogTypeSource: before.DialogTypeSource}
}

// Ticket returns a ticket with the ID and the fingerprint of the instruction.
func (o Once) Ticket() Ticket {
	return Ticket{ClientTurnID: "\x00once " + o.ID, What: o.fingerprint()} // no client turn ID has this prefix
}

// Normalize returns an instruction in the form in which a store returns it: with U+FFFD instead of
// invalid UTF-8, also in IDs. An engine normalizes every instruction before it compares IDs. If a
// [Once] wraps an instruction that asks the model, its ID becomes the client turn ID. The error is
// a [*state.Refusal] for a time without a stored form, and wraps [ErrInvalidInput] for everything
// else without one.
func Normalize(in Input) (Input, error) {
	if err := timeRefusal(in); err != nil {
		return nil, err
	}
	if instruction, ok := NeedsModel(in); ok {
		t := instruction.Ticket()
		if utf8.ValidString(t.ClientTurnID) && utf8.ValidString(t.ActorID) && utf8.ValidString(t.What) {
			return in, nil // no comparison uses the other fields
		}
	}
	return asLogged(in)
}

// accept begins an instruction, or refuses it with the first reason.
func accept(m *Machine, in ModelInstruction) (Stop, error) {
	if o, known := m.Known(in); known {
		return m.endWith(o), nil
	}
	if code := m.Refuses(in); code != "" {
		return m.endWith(Outcome{Status: Refused, Reason: string(code)}), nil
	}
	return in.open(m, m.values()), nil
}

// Known looks up the outcome of an earlier instruction with the same client turn ID or the same
// [Once] ID. It searches the turns that the head holds. An engine also searches its log, see
// [Ticket.Repeats].
func (m *Machine) Known(in Input) (Outcome, bool) {
	if o, ok := asOnce(in); ok {
		return m.firstOutcome(o)
	}
	instruction, ok := NeedsModel(in)
	if !ok || instruction.Ticket().ClientTurnID == "" {
		return Outcome{}, false
	}
	ticket := instruction.Ticket()
	if t, ok := turnOfSubmission(m, ticket.ClientTurnID); ok {
		return ticket.Repeats(t), true
	}
	if p := m.base.PendingApproval; p != nil && p.Question.ClientTurnID == ticket.ClientTurnID {
		if p.Fingerprint != ticket.By(p.Question.ActorID) {
			return Outcome{Status: Refused, Reason: string(state.IdempotencyConflict)}, true
		}
		q := p.Question.ForPlayers()
		return Outcome{Status: Waiting, Replayed: true, Approval: &q, Audience: q.Audience}, true
	}
	if c, ok := m.base.Conflicts[ticket.ClientTurnID]; ok {
		return ticket.RepeatsConflict(c), true
	}
	return Outcome{}, false
}

// turnOfSubmission returns the turn with the given client turn ID, if the head holds it.
func turnOfSubmission(m *Machine, clientTurnID string) (state.Turn, bool) {
	for i := range m.base.Turns {
		t := &m.base.Turns[i]
		if t.ClientTurnID == clientTurnID || slices.ContainsFunc(t.Continued, func(c state.Continuation) bool {
			return c.ClientTurnID == clientTurnID
		}) {
			return *t, true
		}
	}
	return state.Turn{}, false
}

// Refuses returns why an instruction would be refused now, "" if it would be accepted.
func (m *Machine) Refuses(in ModelInstruction) state.RefusalCode {
	if len(in.Ticket().What) > MaxReplyBytes {
		return state.TextTooLong
	}
	if code := in.refuses(m, m.values()); code != "" {
		return code
	}
	if m.base.PendingApproval != nil {
		return state.AwaitingApproval
	}
	return ""
}

// values returns the present settings.
func (m *Machine) values() setting.Values {
	return m.game.Settings().Freeze(m.base.GlobalSettings, m.base.Settings)
}

// acceptedCampaign returns the campaign after a turn has begun in it: a pending conflict is
// dropped, the undo window closes.
func acceptedCampaign(m *Machine, clientTurnID string) state.Campaign {
	next := m.base.Clone()
	next.PendingConflict = nil
	delete(next.Conflicts, clientTurnID) // the turn is played again
	next.CloseUndo()
	return next
}

// beginTurn returns the new turn in an accepted campaign.
func beginTurn(m *Machine, in ModelInstruction, line state.Submission, next state.Campaign, values setting.Values) *play.Turn {
	if makeVisibilityStrict(&next, len(line.Audience) > 0, m.game.Settings()) {
		values = m.game.Settings().Freeze(next.GlobalSettings, next.Settings)
	}
	t := play.New(m.game, next, line, values)
	t.Recorded = m.recordedPrograms
	t.Order.Fingerprint = in.Ticket().By(line.ActorID)
	t.SetPast(&m.past, (*play.Explanation)(m.explained))
	t.Stage.Rewrites.Played = true
	m.past.Begin()
	t.HeadChanged = m.base.RollbackPending.IsPending || m.base.PendingConflict != nil
	return t
}

// makeVisibilityStrict sets visibility.mode to strict for a private turn, unless the host has chosen
// a mode. It reports whether it changed the setting.
func makeVisibilityStrict(c *state.Campaign, private bool, registry setting.Registry) bool {
	_, own := c.Settings[settingkey.VisibilityMode]
	_, ofAll := c.GlobalSettings[settingkey.VisibilityMode]
	if !private || own || ofAll {
		return false
	}
	settings, changed, _ := registry.Patch(c.GlobalSettings, c.Settings,
		setting.Snapshot{settingkey.VisibilityMode: tree.Text(string(state.AudienceStrict))})
	if len(changed.Changed) == 0 { // the host has its own registry
		return false
	}
	c.Settings = settings
	c.SettingsRevision++
	return true
}

// refusesActor returns why a character cannot act in a state, "" if it can.
func refusesActor(m *Machine, s state.State, actorID string, values setting.Values) state.RefusalCode {
	switch {
	case !s.InParty(actorID):
		return state.ActorNotInParty
	case values.Text(settingkey.TurnOrder) != "free" && actorID != s.Selected.ActorID:
		return state.NotActiveActor
	case !mayAct(m, s, actorID):
		return state.ActorCannotAct
	}
	return ""
}

// mayAct reports whether the life state of a character lets it take turns.
func mayAct(m *Machine, s state.State, id string) bool {
	c, _ := s.Character(id)
	return m.game.Life()[c.Status.AliveState].MayAct
}

// canSpeak reports whether the cast has a member with the ID, and a card for it.
func canSpeak(g *game.Game, id string) bool {
	_, ok := g.Member(id)
	return ok
}

// canHear reports whether all IDs belong to characters of the campaign or members of the cast.
func canHear(m *Machine, ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		_, here := m.base.State.Character(id)
		return !here && !canSpeak(m.game, id)
	})
}

// maxAutoRounds returns how many rounds of the cast may follow each other without the player.
func maxAutoRounds(g *game.Game, values setting.Values) int {
	if len(g.Cast()) == 0 {
		return 0
	}
	return values.Int(settingkey.CastAutoReplies)
}
