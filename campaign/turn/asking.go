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
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/memvars/tree"
)

// Asking is an instruction that asks the model for something. One runs at a time, others
// wait or are refused, as the setting turn.concurrency says; one that is repeated with its
// client turn id has the outcome of the first time; a refusal is an [Outcome].
type Asking interface {
	Input
	// Ticket says who asks for what.
	Ticket() Ticket
	// refuses returns why the instruction would not be accepted now, "" if it would.
	refuses(m *Machine, values setting.Values) state.RefusalCode
	// open sets the stage of an accepted instruction and returns the stop that it begins at.
	open(m *Machine, values setting.Values) Stop
	// Remembering returns the instruction with the word whether there is a memory to ask.
	Remembering(memory bool) Asking
}

// Ticket identifies an instruction that asks the model.
type Ticket struct {
	ActorID      string // who asks; empty: the active actor
	ClientTurnID string // makes it repeatable; empty: it is not
	What         string // what is asked for
}

// By is the fingerprint of the instruction if it means the given character unless it names
// one: whose turn it is may have changed since the first time. It tells a repeated
// instruction from another one with the same id.
func (t Ticket) By(actor string) string {
	sum := sha256.Sum256([]byte(whatOf(cmp.Or(t.ActorID, actor), t.What)))
	return hex.EncodeToString(sum[:8])
}

