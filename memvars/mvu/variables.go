package mvu

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Variables is the state of this layer: the data, their schema, and the changes of the last
// message. It is immutable; keep a copy to keep a snapshot. Its JSON form is the form of MVU:
// stat_data, schema, display_data, delta_data, initialized_lorebooks.
type Variables struct {
	// Stat is the data, without markers. A campaign stores it as the member stat_data of its
	// variables. Below stat_data, [tree.Document.Int] and similar methods read a pair as its value.
	Stat tree.Document
	// Initialized are the names of the lore books whose entries were read.
	Initialized []string

	meta   *node
	before tree.Document // Stat before the last message
	notes  []note
	compat bool

	// Extra holds unknown JSON members.
	Extra map[string]json.RawMessage
}

// note is the text of one change for the display data.
type note struct {
	path tree.Path
	text string
}

// New creates variables from initial data, whose $meta markers become the schema. The data must be
// an object.
func New(data tree.Value, o Options) (Variables, error) {
	clean, meta := extract(data)
	d, err := tree.NewDocument(clean)
	if err != nil {
		return Variables{}, fmt.Errorf("mvu: initial data: %w", err)
	}
	return Variables{Stat: d, meta: meta, before: d, compat: o.compat()}, nil
}

// Schema returns the whole schema. It is computed from the data and the markers, so store it only
// to show it.
func (v Variables) Schema() tree.Value {
	return v.meta.schemaOf(v.Stat.Root(), v.compat)
}

// Delta returns the texts of the last message's changes, in the shape of the data.
func (v Variables) Delta() tree.Value {
	return writeNotes(tree.Document{}, v.notes)
}

// Display returns the data before the last message, with texts instead of the changed values.
func (v Variables) Display() tree.Value {
	return writeNotes(v.before, v.notes)
}

// writeNotes writes the texts into a document, as setAt does, in one batch.
func writeNotes(d tree.Document, notes []note) tree.Value {
	edit := d.Edit()
	for _, n := range notes {
		at, text := 0, tree.Text(n.text)
		for at < len(n.path)-1 && hasChild(edit, n.path[:at], n.path[at]) {
			at++
		}
		switch here := n.path[:at]; {
		case len(n.path) == 0:
		case edit.Kind(here) == tree.KindObject, hasChild(edit, here, n.path[at]):
			_ = edit.Set(n.path[:at+1], setAt(tree.Value{}, n.path[at+1:], text))
		default: // the existing value becomes a different container, or a longer list
			_ = edit.Set(here, setAt(edit.Lookup(here), n.path[at:], text))
		}
	}
	return edit.Document().Root()
}

// hasChild reports whether the container at the path has the member or element, by the rules of
// setAt.
func hasChild(edit *tree.Edit, path tree.Path, seg string) bool {
	if i, _ := tree.Index(seg); i > maxIndex && edit.Kind(path) == tree.KindArray {
		return false
	}
	return edit.Kind(append(slices.Clip(path), seg)) != tree.Absent
}

// setAt writes a value at a path of a tree. It creates objects and lists as needed and replaces
// values on the path.
func setAt(v tree.Value, path tree.Path, leaf tree.Value) tree.Value {
	if len(path) == 0 {
		return leaf
	}
	i, isIndex := tree.Index(path[0])
	isIndex = isIndex && i <= maxIndex
	if v.IsArray() && isIndex || !v.IsObject() && !v.IsArray() && isIndex {
		elems := v.List()
		for len(elems) <= i {
			elems = append(elems, tree.Null)
		}
		elems[i] = setAt(elems[i], path[1:], leaf)
		return tree.Array(elems...)
	}
	if !v.IsObject() {
		v = tree.Object()
	}
	return v.With(path[0], setAt(v.Get(path[0]), path[1:], leaf))
}

// maxIndex limits the lists that display data may create.
const maxIndex = 10_000

// variablesJSON is the JSON form of [Variables].
type variablesJSON struct {
	Stat        tree.Document `json:"stat_data"`
	Schema      tree.Value    `json:"schema"`
	Display     tree.Value    `json:"display_data,omitzero"`
	Delta       tree.Value    `json:"delta_data,omitzero"`
	Initialized []string      `json:"initialized_lorebooks"`
}

// MarshalJSON writes the form that MVU stores.
//
// The schema is written in full, so that other programs can read it. It is several times as large
// as the data. Hosts that do not exchange data with other programs store only the data and call New
// with it.
func (v Variables) MarshalJSON() ([]byte, error) {
	out := variablesJSON{Stat: v.Stat, Schema: v.Schema(), Initialized: v.Initialized}
	if len(v.notes) > 0 {
		out.Display, out.Delta = v.Display(), v.Delta()
	}
	if out.Initialized == nil {
		out.Initialized = []string{}
	}
	return openjson.Encode(out, v.Extra)
}

// UnmarshalJSON reads the form that MVU stores. Display and delta data belong to their message and
// are not read.
func (v *Variables) UnmarshalJSON(data []byte) error {
	var in struct {
		variablesJSON
		Initialized json.RawMessage `json:"initialized_lorebooks"`
	}
	extra, err := openjson.Decode(data, &in)
	if err != nil {
		return fmt.Errorf("mvu: variables: %w", err)
	}
	*v = Variables{Stat: in.Stat, before: in.Stat, Extra: extra, meta: fromSchema(in.Schema, false)}
	return v.readInitialized(in.Initialized)
}

// readInitialized accepts a list of names, or an object whose keys are names.
func (v *Variables) readInitialized(data json.RawMessage) error {
	if len(data) == 0 {
		return nil
	}
	names, err := tree.ParseValue(data)
	if err != nil {
		return fmt.Errorf("mvu: initialized_lorebooks: %w", err)
	}
	for _, e := range names.Elements() {
		if text, ok := e.AsText(); ok {
			v.Initialized = append(v.Initialized, text)
		}
	}
	for name := range names.Members() {
		v.Initialized = append(v.Initialized, name)
	}
	return nil
}
