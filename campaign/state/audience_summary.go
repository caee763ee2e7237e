package state

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// AudiencePart is what a summary tells of the turns that only some characters know.
type AudiencePart struct {
	Witnesses []string   `json:"witnesses"`
	Text      string     `json:"summary_text,omitempty"`
	Facts     tree.Value `json:"facts_json,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (p AudiencePart) MarshalJSON() ([]byte, error) { return openjson.Write(p) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (p *AudiencePart) UnmarshalJSON(data []byte) error { return openjson.Read(data, p) }

// AudienceGroups are the distinct audiences of a list of things, in the order in which they come first.
// What everybody knows has none.
func AudienceGroups(lists ...[]string) [][]string {
	var out [][]string
	known := map[string]bool{}
	for _, list := range lists {
		if k := key(list); len(list) > 0 && !known[k] {
			known[k] = true
			out = append(out, list)
		}
	}
	return out
}
