package draft

import "github.com/talewright/talewright/campaign/state"

// Map reports all problems of a map and of the places of characters on it.
func Map(m state.Map, people []state.Character, report func(string, ...any)) {
	known := map[string]bool{}
	for i, a := range m.Areas {
		if a.ID == "" || known[a.ID] {
			report("map.areas[%d]: id %q is missing or taken", i, a.ID)
		}
		known[a.ID] = true
	}
	circular := areasWithinThemselves(m)
	for i, a := range m.Areas {
		if a.Parent != "" && !known[a.Parent] {
			report("map.areas[%d]: no parent area %q", i, a.Parent)
		}
		if circular[a.ID] {
			report("map.areas[%d]: %q lies within itself", i, a.ID)
		}
	}
	for i, p := range m.Paths {
		for _, end := range []string{p.From, p.To} {
			if !known[end] {
				report("map.paths[%d]: no area %q", i, end)
			}
		}
	}
	for i, c := range people {
		if c.AreaID != "" && len(known) > 0 && !known[c.AreaID] {
			report("characters[%d]: no area %q", i, c.AreaID)
		}
	}
}

// areasWithinThemselves returns the areas that lie within themselves. It visits each area once, however deeply
// it is nested.
func areasWithinThemselves(m state.Map) map[string]bool {
	parents := make(map[string]string, len(m.Areas))
	for i := range m.Areas {
		a := &m.Areas[i]
		if _, known := parents[a.ID]; !known {
			parents[a.ID] = a.Parent
		}
	}
	out := map[string]bool{}
	seen := make(map[string]int, len(parents)) // by the number of the walk that visited the area
	for i := range m.Areas {
		at := m.Areas[i].ID
		for at != "" && seen[at] == 0 {
			seen[at] = i + 1
			at = parents[at]
		}
		for at != "" && seen[at] == i+1 && !out[at] { // this walk has closed a circle
			out[at] = true
			at = parents[at]
		}
	}
	return out
}
