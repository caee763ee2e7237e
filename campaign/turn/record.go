package turn

import (
	"encoding/json"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/openjson"
)

// Record is one committed step of a campaign.
type Record struct {
	Version int64     `json:"version"` // place in the log, from 1
	Kind    string    `json:"kind"`    // create, turn, or what else changed the campaign
	At      time.Time `json:"at,omitzero"`

	// Inputs are what the machine was told; replaying them gives the same step.
	Inputs Inputs `json:"inputs,omitempty"`
	// Delta is what the step changed.
	Delta state.Delta `json:"delta,omitempty"`
	// Turn is the record of a committed turn.
	Turn *state.Turn `json:"turn,omitempty"`
	// Draws are the random numbers that an instruction used which is no committed turn;
	// those of a turn are in its trace.
	Draws []float64 `json:"draws,omitempty"`
	// Campaign is the whole start, in the first record of a log.
	Campaign json.RawMessage `json:"campaign,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// The kinds of records that are no instruction of the host's.
const (
	KindCreate   = "create"
	kindTurn     = "turn"
	kindConflict = "conflict"
	kindFailed   = "turn_failed"
)

// MarshalJSON writes the known fields and then the unknown ones.
func (r Record) MarshalJSON() ([]byte, error) {
	type plain Record
	return openjson.Encode(plain(r), r.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra.
func (r *Record) UnmarshalJSON(data []byte) (err error) {
	type plain Record
	var v plain
	v.Extra, err = openjson.Decode(data, &v)
	*r = Record(v)
	return err
}
