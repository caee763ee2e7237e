package turn

import (
	"bytes"
	"time"

	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/blocks"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// commit prepares a record, to be written at the stop that it returns. done is what the
// instruction ends with once it is.
func (m *Machine) commit(kind RecordKind, at time.Time, next state.Campaign, t *state.Turn, done Todo) Stop {
	next.Version = m.base.Version + 1
	if !at.IsZero() {
		next.UpdatedAt = at
	}
	next.Turns = m.log.Last(next.Turns, next.TurnsHeld) // more, if the log began with them
	page, err := next.Shelve()
	if err != nil {
		return unstorable(m, err)
	}
	before := m.head
	if !before.Exists() {
		if before, err = m.base.HeadValue(); err != nil {
			return unstorable(m, err)
		}
	}
	played := next
	next, after, err := played.AsStored(m.base, m.head)
	if err != nil {
		return unstorable(m, err)
	}
	delta := state.Diff(before, after)
	if !delta.Valid() { // names or texts of variables that a host's rules wrote
		if played.State.Variables, err = mended(played.State.Variables); err != nil {
			return unstorable(m, err)
		}
		if next, after, err = played.AsStored(m.base, m.head); err != nil {
			return unstorable(m, err)
		}
		delta = state.Diff(before, after)
	}
	record := &Record{Version: next.Version, Kind: kind, At: at, Inputs: m.Journal(), Delta: delta, Turn: t, Attic: page}
	if m.turn != nil && t == nil {
		record.Draws = m.turn.stage.Dice.Draws
	}
	if wholeDue(next.Version, after) {
		record.Head = after
	}
	m.pending = commitment{next: next, head: after, todo: done, record: record}
	return atCommit
}

// wholeDue reports whether a record has the whole head: one in 64, and fewer where it is large,
// so that it adds at most 512 bytes to each record. Who wants a state of before reads on from
// there; it does not cost the more the longer the log is.
func wholeDue(version int64, head tree.Value) bool {
	every := int64(state.WholeEvery)
	if version%every != 0 {
		return false
	}
	for size := int64(len(head.AppendJSON(nil))); size > every*512; {
		every *= 2
	}
	return version%every == 0
}

// toWrite asks for the record to be written.
func toWrite(m *Machine) Todo { return Todo{Commit: m.pending.record} }

// committed takes the campaign over as it was written.
func committed(m *Machine, _ Committed) Stop {
	m.base, m.head, m.ending = m.pending.next, m.pending.head, m.pending.todo
	if m.pending.record.Kind != RecordTurn {
		m.past.Read = nil // what was read may have been changed
	}
	if t := m.pending.record.Turn; t != nil {
		m.past.TookOver(*t, m.base.Turns)
		m.ending.Summarize = summaryDue(m)
	}
	return onward
}

// commitFailed leaves the campaign as it was.
func commitFailed(m *Machine, in CommitFailed) Stop {
	return m.endWith(Outcome{Status: Failed, Reason: string(in.Reason), Detail: in.Detail,
		Failure: &failure.Failure{Kind: failure.Store, Code: in.Reason, Retry: true}})
}

// unstorable ends an instruction that led to something without a JSON form. Nothing
// has changed.
func unstorable(m *Machine, err error) Stop {
	return m.endWith(Outcome{Status: Failed, Reason: string(failure.UnstorableState), Detail: err.Error(),
		Failure: &failure.Failure{Kind: failure.State, Code: failure.UnstorableState, Err: err}})
}

// mended is a document with U+FFFD in place of what is no UTF-8.
func mended(d tree.Document) (tree.Document, error) {
	v, err := tree.ParseValue(bytes.ToValidUTF8(d.Root().AppendJSON(nil), []byte("\uFFFD")))
	if err != nil {
		return d, err
	}
	return tree.NewDocument(v)
}

// change commits what an instruction changed between turns.
func (m *Machine) change(by Input, at time.Time, next state.Campaign) Stop {
	return m.commit(RecordKind(by.inputType()), at, next, nil, Todo{Outcome: &Outcome{Status: Completed}})
}

// betweenTurns sets the stage for what happens while no turn runs: nothing ends there that
// lasts until the next turn ends.
func betweenTurns(m *Machine, at time.Time) *run {
	next := m.base.Clone()
	values := m.game.Settings().Freeze(next.GlobalSettings, next.Settings)
	t := newTurn(m.game, next, state.Submission{ActorID: next.State.Selected.ActorID, At: at}, values)
	t.knows(&m.past, (*explanation)(m.explained))
	t.stage.Settled.State.Hooks = next.State.Hooks
	t.stage.Settled.State.Injections = next.State.Injections
	t.stage.Undo()
	m.turn = t
	return t
}

// hearBetween lets rules and reactions hear of events between turns, and commits what they did.
func hearBetween(m *Machine, by Input, t *run, events []rules.Event) Stop {
	t.stage.Chain(events...)
	return m.commit(RecordKind(by.inputType()), t.order.in.At, stagedCampaign(t), nil,
		Todo{Host: t.stage.Staged.Host, Outcome: &Outcome{Status: Completed}})
}

// stagedCampaign is the campaign with what happened on a stage between turns.
func stagedCampaign(t *run) state.Campaign {
	keepSecrets(t)
	next := t.next
	next.State = t.stage.Staged.State
	next.State.Random = t.stage.Dice.Cursor
	return next
}

// keepSecrets notes who knows the texts that the turn has left in the state. What macros have
// written the actor knows, if the prompts had anything private to write.
func keepSecrets(t *run) {
	before, after, byMacros := &t.next.State, &t.stage.Staged.State, t.order.in.Audience
	if !before.Macros.Chat.Equal(after.Macros.Chat) || !before.Macros.Global.Equal(after.Macros.Global) {
		if blocks.Private(windowOf(t), t.found.memories) {
			byMacros = []string{t.order.in.ActorID}
		}
	}
	secret.Keep(before, after, t.order.in.Audience, byMacros)
}
