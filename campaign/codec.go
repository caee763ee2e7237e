package campaign

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// layout is the number of the stored form of records. It goes up when a record of
// before can no longer be read as it stands.
const layout = 1

// ErrNewerLayout is returned for a record that was written by a newer version of this
// library. It is not read in part.
var ErrNewerLayout = errors.New("the record was written by a newer version of this library")

// EntryOf returns the record as a store keeps it: JSON that says its layout. A record with an
// unknown member of that name is an error.
func EntryOf(r turn.Record) (Entry, error) {
	if _, taken := r.Extra["layout"]; taken {
		return Entry{}, fmt.Errorf("campaign: record %d: an unknown member is called layout", r.Version)
	}
	body, err := openjson.Marshal(r)
	if err != nil {
		return Entry{}, fmt.Errorf("campaign: record %d: %w", r.Version, err)
	}
	e := Entry{Version: r.Version, Kind: string(r.Kind), At: r.At}
	if r.Turn != nil {
		e.TurnID, e.Key = r.Turn.ID, keyOfTurn(*r.Turn)
	}
	e.Data = fmt.Appendf(make([]byte, 0, len(body)+16), `{"layout":%d,%s`, layout, body[1:])
	return e, nil
}

// Record returns the record that an entry holds. An entry that stands in the place of
// another one is an error, and so is one of a newer layout: [ErrNewerLayout].
func (e Entry) Record() (turn.Record, error) {
	r, err := readRecord(e.Data)
	if err == nil && (r.Version != e.Version || string(r.Kind) != e.Kind) {
		err = fmt.Errorf("it holds record %d (%s)", r.Version, r.Kind)
	}
	if err != nil {
		return turn.Record{}, fmt.Errorf("campaign: record %d (%s): %w", e.Version, e.Kind, err)
	}
	return r, nil
}

// change is the record without what the machine was told, which nobody needs who only
// applies what it changed.
func (e Entry) change() (turn.Record, error) {
	var r struct {
		Layout   int             `json:"layout"`
		Version  int64           `json:"version"`
		Kind     turn.RecordKind `json:"kind"`
		Delta    state.Delta     `json:"delta"`
		Turn     *state.Turn     `json:"turn"`
		Campaign json.RawMessage `json:"campaign"`
		States   state.Snapshots `json:"states"`
		Head     tree.Value      `json:"head"`
	}
	_, err := openjson.Decode(e.Data, &r)
	if err == nil {
		err = checkLayout(r.Layout)
	}
	if err == nil && (r.Version != e.Version || string(r.Kind) != e.Kind) {
		err = fmt.Errorf("it holds record %d (%s)", r.Version, r.Kind)
	}
	if err != nil {
		return turn.Record{}, fmt.Errorf("campaign: record %d (%s): %w", e.Version, e.Kind, err)
	}
	return turn.Record{Version: r.Version, Kind: r.Kind, Delta: r.Delta, Turn: r.Turn, Campaign: r.Campaign,
		States: r.States, Head: r.Head}, nil
}

// turnID is the id of the turn that the record is of, if it is of one.
func (e Entry) turnID() (string, error) {
	var r struct {
		Kind turn.RecordKind `json:"kind"`
		Turn struct {
			ID string `json:"turn_id"`
		} `json:"turn"`
	}
	if err := json.Unmarshal(e.Data, &r); err != nil {
		return "", fmt.Errorf("campaign: record %d (%s): %w", e.Version, e.Kind, err)
	}
	if r.Kind != turn.RecordTurn {
		return "", nil // an older one, as it reads now
	}
	return r.Turn.ID, nil
}

// checkLayout refuses the layouts that this version does not know.
func checkLayout(n int) error {
	switch {
	case n > layout:
		return fmt.Errorf("layout %d: %w", n, ErrNewerLayout)
	case n < 1:
		return fmt.Errorf("layout %d: there is none", n)
	}
	return nil
}

func readRecord(data []byte) (turn.Record, error) {
	var head struct {
		Layout int `json:"layout"`
	}
	err := json.Unmarshal(data, &head)
	if err == nil {
		err = checkLayout(head.Layout)
	}
	if err != nil {
		return turn.Record{}, err
	}
	var r turn.Record
	if err := json.Unmarshal(data, &r); err != nil {
		return turn.Record{}, err
	}
	if delete(r.Extra, "layout"); len(r.Extra) == 0 {
		r.Extra = nil
	}
	return r, nil
}

// Codec changes bytes on their way to the store and back, to compress or to encrypt
// them. Open gets what Seal has returned, at the same place; it must refuse bytes that
// were changed or come from another place, if that matters. A Codec is safe for
// concurrent use and keeps neither of its arguments.
type Codec interface {
	Seal(at Place, plain []byte) ([]byte, error)
	Open(at Place, sealed []byte) ([]byte, error)
}

// Place is where bytes belong. An encrypting [Codec] takes it as additional data, so
// that nothing can be put in the place of something else, and may have a key for each
// campaign, so that throwing the key away deletes it.
type Place struct {
	Campaign string
	Version  int64
	Kind     string // of the record; "snapshot" for a snapshot, "answer" for one in a [Ledger]
}

// String returns the place as text that is different for every place.
func (p Place) String() string { return fmt.Sprintf("%q/%d/%s", p.Campaign, p.Version, p.Kind) }
