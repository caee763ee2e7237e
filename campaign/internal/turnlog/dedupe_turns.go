package turnlog

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// TurnIndex finds the turns of a log by client turn ID. The store finds the entry of a submission. The
// beginning of the log may contain the turns of a different campaign without their keys, so Turns
// indexes it, with eight bytes for each turn. It reads the beginning once, when a submission with an
// ID comes to a campaign whose head does not hold all turns.
type TurnIndex struct {
	mu       sync.Mutex
	readUpTo int64         // the version up to which the log was read
	entries  []indexedTurn // sorted by hash
}

type indexedTurn struct{ hash, turn uint32 }

// Find returns the turn that was submitted with an ID, or nil if not found.
func (s *TurnIndex) Find(log ClientTurnLog, c state.Campaign, clientTurnID string) (*state.Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	version, err := log.Find(Key(clientTurnID))
	if err != nil {
		return nil, err
	}
	if version > 0 {
		t, err := log.Recorded(c, version)
		if err != nil || hasClientTurnID(t, clientTurnID) {
			return &t, err
		}
	}
	if err := s.indexBeginning(log, c.Archive.First()); err != nil {
		return nil, err
	}
	hash := uint32(hashOf(clientTurnID))
	at, _ := slices.BinarySearchFunc(s.entries, hash, func(s indexedTurn, hash uint32) int { return cmp.Compare(s.hash, hash) })
	for ; at < len(s.entries) && s.entries[at].hash == hash; at++ {
		turns, err := log.Read(c, []string{state.TurnID(int(s.entries[at].turn))})
		if err != nil {
			return nil, err
		}
		for _, t := range turns {
			if hasClientTurnID(t, clientTurnID) {
				return &t, nil
			}
		}
	}
	return nil, nil
}

// indexBeginning adds the turns of the beginning of the log, up to a version, to the index.
func (s *TurnIndex) indexBeginning(log ClientTurnLog, upTo int64) error {
	if s.readUpTo >= upTo {
		return nil
	}
	known := len(s.entries)
	add := func(t state.Turn) {
		n, _ := state.TurnNumber(t.ID)
		for _, c := range append([]state.Continuation{{ClientTurnID: t.ClientTurnID}}, t.Continued...) {
			if c.ClientTurnID != "" {
				s.entries = append(s.entries, indexedTurn{uint32(hashOf(c.ClientTurnID)), uint32(n)})
			}
		}
	}
	for rec, err := range log.Changes(s.readUpTo) {
		if err != nil {
			return err
		}
		turns := rec.Turns
		if rec.Kind == turn.RecordCreate {
			first, err := rec.Beginning()
			if err != nil {
				return err
			}
			turns = first.Turns
		}
		for _, t := range turns {
			add(t)
		}
		if s.readUpTo = rec.Version; s.readUpTo >= upTo {
			break
		}
	}
	if len(s.entries) > known {
		slices.SortFunc(s.entries, func(a, b indexedTurn) int {
			return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.turn, b.turn))
		})
	}
	return nil
}

// ClientTurnLog is the log of a campaign, with the keys of its store.
type ClientTurnLog struct {
	Log
	Find func(key string) (version int64, err error) // as in campaign.Store
}

// Key returns the key under which a store finds the turn of a client turn ID.
func Key(clientTurnID string) string {
	if clientTurnID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(clientTurnID))
	return hex.EncodeToString(sum[:16])
}

// KeyOf returns the key of the newest submission that made or continued the turn.
func KeyOf(t state.Turn) string {
	id := t.ClientTurnID
	if n := len(t.Continued); n > 0 {
		id = cmp.Or(t.Continued[n-1].ClientTurnID, id)
	}
	return Key(id)
}

// hasClientTurnID reports whether an ID belongs to the submission of the turn, or to a continuation of it.
func hasClientTurnID(t state.Turn, clientTurnID string) bool {
	return t.ClientTurnID == clientTurnID ||
		slices.ContainsFunc(t.Continued, func(c state.Continuation) bool { return c.ClientTurnID == clientTurnID })
}
