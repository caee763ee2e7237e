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

// The stored part writes records and campaigns as a store keeps them, and reads them again. Each ends with a
// checksum of its bytes. A snapshot also says with which behaviour and inputs the campaign was played, so that
// a version of the library that does not know all of them refuses to play it.

// form is what a record says about its stored form.
type form struct {
	Layout    int `json:"layout"`
	Behaviour int `json:"lib,omitempty"` // absent: 1
}

// behaviour is the number of the behaviour.
func (f form) behaviour() int { return max(f.Behaviour, 1) }

// Write returns a record as a store keeps it, see campaign.EntryOf.
func Write(r turn.Record) ([]byte, error) {
	for _, name := range []string{"layout", "lib", "texts", "sum"} {
		if _, taken := r.Extra[name]; taken {
			return nil, fmt.Errorf("an unknown member is called %s", name)
		}
	}
	body, err := r.MarshalJSON() // which is compact
	if err != nil {
		return nil, err
	}
	data := append(make([]byte, 0, len(body)+64), asNow...)
	if n := cmp.Or(r.Behaviour, turn.Behaviour); n != 1 {
		data = fmt.Appendf(data, `"lib":%d,`, n)
	}
	return Sum(AppendShared(data, body[1:]))
}

// Read returns the record that Write has written.
func Read(data []byte) (r turn.Record, err error) {
	data, f, err := present(data)
	if err == nil {
		err = json.Unmarshal(data, &r)
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

// Change returns the record without its inputs, which are not needed to apply what it changed.
func Change(data []byte) (turn.Record, error) {
	var r struct {
		Version  int64              `json:"version"`
		Kind     turn.RecordKind    `json:"kind"`
		Delta    state.Delta        `json:"delta"`
		Turn     *state.Turn        `json:"turn"`
		Campaign json.RawMessage    `json:"campaign"`
		States   state.Snapshots    `json:"states"`
		Head     tree.Value         `json:"head"`
		Attic    *state.ArchivePage `json:"attic"`
		Repair   *state.RepairNote  `json:"repair"`
		Turns    []state.Turn       `json:"turns"`
	}
	data, f, err := present(data)
	if err == nil {
		_, err = openjson.Decode(data, &r)
	}
	if err != nil {
		return turn.Record{}, err
	}
	return turn.Record{Version: r.Version, Kind: r.Kind, Delta: r.Delta, Turn: r.Turn, Campaign: r.Campaign,
		States: r.States, Head: r.Head, Attic: r.Attic, Repair: r.Repair, Turns: r.Turns, Layout: f.Layout, Behaviour: f.behaviour()}, nil
}

// TurnIDs returns the ids of the first and the last turn that the record adds, "" if it adds none.
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
	return "", "", nil // of an older one, as it reads now
}

// present returns the JSON of a record as the present layout has it, and the form that it had. Bytes that have
// changed are refused, and so are layouts that this version does not know.
func present(data []byte) ([]byte, form, error) {
	if err := checkSum(data); err != nil {
		return nil, form{}, err
	}
	f, err := formOf(data)
	if err == nil {
		err = turn.CheckLayout(f.Layout)
	}
	if err == nil {
		data, err = whole(data)
	}
	if err == nil {
		data, err = turn.UpgradeRecord(f.Layout, data)
	}
	return data, f, err
}

// whole is a record with its texts where they belong.
func whole(data []byte) ([]byte, error) {
	rest, now := bytes.CutPrefix(data, asNow)
	if lib, found := bytes.CutPrefix(rest, []byte(`"lib":`)); found {
		_, rest, _ = bytes.Cut(lib, []byte(","))
	}
	if !now || !shared(rest) {
		return data, nil
	}
	members, err := Whole(rest)
	return slices.Concat(data[:len(data)-len(rest)], members), err
}

// formOf reads what a record says of its form. Mostly that is the one that this version writes, and
// the rest need not be looked at: see BenchmarkRestore.
func formOf(data []byte) (f form, err error) {
	if rest, ok := bytes.CutPrefix(data, asNow); ok && !bytes.HasPrefix(rest, []byte(`"lib"`)) {
		return form{Layout: turn.Layout}, nil
	}
	err = json.Unmarshal(data, &f)
	return f, err
}

// asNow is how records of the present layout begin.
var asNow = fmt.Appendf(nil, `{"layout":%d,`, turn.Layout)
