package turn

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// Follow applies a record that a different machine of the same campaign has committed. It returns
// [ErrUnexpectedInput] in the middle of an instruction. An instruction that waits for people is the
// exception: then other people may have answered elsewhere. After an error the machine does not
// change.
func (m *Machine) Follow(rec Record) error {
	if m.phase != Idle && m.phase != Approving {
		return fmt.Errorf("%w: record %d while %s", ErrUnexpectedInput, rec.Version, m.phase)
	}
	f := past.NewFollower(m.base, &m.log)
	err := f.Add(rec.change())
	var next state.Campaign
	if err == nil {
		next, err = f.Campaign()
	}
	if err != nil {
		return fmt.Errorf("campaign: record %d: %w", rec.Version, err)
	}
	m.finish()
	if rec.Archive != nil {
		next.OlderJumps = append(slices.Clip(next.OlderJumps), rec.Archive.Jumps...)
	}
	m.base, m.headValue, m.todo, m.row, m.phase = next, tree.Value{}, Todo{}, rowOf[idle], Idle
	if rec.Turn != nil {
		m.past.TurnCommitted(*rec.Turn, next.Turns)
	}
	m.past.Read = nil
	_ = m.Resume(nil) // a part of the past may be read later
	return nil
}

// Rebuild replays a whole log from its first record, without a model, a store or a host: their
// answers are in the records.
//
// The result equals the campaign that was played, byte for byte. If a record gives a different
// result, the error is a [*state.RepairDifference] for the first such record, and the campaign is
// the campaign of the records. A difference that a repair has mended is not reported. Records of an
// older layout or behaviour are not compared: they are used unchanged, and the records after them
// are played on their result. For a record that only a newer version can play the error is a
// [*Unplayable]. Rebuild keeps the texts of all turns in memory.
func Rebuild(g *game.Game, records iter.Seq2[Record, error]) (state.Campaign, error) {
	r := rebuilder{game: g}
	if err := r.addAll(records); err != nil {
		return r.reached(), err
	}
	return r.end()
}

// Replay replays a whole log and returns the campaign according to the results, not according to the
// changes in the records. The records that one of the repairs covers are not replayed. See [Rebuild]
// for the error of a record that cannot be replayed at all.
func Replay(g *game.Game, records iter.Seq2[Record, error], repairs []state.RepairNote) (state.Campaign, error) {
	r := rebuilder{game: g, keepsReplayed: true, repairs: repairs}
	if err := r.addAll(records); err != nil {
		return state.Campaign{}, err
	}
	return r.log.Campaign()
}

// rebuilder replays records.
type rebuilder struct {
	game          *game.Game
	machine       *Machine // nil while records are used unchanged
	log           past.Reader
	differs       *state.RepairDifference // the first one, unless it was repaired
	kind          RecordKind              // the kind of the record that differs
	keepsReplayed bool                    // a different result replaces the record
	repairs       []state.RepairNote      // the records that they cover are used unchanged
}

