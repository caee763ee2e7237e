package tree

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/talewright/talewright/internal/openjson"
)

// Change is one change of a document. An absent Old means that the node did not exist before, an
// absent New that it does not exist now.
type Change struct {
	Path Path  `json:"path"`
	Old  Value `json:"old,omitzero"`
	New  Value `json:"new,omitzero"`
	// By is the cause: "cmd:<n>" for the n-th command of a message, the name of a pass ("derived",
	// "inventory", "time", …), or a text of the host.
	By string `json:"by,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
}

// String returns the change in one line: the path, the old and the new value as JSON ("-" for
// absent) and the cause.
func (c Change) String() string {
	text := c.Path.String() + ": " + shownOrDash(c.Old) + " -> " + shownOrDash(c.New)
	if c.By != "" {
		text += " (" + c.By + ")"
	}
	return text
}

// shownOrDash returns a value as JSON, "-" if it is absent.
func shownOrDash(v Value) string {
	if !v.Exists() {
		return "-"
	}
	return v.String()
}

// MarshalJSON writes the known fields and then the unknown ones.
func (c Change) MarshalJSON() ([]byte, error) { return openjson.Write(c) }

// UnmarshalJSON keeps unknown members in Extra.
func (c *Change) UnmarshalJSON(data []byte) error { return openjson.Read(data, c) }

// Diff returns the net change from a to b. Objects are compared key by key, in the order of a and
// then of the new keys of b. Lists are compared element by element if they have the same length,
// else as a whole. Shared subtrees are skipped, so the cost follows the difference. The order of
// keys is ignored.
func Diff(a, b Document) []Change {
	var out []Change
	diff(&out, nil, a.Root(), b.Root())
	return out
}

// Parts splits the change into its smallest parts: the differences that [Diff] finds between the
// old and the new value, below the path. If one of them is absent, the change is one part.
func (c Change) Parts() []Change {
	if !c.Old.Exists() || !c.New.Exists() {
		return []Change{c}
	}
	var out []Change
	diff(&out, slices.Clone(c.Path), c.Old, c.New)
	return out
}

// diff appends the changes below path, which it uses as scratch space.
func diff(out *[]Change, path Path, a, b Value) {
	if a.Same(b) {
		return
	}
	switch {
	case a.IsObject() && b.IsObject():
		diffObjects(out, path, a, b)
	case a.IsArray() && b.IsArray() && a.Len() == b.Len():
		for i := range a.Len() {
			diff(out, append(path, strconv.Itoa(i)), a.At(i), b.At(i))
		}
	case !a.Equal(b):
		*out = append(*out, Change{Path: append(Path(nil), path...), Old: a, New: b})
	}
}

// diffObjects compares member by member. Identical nodes are skipped without reading them.
func diffObjects(out *[]Change, path Path, a, b Value) {
	x, _ := a.v.(*object)
	y, _ := b.v.(*object)
	for i, key := range x.keys {
		// Versions of one object mostly have their keys at the same positions.
		var other Value
		if i < len(y.keys) && y.keys[i] == key {
			other = y.vals[i]
		} else {
			other = b.Get(key)
		}
		if !x.vals[i].Same(other) {
			diff(out, append(path, key), x.vals[i], other)
		}
	}
	for i, key := range y.keys {
		if (i >= len(x.keys) || x.keys[i] != key) && x.find(key) < 0 {
			diff(out, append(path, key), Value{}, y.vals[i])
		}
	}
}
