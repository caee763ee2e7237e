package state

import "encoding/json"

// World is the setting of a campaign: what the model tells and what nobody may
// rewrite.
type World struct {
	ID         string      `json:"world_id,omitempty"`
	Background string      `json:"background,omitempty"`
	Rules      []WorldRule `json:"rules,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// WorldRule is one law of the world.
type WorldRule struct {
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`
	// Keywords name the rule in a narration: one that tells it changed is a conflict.
	Keywords []string `json:"keywords,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Map is the geography: areas, and the paths between them.
type Map struct {
	ID    string `json:"map_id,omitempty"`
	Areas []Area `json:"areas,omitempty"`
	Paths []Path `json:"paths,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Area is a place. Being in an area is being in its parent too.
type Area struct {
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

// Path joins two areas. A nil Bidirectional means true.
type Path struct {
	ID            string `json:"id"`
	From          string `json:"from"`
	To            string `json:"to"`
	Bidirectional *bool  `json:"bidirectional,omitempty"`
	Locked        bool   `json:"locked,omitempty"`
	LockReason    string `json:"lock_reason,omitempty"`
	DisabledUntil string `json:"disabled_until,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Lock switches movement off for everybody.
type Lock struct {
	Locked        bool   `json:"locked"`
	Reason        string `json:"reason,omitempty"`
	DisabledUntil string `json:"disabled_until,omitempty"`
}

// Area returns the area with the given id.
func (m Map) Area(id string) (Area, bool) {
	for i := range m.Areas { // an Area is large: not copied to be looked at
		if m.Areas[i].ID == id {
			return m.Areas[i], true
		}
	}
	return Area{}, false
}

// Leads reports whether the path can be walked from one area to the other.
func (p Path) Leads(from, to string) bool {
	if p.From == from && p.To == to {
		return true
	}
	both := p.Bidirectional == nil || *p.Bidirectional
	return both && p.From == to && p.To == from
}

// Exit is a way out of an area.
type Exit struct {
	Area Area
	Path Path
}

// Exits lists the ways out of an area in the order of the map's paths.
func (m Map) Exits(from string) []Exit {
	var out []Exit
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
			out = append(out, Exit{a, *p})
		}
	}
	return out
}