// addAll replays records. The error names the record.
func (r *rebuilder) addAll(records iter.Seq2[Record, error]) error {
	for rec, err := range records {
		if err == nil {
			if err = r.add(rec); err != nil {
				err = fmt.Errorf("record %d (%s): %w", rec.Version, rec.Kind, err)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add replays one more record.
func (r *rebuilder) add(rec Record) error {
	if !r.log.Begun() && rec.Kind != RecordCreate && rec.Kind != RecordPast && rec.Kind != RecordLost {
		return errNoBeginning
	}
	if n := rec.Repair; n != nil && r.differs != nil && n.From <= r.differs.Version {
		r.differs = nil
	}
	isCovered := slices.ContainsFunc(r.repairs, func(n state.RepairNote) bool { return n.Covers(rec.Version) })
	if rec.AsItStands() || isCovered || r.differs != nil || r.log.Lost() {
		r.machine = nil
		return r.log.Add(rec.change())
	}
	if r.machine == nil {
		c, unread := r.log.Campaign()
		r.machine = NewMachine(r.game, c)
		if err := cmp.Or(unread, r.machine.Resume(pastIn(&r.log))); err != nil {
			return err
		}
	}
	err := r.machine.Replay(rec, pastIn(&r.log))
	switch other, differs := errors.AsType[*state.RepairDifference](err); {
	case differs && r.keepsReplayed && r.machine.todo.Commit != nil:
		rec = *r.machine.todo.Commit
		err = r.machine.Step(Committed{})
	case differs && !r.keepsReplayed:
		r.machine, r.differs, r.kind, err = nil, other, rec.Kind, nil // a later record may repair it
	}
	return cmp.Or(err, r.log.Add(rec.change()))
}

// campaign returns the result of the records.
func (r *rebuilder) campaign() (c state.Campaign, err error) {
	switch {
	case !r.log.Begun():
		return c, errNoBeginning
	case r.machine == nil:
		return r.log.Campaign()
	}
	return r.machine.base, nil
}

// end returns the result of the records. If a record gave a different result and was not repaired,
// it also returns that difference.
func (r *rebuilder) end() (state.Campaign, error) {
	if r.differs != nil {
		return r.reached(), fmt.Errorf("record %d (%s): %w", r.differs.Version, r.kind, r.differs)
	}
	return r.campaign()
}

// reached returns the campaign as far as it was rebuilt.
func (r *rebuilder) reached() state.Campaign {
	c, _ := r.campaign()
	return c
}

var errNoBeginning = errors.New("campaign: a log begins with the record that creates it")

// Replay replays an instruction from the inputs of its record. The function past answers questions
// about the past, and may use [ReadPast]; nil answers nothing. The error is a
// [*state.RepairDifference] if the result is different, and a [*Unplayable] if only a newer version
// can play the record.
func (m *Machine) Replay(rec Record, past func(question.Past) (PastRead, error)) error {
	if err := rec.unplayable(); err != nil {
		return err
	}
	if m.recordedPrograms = rec.Programs; rec.Turn != nil {
		m.recordedPrograms = rec.Turn.Trace.Programs
	}
	defer func() { m.recordedPrograms = nil }()
	if m.turn != nil { // it waited for people
		m.turn.Recorded = m.recordedPrograms
	}
	cause := rec.firstDifference(m.game.Content().Extensions.Version)
	for _, in := range rec.Inputs {
		if err := m.Step(in); err != nil {
			return &state.RepairDifference{Version: rec.Version, Err: fmt.Errorf("%w: %w", cause, err)}
		}
		if err := answerPast(m, past); err != nil {
			return err
		}
	}
	got := m.todo.Commit
	if got == nil {
		return &state.RepairDifference{Version: rec.Version, Err: fmt.Errorf("%w: no commit, but phase %s", cause, m.phase)}
	}
	replayed := *got
	replayed.Content = rec.Content
	if err := Same(replayed, rec); err != nil {
		if other := headDifference(m, replayed, rec); other != nil {
			err = other
		}
		if d, ok := errors.AsType[*state.RepairDifference](err); ok {
			d.Version, d.Err = rec.Version, cause
		}
		return err
	}
	return m.Step(Committed{})
}

// divergedError returns [ErrDiverged], with the reason if the record was played with other content.
func (r Record) firstDifference(present string) error {
	if r.Content == present || r.Content == "" {
		return ErrDiverged
	}
	return fmt.Errorf("%w: it was played with the content %q, and the content is now %q: replay it with that content", ErrDiverged, r.Content, present)
}

// headDifference returns the first difference of the campaigns that result from two records, nil if
// they are equal or if a record does not fit.
func headDifference(m *Machine, got, want Record) error {
	before, err := m.base.HeadValue()
	gotHead, gotErr := got.Delta.Apply(before)
	wantHead, wantErr := want.Delta.Apply(before)
	if cmp.Or(err, gotErr, wantErr) != nil || gotHead.Equal(wantHead) {
		return nil
	}
	return firstDifference(gotHead, wantHead)
}

// Same returns nil if two records, or two campaigns, have the same JSON form, byte for byte.
// Otherwise the error is a [*state.RepairDifference], which wraps [ErrDiverged] and names the first
// difference.
func Same(got, want any) error {
	gotJSON, err := openjson.Marshal(got)
	wantJSON, wantErr := openjson.Marshal(want)
	if err = cmp.Or(err, wantErr); err != nil || bytes.Equal(gotJSON, wantJSON) {
		return err
	}
	gotValue, _ := tree.ParseValue(gotJSON) // without a value the difference has no path
	wantValue, _ := tree.ParseValue(wantJSON)
	return firstDifference(gotValue, wantValue)
}

// maxDifference limits each of the two values in a difference, in characters.
const maxDifference = 80

// firstDifference returns the first difference of two JSON values.
func firstDifference(got, want tree.Value) error {
	d := &state.RepairDifference{Err: ErrDiverged}
	if all := state.Diff(want, got); len(all) > 0 {
		d.Path = all[0].Path
		d.Got, d.Want = utf8text.Clip(got.Lookup(d.Path).String(), maxDifference), utf8text.Clip(want.Lookup(d.Path).String(), maxDifference)
	}
	return d
}

// Follow applies records to a campaign without a game, because the records contain their changes.
// Pass the zero Campaign to read a log from its start. The sequence continues after the version of
// the campaign. For the zero Campaign it may begin with any record that has the full head or
// creates the campaign; earlier turns are then missing. After a record that is lost or does not
// fit, reading continues at the next record with the full head. If there is no repair then, the
// error is a [*state.LogDamage], with the campaign as far as it is known. The time is proportional
// to the size of the changes. The state is decoded once, at the end.
func Follow(c state.Campaign, records iter.Seq2[Record, error]) (state.Campaign, error) {
	f := past.NewFollower(c, new(past.Turns))
	for rec, err := range records {
		if err == nil {
			if err = f.Add(rec.change()); err != nil {
				err = fmt.Errorf("campaign: record %d: %w", rec.Version, err)
			}
		}
		if err != nil {
			return c, err
		}
	}
	return f.Campaign()
}

// ReadPast answers a question of a machine from its log. It reads the log from beginning to end. It
// is for hosts that drive machines directly.
func ReadPast(q question.Past, records iter.Seq2[Record, error]) (PastRead, error) {
	log := new(past.Reader)
	for rec, err := range records {
		if err == nil {
			err = log.Add(rec.change())
		}
		if err != nil {
			return PastRead{}, err
		}
	}
	return pastIn(log)(q)
}

// pastIn returns a function that answers questions from a read log.
func pastIn(log *past.Reader) func(question.Past) (PastRead, error) {
	return func(q question.Past) (PastRead, error) {
		found, err := log.Past(q)
		return PastRead{State: found.State, Turns: found.Turns, Jumps: found.Jumps, Branch: found.Branch}, err
	}
}

// Explain plays a player's line, and the model's reply if it is not empty, and explains the effect
// of each entry, rule and reaction. Nothing is asked, changed or recorded: hooks do not run, and
// tools are not called. Explain does not check whether the line would be accepted.
func (m *Machine) Explain(in Submit, reply string) Explanation {
	g, c := m.game, m.base
	in.ActorID = cmp.Or(in.ActorID, c.State.Selected.ActorID)
	values := g.Settings().Freeze(c.GlobalSettings, c.Settings)
	t := play.New(g, c.Clone(), state.Submission(in), values)
	t.SetPast(t.Past, new(play.Explanation))
	t.Stage.Rewrites.Played = in.Text != "" || in.Auto
	t.Order.In.Audience = state.AudienceOf(in.ActorID, in.Audience)
	t.Dialog.Kind, _ = g.Dialog(values.Text(settingkey.ManualType))
	play.ProcessLine(t)
	play.ChooseSpeakers(t)
	for play.ScanBook(t); t.Casting.Index+1 < len(t.Casting.Speakers); play.ScanBook(t) {
		t.Casting.Index++
	}
	t.Casting = play.Casting{} // the reply is one text
	if reply != "" {
		t.Stage.Rewrites.PromptBuilt = true
		t.Out.Last = answer.Read(reply, nil)
		t.Stage.ApplyRequests(t.Out.Last.Text, t.Out.Requests)
		play.EndVariables(t)
		play.TurnEvents(t)
	}
	return Explanation(*t.Explained)
}

// Explain replays the instruction of a record in the campaign before it. It explains the
// instruction as [Machine.Explain] does, but with the actual results of hooks, tools and the model.
// It asks nothing outside, because the answers are in the record. If several chains of rules ran,
// their traces come one after the other. The function past answers questions about data that the
// campaign does not hold, see [Machine.Replay]. The error wraps [ErrDiverged] if the record belongs
// to a different game or a different campaign.
func (r Record) Explain(g *game.Game, before state.Campaign, past func(question.Past) (PastRead, error)) (Explanation, error) {
	m := &Machine{game: g, base: before, phase: Idle, explained: new(Explanation)}
	if err := m.Resume(past); err != nil { // a turn that waited for people
		return *m.explained, err
	}
	err := m.Replay(r, past)
	return *m.explained, err
}
