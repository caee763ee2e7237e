package turn

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/attic"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/layout"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/repair"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Follow takes over a record that another machine of the same campaign has committed.
// It returns [ErrUnexpectedInput] in the middle of an instruction, unless that waits for people:
// then others have answered. After an error the machine is as it was.
func (m *Machine) Follow(rec Record) error {
	if m.phase != Idle && m.phase != Approving {
		return fmt.Errorf("%w: record %d while %s", ErrUnexpectedInput, rec.Version, m.phase)
	}
	next, err := follow(m.base, rec, &m.log)
	if err != nil {
		return fmt.Errorf("campaign: record %d: %w", rec.Version, err)
	}
	m.finish()
	if rec.Attic != nil {
		next.OlderJumps = append(slices.Clip(next.OlderJumps), rec.Attic.Jumps...)
	}
	m.base, m.head, m.todo, m.at, m.phase = next, tree.Value{}, Todo{}, rowOf[idle], Idle
	if rec.Turn != nil {
		m.past.tookOver(*rec.Turn, next.Turns)
	}
	m.past.read = nil
	_ = m.Resume(nil) // what it needs of the past may come later
	return nil
}

// Rebuild plays a whole log again, from its first record on, without a model, a store or
// a host: their answers are in the records.
//
// The result is equal to the campaign that was played, byte for byte; if a record turns
// out otherwise, the error is a [*repair.Difference], the first one, and the campaign is that of the records.
// What a repair has mended is no difference. Records of an older
// layout or behaviour are not held to that: they are taken as they stand, and those behind them are
// played on what they led to. For a record that only a newer version can play the error is a
// [*layout.Unplayable]. It keeps the texts of all turns in memory.
func Rebuild(g *game.Game, records iter.Seq2[Record, error]) (state.Campaign, error) {
	r := rebuilder{game: g}
	for rec, err := range records {
		if err == nil {
			if err = r.add(rec); err != nil {
				err = fmt.Errorf("record %d (%s): %w", rec.Version, rec.Kind, err)
			}
		}
		if err != nil {
			return r.reached(), err
		}
	}
	return r.end()
}

// rebuilder plays records again.
type rebuilder struct {
	game    *game.Game
	machine *Machine // nil while records are taken as they stand
	log     shelf
	differs *repair.Difference // the first, unless it was repaired
	kind    RecordKind         // of the record that it is in
}

// add plays one more record.
func (r *rebuilder) add(rec Record) error {
	if r.log.follower == nil && rec.Kind != RecordCreate && rec.Kind != RecordLost {
		return errNoBeginning
	}
	if n := rec.Repair; n != nil && r.differs != nil && n.From <= r.differs.Version {
		r.differs = nil
	}
	if rec.AsItStands() || r.differs != nil || r.log.follower.lost {
		r.machine = nil
		return r.log.add(rec)
	}
	if r.machine == nil {
		c, err := r.log.follower.campaign()
		if err != nil {
			return err
		}
		r.machine = NewMachine(r.game, c)
		if err := r.machine.Resume(r.log.past); err != nil {
			return err
		}
	}
	err := r.machine.Replay(rec, r.log.past)
	var other *repair.Difference
	if errors.As(err, &other) {
		r.machine, r.differs, r.kind, err = nil, other, rec.Kind, nil // it may have been repaired
	}
	if err != nil {
		return err
	}
	return r.log.add(rec)
}

// campaign is what the records led to.
func (r *rebuilder) campaign() (c state.Campaign, err error) {
	switch {
	case r.log.follower == nil:
		return c, errNoBeginning
	case r.machine == nil:
		return r.log.follower.campaign()
	}
	return r.machine.base, nil
}

// end is what the records led to, and the first difference.
func (r *rebuilder) end() (state.Campaign, error) {
	if r.differs != nil {
		return r.reached(), fmt.Errorf("record %d (%s): %w", r.differs.Version, r.kind, r.differs)
	}
	return r.campaign()
}

// reached is how far it came.
func (r *rebuilder) reached() state.Campaign {
	c, _ := r.campaign()
	return c
}