// whatOf joins the parts of what is asked for. Each part has its length before it, so that no other parts give
// the same text, whatever stands in them.
func whatOf(kind string, parts ...string) string {
	size := len(kind)
	for _, part := range parts {
		size += len(part) + 12
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

// Asks returns an instruction that asks the model, and reports false for every other input.
func Asks(in Input) (Asking, bool) {
	a, ok := in.(Asking)
	return a, ok && !isNone(in)
}

// Normalize returns an instruction as a store gives it back: with U+FFFD for what is not UTF-8, in ids too. An engine
// does so with every instruction before it compares ids. A [Once] around an instruction that asks the model becomes its
// client turn id. The error is a [*state.Refusal] for a time that
// has no stored form, and wraps [ErrInvalidInput] for everything else that has none.
func Normalize(in Input) (Input, error) {
	if err := timeRefusal(in); err != nil {
		return nil, err
	}
	if asking, ok := Asks(in); ok {
		t := asking.Ticket()
		if utf8.ValidString(t.ClientTurnID) && utf8.ValidString(t.ActorID) && utf8.ValidString(t.What) {
			return in, nil // what else there is has no part in comparisons
		}
	}
	return asLogged(in)
}

// Refuses returns why an instruction would not be accepted now, "" if it would.
func (m *Machine) Refuses(in Asking) state.RefusalCode {
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

// values are the settings as they are now.
func (m *Machine) values() setting.Values {
	return m.game.Settings().Freeze(m.base.GlobalSettings, m.base.Settings)
}

// Repeats is the outcome of an instruction whose client turn id is that of a turn.
func (t Ticket) Repeats(before state.Turn) Outcome {
	if before.FingerprintOf(t.ClientTurnID) != t.By(before.ActorID) {
		return Outcome{Status: Refused, Reason: string(state.IdempotencyConflict)}
	}
	return replayed(before)
}

// RepeatsConflict is the outcome of an instruction whose client turn id is that of one that has led
// to a conflict.
func (t Ticket) RepeatsConflict(before state.StoredConflict) Outcome {
	if before.Fingerprint != t.By(before.Report.ActorID) {
		return Outcome{Status: Refused, Reason: string(state.IdempotencyConflict)}
	}
	return Outcome{Status: Conflict, Replayed: true, Report: &before.Report,
		Attempts: before.Report.History, RetriesUsed: before.RetriesUsed,
		DialogType: before.DialogType, DialogTypeSource: before.DialogTypeSource}
}

// Known looks for the outcome of an earlier instruction with the same client turn id, among the
// turns that the head holds, or with the same ID of a [Once]. An engine looks in its log too, see [Ticket.Repeats].
func (m *Machine) Known(in Input) (Outcome, bool) {
	if o, ok := asOnce(in); ok {
		return m.knownOnce(o)
	}
	asking, ok := Asks(in)
	if !ok || asking.Ticket().ClientTurnID == "" {
		return Outcome{}, false
	}
	ask := asking.Ticket()
	if t, ok := turnOf(m, ask.ClientTurnID); ok {
		return ask.Repeats(t), true
	}
	if p := m.base.PendingApproval; p != nil && p.Question.ClientTurnID == ask.ClientTurnID {
		if p.Fingerprint != ask.By(p.Question.ActorID) {
			return Outcome{Status: Refused, Reason: string(state.IdempotencyConflict)}, true
		}
		q := p.Question.ForPlayers()
		return Outcome{Status: Waiting, Replayed: true, Approval: &q, Audience: q.Audience}, true
	}
	if c, ok := m.base.Conflicts[ask.ClientTurnID]; ok {
		return ask.RepeatsConflict(c), true
	}
	return Outcome{}, false
}

// accept carries an instruction out, or refuses it. The first reason wins.
func accept(m *Machine, in Asking) (Stop, error) {
	if o, known := m.Known(in); known {
		return m.endWith(o), nil
	}
	if code := m.Refuses(in); code != "" {
		return m.endWith(Outcome{Status: Refused, Reason: string(code)}), nil
	}
	return in.open(m, m.values()), nil
}

// acceptedCampaign is the campaign once a turn has begun in it: a pending conflict is dropped, the undo
// window closes.
func acceptedCampaign(m *Machine, clientTurnID string) state.Campaign {
	next := m.base.Clone()
	next.PendingConflict = nil
	delete(next.Conflicts, clientTurnID) // it is being played again
	next.CloseUndo()
	return next
}

// beginTurn is the stage of a turn that is played in an accepted campaign.
func beginTurn(m *Machine, in Asking, line state.Submission, next state.Campaign, values setting.Values) *play.Turn {
	if keepApart(&next, len(line.Audience) > 0, m.game.Settings()) {
		values = m.game.Settings().Freeze(next.GlobalSettings, next.Settings)
	}
	t := play.New(m.game, next, line, values)
	t.Order.Fingerprint = in.Ticket().By(line.ActorID)
	t.Knows(&m.past, (*play.Explanation)(m.explained))
	t.Stage.Rewrites.Played = true
	m.past.Begin()
	t.HeadChanged = m.base.RollbackPending.IsPending || m.base.PendingConflict != nil
	return t
}

// keepApart makes a campaign with a turn that only some hear strict, unless its host has chosen a mode of
// visibility. It reports whether it has.
func keepApart(c *state.Campaign, private bool, registry setting.Registry) bool {
	_, own := c.Settings[setting.VisibilityMode]
	_, ofAll := c.GlobalSettings[setting.VisibilityMode]
	if !private || own || ofAll {
		return false
	}
	settings, changed, problems := registry.Patch(c.GlobalSettings, c.Settings,
		setting.Snapshot{setting.VisibilityMode: tree.Text(string(state.AudienceStrict))})
	if len(problems) > 0 || len(changed.Changed) == 0 { // a registry of the host's own
		return false
	}
	c.Settings = settings
	c.SettingsRevision++
	return true
}

// refusesActor returns why a character could not act in a state, "" if it could.
func refusesActor(m *Machine, s state.State, actorID string, values setting.Values) state.RefusalCode {
	_, known := s.Character(actorID)
	switch {
	case !s.InParty(actorID) || !known:
		return state.ActorNotInParty
	case values.Text(setting.TurnOrder) != "free" && actorID != s.Selected.ActorID:
		return state.NotActiveActor
	case !mayAct(m, s, actorID):
		return state.ActorCannotAct
	}
	return ""
}

// mayAct reports whether the life state of a character lets it take turns.
func mayAct(m *Machine, s state.State, id string) bool {
	c, known := s.Character(id)
	return known && m.game.Life()[c.Status.AliveState].MayAct
}

// turnOf finds the turn of a submission with the given id, if the head holds it.
func turnOf(m *Machine, clientTurnID string) (state.Turn, bool) {
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

// canSpeak reports whether there is a member of the cast with the id, and a card.
func canSpeak(g *game.Game, id string) bool {
	_, ok := g.Member(id)
	return ok
}

// maxAutoRounds is how many rounds of the cast may follow each other without the player.
func maxAutoRounds(g *game.Game, values setting.Values) int {
	if len(g.Cast()) == 0 {
		return 0
	}
	return values.Int(setting.CastAutoReplies)
}

// canHear reports whether all of them are characters of the campaign or members of the cast.
func canHear(m *Machine, ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		_, here := m.base.State.Character(id)
		return !here && !canSpeak(m.game, id)
	})
}

// Ticket says what is asked for.
func (o Once) Ticket() Ticket {
	return Ticket{ClientTurnID: "\x00once " + o.ID, What: o.fingerprint()} // client turn ids are other ids
}
