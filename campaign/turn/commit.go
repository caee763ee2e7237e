package turn

import (
	"cmp"
	"errors"
	"time"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// This file makes the records of instructions, and asks the store to append them.

// commit prepares a record and returns the stop that writes it. The record has the changes from the
// present campaign to next. t is the committed turn, nil for an instruction without one. done is the
// result of the instruction after the write.
func (m *Machine) commit(kind RecordKind, at time.Time, next state.Campaign, t *state.Turn, done Todo) Stop {
	next.Version = m.base.Version + 1
	if !at.IsZero() {
		next.UpdatedAt = at
	}
	m.storeOnce(kind, &next, t, done.Outcome)
	next.Turns = m.log.Last(next.Turns, next.TurnsHeld) // the log may hold more of them
	page, archiveErr := next.MoveToArchive()
	before, beforeErr := m.headValue, error(nil)
	if !before.Exists() {
		before, beforeErr = m.base.HeadValue()
	}
	next, after, err := next.AsStored(m.base, m.headValue)
	delta := state.Diff(before, after)
	if err = cmp.Or(archiveErr, beforeErr, err); !delta.Valid() {
		err = cmp.Or(err, errNoJSON)
	}
	if err != nil {
		return unstorable(m, err)
	}
	record := &Record{Version: next.Version, Kind: kind, At: at, Content: m.game.Content().Extensions.Version,
		Inputs: m.Journal(), Delta: delta, Turn: t, Archive: page}
	if m.turn != nil && t == nil { // a committed turn has them in its trace
		record.Draws = m.turn.Stage.Dice.Draws
		record.Programs = m.turn.Stage.Pending.Trace.Programs
	}
	if storesHead(next.Version, after) {
		record.Head = after
	}
	if m.turn != nil && len(done.Host) > 0 {
		done.HostAudience = m.turn.Order.In.Audience
	}
	m.pending = commitment{next: next, headValue: after, todo: done, record: record}
	return atCommit
}

// storesHead reports whether a record stores the full head: every 64th record does. If the head is
// large, fewer records do, so that this adds at most 512 bytes to each record. Reading an earlier
// state starts at such a record, so its cost does not grow with the log.
func storesHead(version int64, head tree.Value) bool {
	for every := int64(state.WholeEvery); version%every == 0; every *= 2 {
		if int64(sizeOf(head, new([]byte))) <= every*512 {
			return true
		}
	}
	return false
}

// sizeOf returns the length of a value's JSON in bytes. It writes only one text or number at a time
// into the buffer, because the head of a long campaign has hundreds of kilobytes.
func sizeOf(v tree.Value, buffer *[]byte) int {
	size := len("[]") + max(v.Len()-1, 0) // with the commas
	switch {
	case v.IsArray():
		for _, element := range v.Elements() {
			size += sizeOf(element, buffer)
		}
	case v.IsObject():
		for key, member := range v.Members() {
			*buffer = tree.AppendText((*buffer)[:0], key)
			size += len(*buffer) + len(":") + sizeOf(member, buffer)
		}
	default:
		*buffer = v.AppendJSON((*buffer)[:0])
		return len(*buffer)
	}
	return size
}

// toWrite returns the request to write the record.
func toWrite(m *Machine) Todo { return Todo{Commit: m.pending.record} }

// committed makes the written campaign the present one.
func committed(m *Machine, _ Committed) Stop {
	m.base, m.headValue, m.ending = m.pending.next, m.pending.headValue, m.pending.todo
	if m.pending.record.Kind != RecordTurn {
		m.past.Read = nil // the commit may have changed the turns that were read
	}
	if t := m.pending.record.Turn; t != nil {
		m.past.TurnCommitted(*t, m.base.Turns)
		m.ending.Summarize = summaryDue(m)
	}
	return rowBelow
}

// commitFailed ends the instruction. The campaign does not change.
func commitFailed(m *Machine, in CommitFailed) Stop {
	return m.endWith(Outcome{Status: Failed, Reason: string(in.Reason), Detail: in.Detail,
		Failure: &Failure{Kind: FailureStore, Code: in.Reason, Retry: true}})
}

// unstorable ends an instruction whose result has no JSON form. Nothing changes.
func unstorable(m *Machine, err error) Stop {
	return m.endWith(Outcome{Status: Failed, Reason: string(unstorableState), Detail: err.Error(),
		Failure: &Failure{Kind: FailureState, Code: unstorableState, Err: err}})
}

// errNoJSON means that a command language of the host has written a variable without a JSON form.
var errNoJSON = errors.New("a variable has a name that is not UTF-8, or a number that is not JSON: check what the game's command language writes")

// An instruction between turns changes the campaign directly, or on a stage, where rules and hooks
// run for it.

// change commits the changes of an instruction between turns.
func (m *Machine) change(by Input, at time.Time, next state.Campaign) Stop {
	return m.commit(RecordKind(by.inputType()), at, next, nil, Todo{Outcome: &Outcome{Status: Completed}})
}

// betweenTurns prepares a stage for an instruction between turns. Hook state and injections that
// last until the end of the next turn do not end there.
func betweenTurns(m *Machine, at time.Time) *play.Turn {
	next := m.base.Clone()
	values := m.game.Settings().Freeze(next.GlobalSettings, next.Settings)
	t := play.New(m.game, next, state.Submission{ActorID: next.State.Selected.ActorID, At: at}, values)
	t.SetPast(&m.past, (*play.Explanation)(m.explained))
	t.Stage.Base.State.Hooks = next.State.Hooks
	t.Stage.Base.State.Injections = next.State.Injections
	t.Stage.Undo() // begins again from the changed base
	m.turn = t
	return t
}

// runBetweenTurns runs rules and reactions for events between turns, and commits their changes.
func runBetweenTurns(m *Machine, by Input, events ...rules.Event) Stop {
	t := m.turn
	t.Stage.Chain(events...)
	return m.commit(RecordKind(by.inputType()), t.Order.In.At, play.StagedCampaign(t), nil, resultBetweenTurns(t))
}

// resultBetweenTurns returns the effects for the host and the outcome of an instruction between
// turns.
func resultBetweenTurns(t *play.Turn) Todo {
	done := t.Stage.Pending
	return Todo{Host: done.Host, Outcome: &Outcome{Status: Completed, Messages: done.Messages, Trace: &done.Trace}}
}

// summaryDue returns a request for a summary when too many turns have none.
func summaryDue(m *Machine) *question.Summarize {
	limit := m.game.Content().Prompt.SummarizeAfter
	if limit <= 0 {
		return nil
	}
	c := &m.base
	due := c.State.TurnCount
	if covered, ok := c.Place(c.State.Summary.CoversThrough, c.State.HeadTurnID); ok {
		due -= covered
	}
	if due <= limit {
		return nil
	}
	turns := c.LastTurns(due)
	for i := range turns { // a summary needs the texts only
		turns[i].Changes, turns[i].Commands, turns[i].Trace = nil, nil, state.TurnTrace{}
	}
	q := &question.Summarize{Old: c.State.Summary, Turns: turns}
	if len(turns) < due {
		q.Unread = c.Newest(c.State.HeadTurnID, due)[:due-len(turns)]
	}
	return q
}
