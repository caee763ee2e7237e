package past

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/openjson"
)

// Reader reads a log, record by record, and answers questions of machines about the past. It keeps
// all turns, as JSON, and the states of references. The zero Reader has read nothing.
type Reader struct {
	follower *follower
	turns    map[string][]byte
	// The contents of archive pages: jumps, branches, and the states of their references.
	jumps    [][2]int
	branches map[string]state.Branch
	states   map[string]state.State
}

// Add reads one more record, in the order of the log.
func (s *Reader) Add(rec Change) error {
	if s.follower == nil {
		s.follower, s.turns = NewFollower(state.Campaign{}, new(Turns)), map[string][]byte{}
	}
	if err := s.addPage(rec.Archive); err != nil {
		return fmt.Errorf("campaign: record %d: %w", rec.Version, err)
	}
	if err := s.follower.Add(rec); err != nil {
		return fmt.Errorf("campaign: record %d: %w", rec.Version, err)
	}
	turns := slices.Clip(rec.Turns)
	if rec.Kind == Create {
		first, _ := rec.Beginning() // the follower has read it
		turns = append(turns, first.Turns...)
	}
	if rec.Turn != nil {
		turns = append(turns, *rec.Turn)
	}
	for _, t := range turns {
		data, err := openjson.Marshal(t)
		if err != nil {
			return err
		}
		s.turns[t.ID] = data
	}
	return nil
}

// addPage keeps the contents of an archive page.
func (s *Reader) addPage(page *state.ArchivePage) error {
	if page == nil {
		return nil
	}
	s.jumps = append(s.jumps, page.Jumps...)
	for id := range page.Branches {
		var b state.Branch
		if _, err := page.Branch(id, &b); err != nil {
			return err
		}
		if s.branches == nil {
			s.branches, s.states = map[string]state.Branch{}, map[string]state.State{}
		}
		s.branches[id] = b
		for ref := range (state.Campaign{Branches: map[string]state.Branch{id: b}}).Refs() {
			kept, err := s.state(ref)
			if err != nil {
				return err
			}
			if kept != nil {
				s.states[ref] = *kept
			}
		}
	}
	return nil
}

// state returns the state of a reference, nil if it is not known.
func (s *Reader) state(ref string) (*state.State, error) {
	if kept, ok := s.follower.base.Kept(ref); ok {
		return &kept, nil
	}
	if v, ok := s.follower.states[ref]; ok {
		kept, err := state.StateOf(v)
		return &kept, err
	}
	if kept, ok := s.states[ref]; ok {
		return &kept, nil
	}
	return nil, nil
}

// Begun reports whether a record was read.
func (s *Reader) Begun() bool { return s.follower != nil }

// Lost reports whether a record could not be read, and no record with a whole head has followed
// yet.
func (s *Reader) Lost() bool { return s.follower.lost }

// Campaign returns the result of the records. At least one record must have been read.
func (s *Reader) Campaign() (state.Campaign, error) { return s.follower.Campaign() }

// pastAnswer is the answer of a log to a question about the past, as far as the log has it.
type pastAnswer struct {
	State  *state.State
	Turns  []state.Turn
	Jumps  [][2]int
	Branch *state.Branch
}

// Past answers a question of a machine.
func (s *Reader) Past(q question.Past) (read pastAnswer, err error) {
	for _, id := range q.Turns {
		if data, ok := s.turns[id]; ok {
			var t state.Turn
			if err := json.Unmarshal(data, &t); err != nil {
				return read, err
			}
			read.Turns = append(read.Turns, t)
		}
	}
	if q.Jumps {
		read.Jumps = slices.Clone(s.jumps)
	}
	if b, ok := s.branches[q.Branch]; ok {
		read.Branch = &b
	}
	if q.State != "" && s.follower != nil {
		read.State, err = s.state(q.State)
	}
	return read, err
}
