package campaign

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/talewright/talewright/campaign/attic"
	"github.com/talewright/talewright/campaign/internal/texts"
	"github.com/talewright/talewright/campaign/layout"
	"github.com/talewright/talewright/campaign/repair"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// form is what an entry says of its stored form.
type form struct {
	Layout    int `json:"layout"`
	Behaviour int `json:"lib,omitempty"` // absent: 1
}

// behaviour is the number of the behaviour.
func (f form) behaviour() int { return max(f.Behaviour, 1) }

// EntryOf returns the record as a store keeps it: JSON that says its layout and, if it is not the first,
// the behaviour that it was played with, as "lib"; see package layout. Texts that stand in it more
// than once stand in the list "texts", and {"$text":0} where the first of them was. A record with unknown
// members of these names is an error.
func EntryOf(r turn.Record) (Entry, error) {
	for _, name := range []string{"layout", "lib", "texts"} {
		if _, taken := r.Extra[name]; taken {
			return Entry{}, fmt.Errorf("campaign: record %d: an unknown member is called %s", r.Version, name)
		}
	}
	body, err := openjson.Marshal(r)
	if err != nil {
		return Entry{}, fmt.Errorf("campaign: record %d: %w", r.Version, err)
	}
	e := Entry{Version: r.Version, Kind: string(r.Kind), At: r.At}
	if r.Turn != nil {
		e.TurnID, e.Key = r.Turn.ID, keyOfTurn(*r.Turn)
	}
	e.Data = append(make([]byte, 0, len(body)+16), asNow...)
	if n := cmp.Or(r.Behaviour, layout.Behaviour); n != 1 {
		e.Data = fmt.Appendf(e.Data, `"lib":%d,`, n)
	}
	e.Data = append(e.Data, texts.Share(body[1:])...)
	return e, nil
}

// Record returns the record that an entry holds. An entry that stands in the place of
// another one is an error, and so is one of a newer layout: [layout.ErrNewer].
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
		Version  int64           `json:"version"`
		Kind     turn.RecordKind `json:"kind"`
		Delta    state.Delta     `json:"delta"`
		Turn     *state.Turn     `json:"turn"`
		Campaign json.RawMessage `json:"campaign"`
		States   state.Snapshots `json:"states"`
		Head     tree.Value      `json:"head"`
		Attic    *attic.Page     `json:"attic"`
		Repair   *repair.Note    `json:"repair"`
		Turns    []state.Turn    `json:"turns"`
	}
	data, f, err := upgraded(e.Data)
	if err == nil {
		_, err = openjson.Decode(data, &r)
	}
	if err == nil && (r.Version != e.Version || string(r.Kind) != e.Kind) {
		err = fmt.Errorf("it holds record %d (%s)", r.Version, r.Kind)
	}
	if err != nil {
		return turn.Record{}, fmt.Errorf("campaign: record %d (%s): %w", e.Version, e.Kind, err)
	}
	return turn.Record{Version: r.Version, Kind: r.Kind, Delta: r.Delta, Turn: r.Turn, Campaign: r.Campaign,
		States: r.States, Head: r.Head, Attic: r.Attic, Repair: r.Repair, Turns: r.Turns, Layout: f.Layout, Behaviour: f.behaviour()}, nil
}

// turnIDs are the ids of the first and the last turn that the record adds, if it does.
func (e Entry) turnIDs() (first, last string, err error) {
	type named struct {
		ID string `json:"turn_id"`
	}
	var r struct {
		Kind  turn.RecordKind `json:"kind"`
		Turn  named           `json:"turn"`
		Turns []named         `json:"turns"`
	}
	if err := json.Unmarshal(e.Data, &r); err != nil {
		return "", "", fmt.Errorf("campaign: record %d (%s): %w", e.Version, e.Kind, err)
	}
	switch n := len(r.Turns); {
	case r.Kind == turn.RecordTurn:
		return r.Turn.ID, r.Turn.ID, nil
	case r.Kind == turn.RecordPast && n > 0:
		return r.Turns[0].ID, r.Turns[n-1].ID, nil
	}
	return "", "", nil // of an older one, as it reads now
}

// upgraded is the JSON of a record as the present layout has it, as far as that can be told without the
// others, and the form that it had. Layouts that this version does not know are refused.
func upgraded(data []byte) ([]byte, form, error) {
	f, err := formOf(data)
	if err == nil {
		err = layout.Check(f.Layout)
	}
	if err == nil {
		data, err = whole(data)
	}
	if err == nil {
		data, err = layout.Record(f.Layout, data)
	}
	return data, f, err
}

// whole is a record with its texts where they belong.
func whole(data []byte) ([]byte, error) {
	rest, now := bytes.CutPrefix(data, asNow)
	if lib, found := bytes.CutPrefix(rest, []byte(`"lib":`)); found {
		_, rest, _ = bytes.Cut(lib, []byte(","))
	}
	if !now || !texts.Shared(rest) {
		return data, nil
	}
	members, err := texts.Whole(rest)
	return slices.Concat(data[:len(data)-len(rest)], members), err
}

// formOf reads what a record says of its form. Mostly that is the one that this version writes, and
// the rest need not be looked at: see BenchmarkRestore.
func formOf(data []byte) (f form, err error) {
	if rest, ok := bytes.CutPrefix(data, asNow); ok && !bytes.HasPrefix(rest, []byte(`"lib"`)) {
		return form{Layout: layout.Current}, nil
	}
	err = json.Unmarshal(data, &f)
	return f, err
}

// asNow is how records of the present layout begin.
var asNow = fmt.Appendf(nil, `{"layout":%d,`, layout.Current)

func readRecord(data []byte) (r turn.Record, err error) {
	data, f, err := upgraded(data)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return turn.Record{}, err
	}
	r.Layout, r.Behaviour = f.Layout, f.behaviour()
	delete(r.Extra, "layout")
	if delete(r.Extra, "lib"); len(r.Extra) == 0 {
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
	Kind     string // of the record; "snapshot", "answer" for one in a [Ledger], "post/" and its key for a post
}

// String returns the place as text that is different for every place.
func (p Place) String() string { return fmt.Sprintf("%q/%d/%s", p.Campaign, p.Version, p.Kind) }

// Deflate returns a [Codec] that compresses, by the algorithm of the same name at its
// quickest. Records become a third of what they were, or less. Bytes that were written without a codec
// are read too, so that it can be switched on for campaigns that exist; it cannot be
// switched off again.
func Deflate() Codec { return deflate{} }

type deflate struct{}

// deflated begins what Deflate has written. JSON never begins so.
const deflated = "\x00deflate\n"

// maxInflated bounds what a few bytes in a store can grow to.
const maxInflated = 1 << 30

// Seal compresses.
func (deflate) Seal(_ Place, plain []byte) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(deflated)
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(plain)
	if err := errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Open decompresses up to a gigabyte.
func (deflate) Open(at Place, sealed []byte) ([]byte, error) {
	body, ok := bytes.CutPrefix(sealed, []byte(deflated))
	if !ok {
		return sealed, nil
	}
	r := flate.NewReader(bytes.NewReader(body))
	plain, err := io.ReadAll(io.LimitReader(r, maxInflated+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("inflate: %w", err)
	case len(plain) > maxInflated:
		return nil, fmt.Errorf("inflate: more than %d bytes", maxInflated)
	}
	return plain, nil
}
