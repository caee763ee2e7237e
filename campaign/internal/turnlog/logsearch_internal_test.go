package turnlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

var errTorn = errors.New("the tape is torn")

// logOf returns a log of records. Reading the record of version torn fails.
func logOf(torn int64, records ...turn.Record) Log {
	changes := func(after int64) iter.Seq2[turn.Record, error] {
		return func(yield func(turn.Record, error) bool) {
			for _, rec := range records {
				if rec.Version == torn && torn > after {
					yield(turn.Record{}, errTorn)
					return
				}
				if rec.Version > after && !yield(rec, nil) {
					return
				}
			}
		}
	}
	return Log{Changes: changes, Turns: func(after int64) iter.Seq2[NewTurn, error] {
		return func(yield func(NewTurn, error) bool) {
			for rec, err := range changes(after) {
				one := NewTurn{Version: rec.Version}
				if rec.Turn != nil {
					one.ID = rec.Turn.ID
				}
				if !yield(one, err) {
					return
				}
			}
		}
	}}
}

// begun is a record that creates a campaign with two turns.
var begun = turn.Record{Version: 1, Kind: turn.RecordCreate,
	Campaign: []byte(`{"campaign_id":"mill","version":1,"turn_counter":2,"turns":[{"turn_id":"turn_0001","client_turn_id":"a"},` +
		`{"turn_id":"turn_0002","client_turn_id":"b","continued":[{"client_turn_id":"c"}]}]}`)}

// played is the record of a turn.
func played(version int64, n int) turn.Record {
	return turn.Record{Version: version, Kind: turn.RecordTurn, Turn: &state.Turn{ID: state.TurnID(n)}}
}

// failure is a part of the text of an error.
type failure string

// tornAfter returns a log in which no record after a version can be read by a call that begins there.
func tornAfter(version int64, l Log) Log {
	changes := l.Changes
	l.Changes = func(after int64) iter.Seq2[turn.Record, error] {
		if after != version {
			return changes(after)
		}
		return func(yield func(turn.Record, error) bool) { yield(turn.Record{}, errTorn) }
	}
	return l
}