// AsItStands reports whether a record is not played again but taken as it stands: the first of a log, a repair, one that
// is lost, one of an older layout or behaviour.
func (r Record) AsItStands() bool {
	return r.Kind == RecordCreate || r.Kind == RecordRepair || r.Kind == RecordLost ||
		r.Layout != 0 && r.Layout < layout.Current || r.Behaviour != 0 && r.Behaviour < layout.Behaviour
}

// unplayable is the error for a record that only a newer version can play.
func (r Record) unplayable() error {
	if names := r.Inputs.Unknown(); len(names) > 0 || r.Behaviour > layout.Behaviour {
		return &layout.Unplayable{Version: r.Version, Behaviour: r.Behaviour, Inputs: names}
	}
	return nil
}

var errNoBeginning = errors.New("campaign: a log begins with the record that creates it")

// Replay plays an instruction again by what its record says that the machine was told. What it
// asks of the past is answered by the given function, which may read it with [ReadPast]; nil
// answers nothing.
// The error is a [*repair.Difference] if it leads elsewhere, and a [*layout.Unplayable] if only a newer
// version can play it.
func (m *Machine) Replay(rec Record, past func(question.Past) (PastRead, error)) error {
	if err := rec.unplayable(); err != nil {
		return err
	}
	for _, in := range rec.Inputs {
		if err := m.Step(in); err != nil {
			return &repair.Difference{Version: rec.Version, Err: fmt.Errorf("%w: %w", ErrDiverged, err)}
		}
		if err := m.lookBack(past); err != nil {
			return err
		}
	}
	got := m.todo.Commit
	if got == nil {
		return &repair.Difference{Version: rec.Version, Err: fmt.Errorf("%w: no commit, but phase %s", ErrDiverged, m.phase)}
	}
	if err := Same(*got, rec); err != nil {
		if other := m.elsewhere(*got, rec); other != nil {
			err = other
		}
		if d, ok := errors.AsType[*repair.Difference](err); ok {
			d.Version = rec.Version
		}
		return err
	}
	return m.Step(Committed{})
}

// elsewhere says where two records lead to different campaigns, nil if they do not.
func (m *Machine) elsewhere(got, want Record) error {
	before, err := m.base.HeadValue()
	if err != nil {
		return nil
	}
	a, err := got.Delta.Apply(before)
	if err != nil {
		return nil
	}
	b, err := want.Delta.Apply(before)
	if err != nil || a.Equal(b) {
		return nil
	}
	return diverged(a, b)
}

// Same returns nil if two records, or two campaigns, have the same JSON form, byte for byte.
// Otherwise the error is a [*repair.Difference], which wraps [ErrDiverged] and names the first one.
func Same(got, want any) error {
	a, err := openjson.Marshal(got)
	if err != nil {
		return err
	}
	b, err := openjson.Marshal(want)
	if err != nil {
		return err
	}
	if bytes.Equal(a, b) {
		return nil
	}
	return diverged(got, want)
}

// diverged says where two JSON values differ first.
func diverged(got, want any) error {
	a, err := tree.Of(got)
	if err != nil {
		return err
	}
	b, err := tree.Of(want)
	if err != nil {
		return err
	}
	d := &repair.Difference{Err: ErrDiverged}
	if all := state.Diff(b, a); len(all) > 0 && len(all[0].Path) > 0 { // else they are no objects of the same order
		d.Path = all[0].Path
		d.Got, d.Want = brief(a.Lookup(d.Path).String()), brief(b.Lookup(d.Path).String())
	}
	return d
}

func brief(text string) string {
	const limit = 80
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}

