package turnlog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// The codec files encode records and campaigns for a store, and decode them. Each encoded value
// ends with a checksum of its bytes. A snapshot also lists the behaviour and the inputs that the
// campaign was played with. A version of the library that lacks some of them refuses to play it.

// recordForm describes the stored form of a record.
type recordForm struct {
	Layout    int `json:"layout"`
	Behaviour int `json:"lib,omitempty"` // absent: 1
}

// behaviour returns the number of the behaviour.
func (f recordForm) behaviour() int { return max(f.Behaviour, 1) }

// Write encodes a record for a store, see campaign.EntryOf.
func Write(r turn.Record) ([]byte, error) {
	for _, name := range []string{"layout", "lib", "texts", "sum"} {
		if _, taken := r.Extra[name]; taken {
			return nil, fmt.Errorf("an unknown member is called %s", name)
		}
	}
	body, err := r.MarshalJSON() // the JSON is compact
	if err != nil {
		return nil, err
	}
	data := append(make([]byte, 0, len(body)+64), presentPrefix...)
	if n := cmp.Or(r.Behaviour, turn.Behaviour); n != 1 {
		data = fmt.Appendf(data, `"lib":%d,`, n)
	}
	return Sum(AppendShared(data, body[1:])), nil
}

// Read decodes a record that Write has encoded.
func Read(data []byte) (r turn.Record, err error) {
	data, f, err := openRecord(data)
	if err == nil {
		err = r.UnmarshalJSON(data)
	}
	if err != nil {
		return turn.Record{}, err
	}
	r.Layout, r.Behaviour = f.Layout, f.behaviour()
	for _, name := range []string{"layout", "lib", "sum"} {
		delete(r.Extra, name)
	}
	if len(r.Extra) == 0 {
		r.Extra = nil
	}
	return r, nil
}

// Change decodes a record without its inputs, which are not needed to apply its changes.
func Change(data []byte) (turn.Record, error) {
	var r struct {
		Version  int64              `json:"version"`
		Kind     turn.RecordKind    `json:"kind"`
		Delta    state.Delta        `json:"delta" openjson:"own"`
		Turn     *state.Turn        `json:"turn" openjson:"own"`
		Campaign json.RawMessage    `json:"campaign"`
		States   state.Snapshots    `json:"states" openjson:"own"`
		Head     tree.Value         `json:"head" openjson:"own"`
		Archive  *state.ArchivePage `json:"archive" openjson:"own"`
		Repair   *state.RepairNote  `json:"repair" openjson:"own"`
		Turns    []state.Turn       `json:"turns" openjson:"own"`
	}
	data, f, err := openRecord(data)
	if err == nil {
		_, err = openjson.Decode(data, &r)
	}
	if err != nil {
		return turn.Record{}, err
	}
	return turn.Record{Version: r.Version, Kind: r.Kind, Delta: r.Delta, Turn: r.Turn, Campaign: r.Campaign,
		States: r.States, Head: r.Head, Archive: r.Archive, Repair: r.Repair, Turns: r.Turns, Layout: f.Layout, Behaviour: f.behaviour()}, nil
}

// TurnIDs returns the IDs of the first and the last turn that the record adds, "" if it adds none.
func TurnIDs(data []byte) (first, last string, err error) {
	type named struct {
		ID string `json:"turn_id"`
	}
	var r struct {
		Kind  turn.RecordKind `json:"kind"`
		Turn  named           `json:"turn"`
		Turns []named         `json:"turns"`
	}
	err = checkSum(data)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return "", "", err
	}
	switch n := len(r.Turns); {
	case r.Kind == turn.RecordTurn:
		return r.Turn.ID, r.Turn.ID, nil
	case r.Kind == turn.RecordPast && n > 0:
		return r.Turns[0].ID, r.Turns[n-1].ID, nil
	}
	return "", "", nil // a record with an older turn has rewritten it
}

// openRecord returns the JSON of a record without shared texts, and its form. It refuses changed bytes and
// unknown layouts.
func openRecord(data []byte) ([]byte, recordForm, error) {
	if err := checkSum(data); err != nil {
		return nil, recordForm{}, err
	}
	f, err := readForm(data)
	if err == nil {
		err = turn.CheckLayout(f.Layout)
	}
	if err == nil {
		data, err = withSharedTexts(data)
	}
	return data, f, err
}

// withSharedTexts returns a record with its shared texts restored to their places.
func withSharedTexts(data []byte) ([]byte, error) {
	rest, now := bytes.CutPrefix(data, presentPrefix)
	if lib, found := bytes.CutPrefix(rest, []byte(`"lib":`)); found {
		_, rest, _ = bytes.Cut(lib, []byte(","))
	}
	if !now || !hasSharedTexts(rest) {
		return data, nil
	}
	members, err := WithTexts(rest)
	return slices.Concat(data[:len(data)-len(rest)], members), err
}

// readForm reads the form of a record. Most records have the form that this version writes; then the
// rest is not parsed: see BenchmarkRestore.
func readForm(data []byte) (f recordForm, err error) {
	if rest, ok := bytes.CutPrefix(data, presentPrefix); ok && !bytes.HasPrefix(rest, []byte(`"lib"`)) {
		return recordForm{Layout: turn.Layout}, nil
	}
	err = json.Unmarshal(data, &f)
	return f, err
}

// presentPrefix is the beginning of records in the present layout.
var presentPrefix = fmt.Appendf(nil, `{"layout":%d,`, turn.Layout)