// branchesOf reads the branches on two pages.
func branchesOf(older, newer tree.Value) (any, error) {
	c := state.Campaign{Version: 9, Archive: state.ArchiveIndex{Pages: []state.ArchiveRef{{Version: 3, Branches: 1}, {Version: 5, Branches: 1}}}}
	page := func(version int64, id string, v tree.Value) turn.Record {
		return turn.Record{Version: version, Archive: &state.ArchivePage{Branches: map[string]tree.Value{id: v}}}
	}
	for _, err := range logOf(0, begun, page(3, "a", older), page(5, "b", newer)).Branches(c, state.HistoryBranches{}) {
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// TestLogsWithoutAPart reads records that the log does not have or cannot read. Each call returns an
// error that says so, or the result of a log without the record.
func TestLogsWithoutAPart(t *testing.T) {
	t.Parallel()
	paged := state.Campaign{Version: 9, TurnCounter: 9, Archive: state.ArchiveIndex{Jumps: 2,
		Pages: []state.ArchiveRef{{Version: 3, First: 4, Last: 6, Jumps: 2, Branches: 1, Conflicts: 1}, {Version: 5, First: 1, Last: 9, Jumps: 1}}}}
	pages := []turn.Record{begun,
		{Version: 3, Archive: &state.ArchivePage{Jumps: [][2]int{{4, 1}}, Branches: map[string]tree.Value{"b": tree.Int(1)}, Rewritten: map[string]int64{"turn_0004": 4},
			Conflicts: map[string]tree.Value{"c1": tree.Null, "c9": tree.Int(1)}}},
		{Version: 5, Archive: &state.ArchivePage{}}}
	repaired := state.Campaign{Version: 9, TurnCounter: 9, Repairs: []state.RepairNote{{Version: 5}}}
	gap := []turn.Record{begun, played(2, 3), played(4, 4)}
	present := state.Campaign{Version: 4, TurnCounter: 4}
	has := func(found *state.StoredConflict, err error) (any, error) { return found != nil, err }
	for what, c := range map[string]struct {
		do   func() (any, error)
		want any // an error, a failure, or the text of the result
	}{
		"page":            {func() (any, error) { return logOf(0).archivePage(7) }, failure("there is no version 7")},
		"page of a turn":  {func() (any, error) { return logOf(0, gap...).archivePage(2) }, failure("record 2 has no page")},
		"page of another": {func() (any, error) { return logOf(0, pages...).archivePage(4) }, failure("record 4 has no page")},
		"rewritten":       {func() (any, error) { return logOf(0).turnOfRecord(7) }, failure("there is no version 7")},
		"recorded, edited": {func() (any, error) {
			edited := turn.Record{Version: 4, Kind: "edit_text", Turn: &state.Turn{ID: state.TurnID(3), Text: "edited"}}
			one, err := logOf(0, begun, played(2, 3), edited).Recorded(state.Campaign{Rewritten: map[string]int64{"turn_0003": 4}}, 2)
			return one.Text, err
		}, "edited"},
		"rewritten, no turn": {func() (any, error) { return logOf(0, pages...).turnOfRecord(3) }, failure("record 3 has no turn")},
		"jumps":              {func() (any, error) { return logOf(0, pages...).Whole(paged) }, failure("1 jumps are on pages, want 2")},
		"jumps, torn":        {func() (any, error) { return logOf(3, pages...).Whole(paged) }, errTorn},
		"kept, torn":         {func() (any, error) { return tornAfter(4, logOf(0, pages...)).Read(repaired, []string{"turn_0008"}) }, errTorn},
		"not kept":           {func() (any, error) { return logOf(0, pages...).Read(repaired, []string{"turn_0008"}) }, "[]"},
		"at a gap":           {func() (any, error) { return logOf(0, gap...).At(present, 3) }, failure("the state of version 3 is not known")},
		"before a whole head": {func() (any, error) {
			list := []turn.Record{begun}
			for v := int64(2); v < 70; v++ {
				list = append(list, turn.Record{Version: v, Kind: "checkpoint", Delta: state.Delta{{Path: tree.Path{"version"}, Value: tree.Int(v)}}})
			}
			c, err := logOf(0, list...).At(state.Campaign{Version: 69}, 66)
			return c.Version, err
		}, "66"},
		"reads no later record": {func() (any, error) {
			list := []turn.Record{begun}
			for v := int64(2); v < 9; v++ {
				list = append(list, turn.Record{Version: v, Kind: "checkpoint", Delta: state.Delta{{Path: tree.Path{"version"}, Value: tree.Int(v)}}})
			}
			l, newest := logOf(0, list...), int64(0)
			changes := l.Changes
			l.Changes = func(after int64) iter.Seq2[turn.Record, error] {
				return func(yield func(turn.Record, error) bool) {
					for rec, err := range changes(after) {
						if newest = max(newest, rec.Version); !yield(rec, err) {
							return
						}
					}
				}
			}
			c, err := l.At(state.Campaign{Version: 8}, 3)
			return []int64{c.Version, newest}, err
		}, "[3 3]"},
		"at the end":          {func() (any, error) { return logOf(0, gap[:2]...).At(present, 5) }, failure("the state of version 5 is not known")},
		"state, torn":         {func() (any, error) { return logOf(1, gap...).State(present, "setup") }, errTorn},
		"state of no repair":  {func() (any, error) { return logOf(0).State(present, state.RepairRef(3, 1)) }, "<nil>"},
		"branch of a number":  {func() (any, error) { return logOf(0, pages...).archivedBranch(paged, "b") }, failure("must be an object, not the number 1")},
		"outcome of a number": {func() (any, error) { return has(new(ConflictIndex).Find(logOf(0, pages...), paged, "c9")) }, failure("cannot unmarshal number")},
		"branches": {func() (any, error) {
			for _, err := range logOf(0, pages...).Branches(paged, state.HistoryBranches{}) {
				if err != nil {
					return nil, err
				}
			}
			return nil, nil
		}, failure("must be an object, not the number 1")},
		"branches, the newer page": {func() (any, error) { return branchesOf(tree.Object(), tree.Int(1)) }, failure("must be an object, not the number 1")},
		"branches, the older page": {func() (any, error) { return branchesOf(tree.Int(1), tree.Object()) }, failure("must be an object, not the number 1")},
		"answer, torn":             {func() (any, error) { return logOf(3, pages...).Answer(paged, question.Past{Jumps: true}) }, errTorn},
		"others":                   {func() (any, error) { return logOf(0, gap...).readWithOthers(present, []string{"turn_0009"}) }, failure("the log does not have turn_0009")},
		"heard": {func() (any, error) {
			return logOf(0, gap...).heardBy(present, "ren", []string{"turn_0004", "turn_0009"})
		}, failure("does not have all of turn_0004 to turn_0009")},
		"not a turn":       {func() (any, error) { return logOf(0, gap...).Read(present, []string{"x"}) }, failure(`"x" is no id of a turn`)},
		"conflict":         {func() (any, error) { return has(new(ConflictIndex).Find(logOf(0, pages...), paged, "c1")) }, "true"},
		"another conflict": {func() (any, error) { return has(new(ConflictIndex).Find(logOf(0, pages...), paged, "c2")) }, "false"},
		"conflict of a page that changed": {func() (any, error) {
			x := ConflictIndex{newestRead: 9, pages: map[uint64]int64{hashOf("c2"): 3}}
			return has(x.Find(logOf(0, pages...), paged, "c2"))
		}, "false"},
		"conflict of a page that is lost": {func() (any, error) {
			x := ConflictIndex{newestRead: 9, pages: map[uint64]int64{hashOf("c1"): 7}}
			return has(x.Find(logOf(0, pages...), paged, "c1"))
		}, failure("there is no version 7")},
		"the newest page wins": {func() (any, error) {
			newer := state.Campaign{Archive: state.ArchiveIndex{Pages: []state.ArchiveRef{{Version: 3, Conflicts: 1}, {Version: 6, Conflicts: 1}}}}
			x := ConflictIndex{}
			_, err := x.Find(logOf(0, append(slices.Clone(pages), turn.Record{Version: 6, Archive: pages[1].Archive})...), newer, "c1")
			return x.pages[hashOf("c1")], err
		}, "6"},
		"a page without the text": {func() (any, error) {
			both := state.Campaign{Archive: state.ArchiveIndex{Pages: []state.ArchiveRef{{Version: 3, First: 4, Last: 6}, {Version: 5, First: 1, Last: 9}}}}
			return logOf(0, pages...).newestVersions(both)("turn_0004")
		}, "4"},
		"no id":        {func() (any, error) { return logOf(0, gap...).VersionOf(present, "x") }, "0"},
		"the start":    {func() (any, error) { return logOf(0, gap...).VersionOf(present, state.StartTurnID) }, "1"},
		"in the start": {func() (any, error) { return logOf(0, gap...).VersionOf(present, "turn_0002") }, "1"},
		"after a gap":  {func() (any, error) { return logOf(0, gap...).VersionOf(present, "turn_0004") }, "4"},
		"not in it":    {func() (any, error) { return logOf(0, gap[:2]...).VersionOf(present, "turn_0004") }, "0"},
		"no beginning": {func() (any, error) {
			return logOf(0, turn.Record{Version: 1, Kind: turn.RecordCreate}).VersionOf(present, "turn_0001")
		}, failure("JSON")},
		"version, torn": {func() (any, error) { return logOf(2, gap...).VersionOf(present, "turn_0004") }, errTorn},
	} {
		got, err := c.do()
		ok := err == nil && fmt.Sprint(got) == c.want
		switch want := c.want.(type) {
		case error:
			ok = errors.Is(err, want)
		case failure:
			ok = err != nil && strings.Contains(err.Error(), string(want))
		}
		if !ok {
			t.Errorf("%s: %v, %v, want %v", what, got, err, c.want)
		}
	}
}

// TestTurnsOfTheBeginning finds the turns of a beginning by all their client turn IDs. A different
// ID with the same hash finds nothing.
func TestTurnsOfTheBeginning(t *testing.T) {
	t.Parallel()
	find := func(torn int64, start turn.Record, keys map[string]int64, s *TurnIndex, id string) string {
		l := ClientTurnLog{logOf(torn, start, played(2, 3)), func(key string) (int64, error) { return keys[key], nil }}
		got, err := s.Find(l, state.Campaign{Version: 2, TurnCounter: 3}, id)
		switch {
		case err != nil:
			return err.Error()
		case got == nil:
			return ""
		}
		return got.ID
	}
	wrong := map[string]int64{Key("a"): 2} // the key of a turn with another ID
	for _, c := range []struct {
		name, id, want string
		torn           int64
		start          turn.Record
		keys           map[string]int64
		s              *TurnIndex
	}{
		{"the first", "a", "turn_0001", 0, begun, nil, &TurnIndex{}},
		{"a continuation", "c", "turn_0002", 0, begun, nil, &TurnIndex{}},
		{"no id", "", "", 0, begun, nil, &TurnIndex{}},
		{"a foreign key", "a", "turn_0001", 0, begun, wrong, &TurnIndex{}},
		{"the same hash", "z", "", 0, begun, nil, &TurnIndex{readUpTo: 1, entries: []indexedTurn{{uint32(hashOf("z")), 1}}}},
		{"the same hash, torn", "z", errTorn.Error(), 1, begun, nil, &TurnIndex{readUpTo: 1, entries: []indexedTurn{{uint32(hashOf("z")), 1}}}},
		{"torn", "a", errTorn.Error(), 1, begun, nil, &TurnIndex{}},
		{"read before", "z", "", 2, begun, nil, &TurnIndex{readUpTo: 1}},
		{"a key that is torn", "a", errTorn.Error(), 2, begun, wrong, &TurnIndex{}},
		{"no beginning", "a", "unexpected end of JSON input", 0, turn.Record{Version: 1, Kind: turn.RecordCreate}, nil, &TurnIndex{}},
	} {
		if got := find(c.torn, c.start, c.keys, c.s, c.id); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPlayedWithUnknownInputs reads a record with two unknown inputs. The error names both, also
// after the next snapshot is read.
func TestPlayedWithUnknownInputs(t *testing.T) {
	t.Parallel()
	var p Requirements
	if err := p.AddRecord(7, []byte(`{"inputs":[{"input":"dance","x":1},{"input":"sing"}]}`)); err != nil {
		t.Fatal(err)
	}
	const want = `record 7: unknown input ["dance" "sing"]`
	if err := p.Err(); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v", err)
	}
	var in turn.Inputs
	if err := json.Unmarshal([]byte(`[{"input":"dance"},{"input":"sing"}]`), &in); err != nil {
		t.Fatal(err)
	}
	none := Requirements{}
	with := none.With(turn.Record{Version: 7, Inputs: in})
	if err := with.Err(); err == nil || !strings.HasPrefix(err.Error(), want) || none.Err() != nil {
		t.Errorf("with the record: %v; before: %v", err, none.Err())
	}
	data, err := p.Snapshot(state.Campaign{ID: "mill", Version: 7})
	if err != nil {
		t.Fatal(err)
	}
	if _, read, err := ReadSnapshot(data); err != nil || read.Err() == nil || !strings.HasPrefix(read.Err().Error(), want) {
		t.Errorf("%v, %v", err, read.Err())
	}
	for _, broken := range []string{`{"lib":"x"}`, `{"layout":1,"$texts":1`, `{"inputs":1}`} {
		if err := new(Requirements).AddRecord(1, []byte(broken)); err == nil {
			t.Errorf("%s is read", broken)
		}
	}
	if err := new(Requirements).AddRecord(1, append(slices.Clone(presentPrefix), `"texts":["a"`...)); !errors.Is(err, ErrDamaged) {
		t.Errorf("texts without an end: %v", err)
	}
}