// Record is one committed step of a campaign.
type Record struct {
	Version int64      `json:"version"` // place in the log, from 1
	Kind    RecordKind `json:"kind"`
	At      time.Time  `json:"at,omitzero"`

	// Inputs are what the machine was told; replaying them gives the same step.
	Inputs Inputs `json:"inputs,omitempty"`
	// Delta is what the step changed.
	Delta state.Delta `json:"delta,omitempty"`
	// Turn is the record of a committed turn.
	Turn *state.Turn `json:"turn,omitempty"`
	// Draws are the random numbers that an instruction used which is no committed turn;
	// those of a turn are in its trace.
	Draws []float64 `json:"draws,omitempty"`
	// Campaign is the whole start, in the first record of a log, and States are those that its
	// references lead to, where it goes on from another campaign.
	Campaign json.RawMessage `json:"campaign,omitempty"`
	States   state.Snapshots `json:"states,omitempty"`
	// Attic is what the head has put off with the record, see [state.Campaign.Attic].
	Attic *attic.Page `json:"attic,omitempty"`
	// Head is the whole campaign after the record, without its turns. A repair has it, and one in many other
	// records, so that the state of long ago is read from there on and not from the beginning.
	Head tree.Value `json:"head,omitzero"`

	// Repair says what the repair was that the record is of, and Turns are turns that it keeps because no
	// record has them any more.
	Repair *repair.Note `json:"repair,omitempty"`
	Turns  []state.Turn `json:"turns,omitempty"`

	// Layout and Behaviour are those of the version that wrote the record, see package layout; 0
	// stands for those of this one. They are not members of the JSON form: [campaign.EntryOf] writes them.
	Layout    int `json:"-"`
	Behaviour int `json:"-"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// RecordKind says what a [Record] is of. That of an instruction which is no turn is the name
// of the instruction, as in the member "input" of its JSON: "patch_settings", "roll_back".
type RecordKind string

// The kinds that are not named for an instruction.
const (
	RecordCreate   RecordKind = "create"      // the campaign, as it began
	RecordTurn     RecordKind = "turn"        // a turn
	RecordConflict RecordKind = "conflict"    // a turn about which a person has to decide
	RecordFailed   RecordKind = "turn_failed" // a turn that was not played and left something behind
	RecordRepair   RecordKind = "repair"      // the campaign goes on with its Head, whatever was before
	RecordLost     RecordKind = "lost"        // stands for a record that cannot be read
)

// MarshalJSON writes the known fields and then the unknown ones.
func (r Record) MarshalJSON() ([]byte, error) { return openjson.Write(r) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (r *Record) UnmarshalJSON(data []byte) error { return openjson.Read(data, r) }

// turnLog appends to lists of turns. It does so in place where the list is the one
// that it returned last, so that the held turns are not copied for every turn. Whoever
// holds an older list never sees what was appended.
type turnLog struct {
	list []state.Turn
	from int // where the list that was returned last begins
}

// put is with for a turn that may be a new version of one that is there: that is replaced.
func (l *turnLog) put(turns []state.Turn, t state.Turn) []state.Turn {
	if n := len(turns); n == 0 || state.Newer(t.ID, turns[n-1].ID) {
		return l.with(turns, t) // the counter of turns never goes back
	}
	i := slices.IndexFunc(turns, func(old state.Turn) bool { return old.ID == t.ID })
	if i < 0 {
		return turns // it is not held
	}
	l.list, l.from = slices.Clone(turns), 0 // others hold the old list
	l.list[i] = t
	return slices.Clip(l.list)
}

func (l *turnLog) with(turns []state.Turn, t state.Turn) []state.Turn {
	n := len(turns)
	if n == 0 || l.from+n > len(l.list) || &l.list[l.from] != &turns[0] {
		l.list, l.from = slices.Clone(turns), 0
	}
	l.list = append(l.list[:l.from+n], t)
	return slices.Clip(l.list[l.from:])
}

// last returns at most n of the turns that were returned last, the newest; all if n is 0.
func (l *turnLog) last(turns []state.Turn, n int) []state.Turn {
	gone := len(turns) - n
	if n == 0 || gone <= 0 {
		return turns
	}
	if turns = turns[gone:]; l.from+gone <= len(l.list)-n && &l.list[l.from+gone] == &turns[0] {
		l.from += gone
	}
	if l.from > n+64 { // what is gone leaves the memory too
		*l = turnLog{list: slices.Clone(turns)}
		turns = slices.Clip(l.list)
	}
	return turns
}

// Follow applies records to a campaign, the zero Campaign before the first of them, without
// a game: what they changed stands in them. The sequence goes on behind the version of the
// campaign; for the zero Campaign it may begin with any record that has the whole head, and then the
// turns up to there are missing. Behind a record that is lost or does not fit, the next one that has the
// whole head goes on; without a repair the error is a [*repair.Damage] then, with the campaign as far as it is
// known. It takes time in proportion to what the records changed; the state is read once,
// at the end.
func Follow(c state.Campaign, records iter.Seq2[Record, error]) (state.Campaign, error) {
	f := newFollower(c, new(turnLog))
	for rec, err := range records {
		if err == nil {
			if err = f.add(rec); err != nil {
				err = fmt.Errorf("campaign: record %d: %w", rec.Version, err)
			}
		}
		if err != nil {
			return c, err
		}
	}
	return f.campaign()
}

// follow applies one record. The log is for all records that are applied in turn.
func follow(c state.Campaign, rec Record, log *turnLog) (state.Campaign, error) {
	f := newFollower(c, log)
	if err := f.add(rec); err != nil {
		return c, err
	}
	return f.campaign()
}

// follower applies records, one after the other, to the JSON value of a campaign.
type follower struct {
	base    state.Campaign // what it began with
	head    tree.Value     // the campaign without turns, as the layout has it; absent until there is a record
	layout  layout.Log     // of the records so far
	version int64
	turns   []state.Turn
	log     *turnLog
	states  map[string]tree.Value // that references lead to and base does not have
	damage  *repair.Damage        // the first record that does not fit, unless it was repaired
	lost    bool                  // a record could not be read, and none with a whole head has come since
}

func newFollower(c state.Campaign, log *turnLog) *follower {
	return &follower{base: c, version: c.Version, turns: c.Turns, log: log, states: map[string]tree.Value{}}
}

// add applies a record. After an error the follower is of no more use.
func (f *follower) add(rec Record) (err error) {
	if f.version == 0 && rec.Head.Exists() {
		f.version = rec.Version
		f.goOn(rec)
		return nil
	}
	if rec.Version != f.version+1 {
		return fmt.Errorf("follows version %d", f.version)
	}
	f.version = rec.Version
	switch {
	case rec.Kind == RecordCreate:
		return f.begin(rec)
	case rec.Kind == RecordLost:
		f.lost = true
		return nil
	case rec.Head.Exists() && (f.lost || rec.Kind == RecordRepair):
		f.goOn(rec)
		return nil
	case f.lost:
		f.tell(rec.Turn)
		return nil
	}
	if !f.head.Exists() {
		if f.head, err = f.base.HeadValue(); err != nil {
			return err
		}
	}
	before, err := f.layout.Turn(rec.Layout, f.head)
	if err != nil {
		return err
	}
	if f.head, err = rec.Delta.Apply(before); err != nil {
		if f.damage == nil {
			f.damage = &repair.Damage{Version: rec.Version, Err: err}
		}
		f.head, f.lost = before, true
		f.tell(rec.Turn)
		return nil
	}
	f.note(rec, before)
	f.tell(rec.Turn)
	f.findStates(before.Get("state"), f.head.Get("state"))
	return nil
}

// tell takes over the turn of a record, if it has one, and forgets those that are not held.
func (f *follower) tell(t *state.Turn) {
	if t != nil {
		f.turns = f.log.put(f.turns, *t)
	}
	if held, ok := f.head.Get("turns_held").AsFloat(); ok {
		f.turns = f.log.last(f.turns, int(held))
	}
}

// goOn takes over the whole head of a record, where what was before cannot be read or counts no more.
func (f *follower) goOn(rec Record) {
	f.lost, f.head = false, rec.Head
	if n := rec.Repair; n != nil && f.damage != nil && n.From <= f.damage.Version {
		f.damage = nil
	}
	f.layout.Begin(rec.Layout)
	if len(rec.Turns) > 0 {
		f.turns = slices.Concat(f.turns, rec.Turns)
		slices.SortStableFunc(f.turns, func(a, b state.Turn) int {
			n, _ := state.TurnNumber(a.ID)
			m, _ := state.TurnNumber(b.ID)
			return cmp.Compare(n, m)
		})
	}
	f.tell(rec.Turn)
	f.base.Snapshots = maps.Clone(f.base.Snapshots)
	for ref, s := range rec.States {
		if f.base.Snapshots == nil {
			f.base.Snapshots = state.Snapshots{}
		}
		f.base.Snapshots[ref] = s
	}
	f.findStates(tree.Value{}, f.head.Get("state"))
}

// begin takes the first record of a log. The head of one of an older layout stays in that until
// the end.
func (f *follower) begin(rec Record) error {
	first, err := rec.Beginning()
	if n := first.TurnsHeld; n > 0 && len(first.Turns) > n { // the others are in the log
		first.Turns = slices.Clip(first.Turns[len(first.Turns)-n:])
	}
	*f = *newFollower(first, f.log)
	if f.layout.Begin(rec.Layout); err != nil || !f.layout.Old() {
		return err
	}
	v, err := tree.ParseValue(rec.Campaign)
	f.head = v.Without("turns")
	f.layout.Note(layout.Noted{Version: rec.Version, After: f.head})
	for _, t := range first.Turns {
		f.layout.Note(layout.Noted{Version: rec.Version, Turn: t.ID, Parent: t.ParentID})
	}
	return err
}

// note tells the upgrade of an older layout of a record.
func (f *follower) note(rec Record, before tree.Value) {
	if !f.layout.Old() {
		return
	}
	noted := layout.Noted{Version: rec.Version, Before: before, After: f.head}
	if rec.Turn != nil {
		noted.Turn, noted.Parent = rec.Turn.ID, rec.Turn.ParentID
	}
	f.layout.Note(noted)
}

// Beginning is the campaign that a log begins with.
func (r Record) Beginning() (c state.Campaign, err error) {
	if err = json.Unmarshal(r.Campaign, &c); err != nil {
		return c, err
	}
	c.Snapshots = maps.Clone(r.States)
	if c.Snapshots == nil {
		c.Snapshots = state.Snapshots{}
	}
	s := c.State
	c.Snapshots[state.StateRef(r.Version)] = &s
	c.DropUnreferenced()
	return c, nil
}

// findStates has the states at hand that a record gave references to: the one that it led
// to, and the one that it came from. States that nothing leads to any more are forgotten.
func (f *follower) findStates(before, after tree.Value) {
	used := map[string]bool{}
	use := func(ref tree.Value) {
		name, _ := ref.AsText()
		used[f.layout.Ref(name)] = true
	}
	checkpoints := func(list tree.Value) {
		for _, c := range list.Elements() {
			use(c.Get("state_snapshot_ref"))
		}
	}
	answers := func(a tree.Value) {
		use(a.Get("before_snapshot_ref"))
		for _, o := range a.Get("others").Elements() {
			use(o.Get("snapshot_ref"))
			checkpoints(o.Get("checkpoints"))
		}
	}
	use(f.head.Get("rollback_pending").Get("from_snapshot_ref"))
	checkpoints(f.head.Get("checkpoints"))
	answers(f.head.Get("alternatives"))
	for _, b := range f.head.Get("branches").Members() {
		use(b.Get("snapshot_ref"))
		checkpoints(b.Get("checkpoints"))
		answers(b.Get("alternatives"))
	}
	for version, s := range map[int64]tree.Value{f.version: after, f.version - 1: before} {
		ref := state.StateRef(version)
		if _, found := f.states[ref]; s.Exists() && used[ref] && !found && f.base.Snapshots[ref] == nil {
			f.states[ref] = s
		}
	}
	maps.DeleteFunc(f.states, func(ref string, _ tree.Value) bool { return !used[ref] })
}

// campaign is what the records led to, also where one of them was damaged: then with that error.
func (f *follower) campaign() (state.Campaign, error) {
	c, err := f.reached()
	if err == nil && f.damage != nil {
		err = f.damage
	}
	return c, err
}

func (f *follower) reached() (state.Campaign, error) {
	if !f.head.Exists() {
		return f.base, nil
	}
	c, err := f.base.WithHeadValue(f.layout.Head(f.head))
	if err != nil {
		return f.base, err
	}
	c = c.Clone()
	c.Turns = f.turns
	if c.Snapshots == nil {
		c.Snapshots = state.Snapshots{}
	}
	head := f.head.Get("state")
	for ref, v := range f.states {
		kept := c.State
		if v != head {
			if kept, err = state.StateOf(v); err != nil {
				return f.base, err
			}
		}
		c.Snapshots[ref] = &kept
	}
	c.DropUnreferenced()
	return c, nil
}
