package state

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
)

// Map is the geography: areas and the paths between them.
type Map struct {
	ID    string    `json:"map_id,omitempty"`
	Areas []MapArea `json:"areas,omitempty"`
	Paths []MapPath `json:"paths,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MapArea is a place. A character in an area is also in its parent area.
type MapArea struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Aliases       []string `json:"aliases,omitempty"`
	Description   string   `json:"description,omitempty"`
	Parent        string   `json:"parent,omitempty"`
	Locked        bool     `json:"locked,omitempty"`
	LockReason    string   `json:"lock_reason,omitempty"`
	DisabledUntil string   `json:"disabled_until,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MapPath connects two areas. A nil Bidirectional means true.
type MapPath struct {
	ID            string `json:"id"`
	From          string `json:"from"`
	To            string `json:"to"`
	Bidirectional *bool  `json:"bidirectional,omitempty"`
	Locked        bool   `json:"locked,omitempty"`
	LockReason    string `json:"lock_reason,omitempty"`
	DisabledUntil string `json:"disabled_until,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MapLock disables movement for everybody.
type MapLock struct {
	Locked        bool   `json:"locked"`
	Reason        string `json:"reason,omitempty"`
	DisabledUntil string `json:"disabled_until,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Area returns the area with the given id.
func (m Map) Area(id string) (MapArea, bool) {
	for i := range m.Areas { // an Area is large: do not copy it
		if m.Areas[i].ID == id {
			return m.Areas[i], true
		}
	}
	return MapArea{}, false
}

// Leads reports whether the path goes from one area to the other. Locks are ignored.
func (p MapPath) Leads(from, to string) bool {
	if p.From == from && p.To == to {
		return true
	}
	both := p.Bidirectional == nil || *p.Bidirectional
	return both && p.From == to && p.To == from
}

// MapExit is a way out of an area.
type MapExit struct {
	Area MapArea
	Path MapPath
}

// Exits lists the ways out of an area in the order of the map's paths.
func (m Map) Exits(from string) []MapExit {
	var out []MapExit
	for i := range m.Paths {
		p := &m.Paths[i]
		to := p.To
		if p.To == from {
			to = p.From
		}
		if to == from || !p.Leads(from, to) {
			continue
		}
		if a, known := m.Area(to); known {
			out = append(out, MapExit{a, *p})
		}
	}
	return out
}

// MarshalJSON writes the known fields and then the unknown ones.
func (m Map) MarshalJSON() ([]byte, error) { return openjson.Write(m) }

// UnmarshalJSON stores unknown members in Extra.
func (m *Map) UnmarshalJSON(data []byte) error { return openjson.Read(data, m) }

// MarshalJSON writes the known fields and then the unknown ones.
func (a MapArea) MarshalJSON() ([]byte, error) { return openjson.Write(a) }

// UnmarshalJSON stores unknown members in Extra.
func (a *MapArea) UnmarshalJSON(data []byte) error { return openjson.Read(data, a) }

// MarshalJSON writes the known fields and then the unknown ones.
func (p MapPath) MarshalJSON() ([]byte, error) { return openjson.Write(p) }

// UnmarshalJSON stores unknown members in Extra.
func (p *MapPath) UnmarshalJSON(data []byte) error { return openjson.Read(data, p) }

// MarshalJSON writes the known fields and then the unknown ones.
func (l MapLock) MarshalJSON() ([]byte, error) { return openjson.Write(l) }

// UnmarshalJSON stores unknown members in Extra.
func (l *MapLock) UnmarshalJSON(data []byte) error { return openjson.Read(data, l) }
