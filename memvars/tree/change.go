package tree

import (
	"encoding/json"

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
