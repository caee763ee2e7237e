package state

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// AudiencePart is the part of a summary about turns that only some characters know.
type AudiencePart struct {
	Witnesses []string   `json:"witnesses"`
	Text      string     `json:"summary_text,omitempty"`
	Facts     tree.Value `json:"facts_json,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields and then the unknown ones.
func (p AudiencePart) MarshalJSON() ([]byte, error) { return openjson.Write(p) }

// UnmarshalJSON stores unknown members in Extra.
func (p *AudiencePart) UnmarshalJSON(data []byte) error { return openjson.Read(data, p) }

// AudienceGroups returns the distinct audiences in the lists, in order of their first occurrence.
// It skips empty lists, which mean everybody.
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
