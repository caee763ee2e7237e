package draft

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Limits of places and characters that are added during play, from any source.
const (
	maxAreas      = 1024
	maxPaths      = 4096
	maxCharacters = 1024
	maxID         = 128     // bytes of an ID
	maxAdded      = 8 << 10 // bytes of one item as JSON, if it contains a model's words
)

// The reasons why something is not added.
const (
	reasonTaken            = "id_taken"
	reasonInvalidID        = "invalid_id"
	reasonUnknownArea      = "unknown_area"
	reasonUnknownCharacter = "unknown_character"
	reasonNoRoom           = "no_room"
	reasonUnfit            = "does_not_fit"
	reasonUntrusted        = "untrusted_text" // a model's words that are not plain data
)

// added is an item that an effect adds to the campaign, with the data for its checks.
type added struct {
	by, what, id string
	taken        bool // the ID exists already
	count, limit int
	value        any      // in its stored form
	names        []string // names of the character or place
	areas        []string // IDs of areas that must exist; empty ones are ignored
}

// problem returns why an item cannot be added, "" if it can.
func (p *Progress) problem(a added) (reason, text string) {
	if strings.TrimSpace(a.id) == "" || strings.ContainsAny(a.id, "{}.\n") || len(a.id) > maxID {
		return reasonInvalidID, "an id is not empty, and has no dot, brace or line break"
	}
	if a.taken {
		return reasonTaken, ""
	}
	if a.count >= a.limit {
		return reasonNoRoom, fmt.Sprintf("there are %d", a.count)
	}
	for _, id := range a.areas {
		if _, known := p.State.Map.Area(id); !known && id != "" {
			return reasonUnknownArea, id
		}
	}
	data, _ := json.Marshal(a.value) // it was read from JSON
	switch {
	case byModel(a.by) && len(data) > maxAdded:
		return reasonNoRoom, fmt.Sprintf("more than %d bytes", maxAdded)
	case byModel(a.by) && strings.Contains(string(data), "{{"):
		return reasonUntrusted, "no macros"
	case byModel(a.by) && slices.ContainsFunc(a.names, func(name string) bool { return !utf8text.IsName(name) }):
		return reasonUntrusted, "a name with invisible characters"
	}
	return "", ""
}

// mayAdd reports whether an item can be added, and records the refusal if not.
func (p *Progress) mayAdd(a added) bool {
	reason, text := p.problem(a)
	if reason != "" {
		p.refuseChange(a, reason, text)
	}
	return reason == ""
}

// refuseChange records that an effect was not applied, and why.
func (p *Progress) refuseChange(a added, reason, text string) {
	path := a.what + " " + utf8text.Cut(valid(a.id), maxEntryKey)
	traceRefusal(&p.Trace, path, a.by, reason, utf8text.Cut(valid(text), MaxText))
}

// addArea adds an area to the map.
func (p *Progress) addArea(e effect.AddArea, by string) {
	m := &p.State.Map
	_, taken := m.Area(e.ID)
	area := state.MapArea{ID: e.ID, Name: e.Name, Aliases: e.Aliases, Description: e.Description, Parent: e.Parent}
	if p.mayAdd(added{by: by, what: "areas", id: e.ID, taken: taken, count: len(m.Areas), limit: maxAreas,
		value: area, names: append([]string{e.Name}, e.Aliases...), areas: []string{e.Parent}}) {
		m.Areas = append(slices.Clip(m.Areas), area)
	}
}

// addPath adds a path to the map.
func (p *Progress) addPath(e effect.AddPath, by string) {
	m := &p.State.Map
	path := state.MapPath{ID: e.ID, From: e.From, To: e.To}
	if e.OneWay {
		path.Bidirectional = new(bool)
	}
	a := added{by: by, what: "paths", id: e.ID, count: len(m.Paths), limit: maxPaths, value: path,
		taken: slices.ContainsFunc(m.Paths, func(p state.MapPath) bool { return p.ID == e.ID }), areas: []string{e.From, e.To}}
	switch {
	case e.From == "" || e.To == "" || e.From == e.To:
		p.refuseChange(a, reasonUnfit, "a path joins two areas")
	case p.mayAdd(a):
		m.Paths = append(slices.Clip(m.Paths), path)
	}
}

// addCharacter adds a character.
func (p *Progress) addCharacter(e effect.AddCharacter, by string, life map[state.AliveState]state.LifeRule) {
	c := state.Character{}
	a := added{by: by, what: "characters", id: e.CharacterID, taken: p.State.CharacterIndex(e.CharacterID) >= 0,
		count: len(p.State.Characters), limit: maxCharacters}
	fields := e.Fields
	if !fields.Exists() {
		fields = tree.Object()
	}
	if err := json.Unmarshal(Raw(fields), &c); err != nil {
		p.refuseChange(a, reasonUnfit, err.Error())
		return
	}
	c.ID, c.Status.AliveState = e.CharacterID, cmp.Or(c.Status.AliveState, state.Alive)
	a.value, a.names, a.areas = c, append([]string{c.Name}, c.Aliases...), []string{c.AreaID}
	if problem := c.Problem(life); problem != "" {
		p.refuseChange(a, reasonUnfit, problem)
	} else if p.mayAdd(a) {
		p.State.Characters = append(slices.Clip(p.State.Characters), c)
	}
}
