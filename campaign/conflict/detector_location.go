package conflict

import (
	"slices"
)

// detectLocation reports arrivals and presences of characters in known areas where they are not.
func detectLocation(r *Reading) []Conflict {
	var out []Conflict
	arrived := map[string]bool{} // characters whose settled arrival is already in the text
	lastPlace := map[string]int{}
	for _, claim := range stays(r.passage) {
		who := claim.Who(r.passage)
		ids := who.IDs
		// A party is where its acting member is: check that one, not each member.
		if who.Party {
			ids = []string{r.View.ActorID}
		}
		for _, id := range ids {
			c := r.View.character(id)
			// Without a place in the state there can be no contradiction.
			if c == nil || c.AreaID == "" {
				continue
			}
			if _, ok := lastPlace[id]; !ok {
				lastPlace[id] = r.lastPlace(c)
			}
			// 你站在城门下，随后走进大厅: after a move, the first half is about the time before it, while the
			// new place comes later in the text.
			leaving := !arrived[id] && claim.End <= lastPlace[id]
			if r.View.placeSupports(c, claim, leaving) {
				arrived[id] = arrived[id] || claim.Arrival
				continue
			}
			out = append(out, r.placeConflict(c, claim, who.Doubtful))
		}
	}
	return out
}

// lastPlace returns the last position where the text names the area of a character, or an area
// around it; -1 if there is none.
func (r *Reading) lastPlace(c *Character) int {
	for _, p := range slices.Backward(r.passage.Places) {
		if r.View.inside(c.AreaID, p.IDs) {
			return p.Start
		}
	}
	return -1
}

func (r *Reading) placeConflict(c *Character, claim stay, doubtful bool) Conflict {
	kind := LocationMismatch
	if claim.Arrival {
		kind = LocationUnsettled
	}
	found := r.claimed(kind, claim.Span, doubtful)
	found.Field, found.EntityID = "area_id", c.ID
	found.Expected, found.Found = Facts{"area_id": c.AreaID}, Facts{"claimed_area_id": claim.Areas[0]}
	return found
}
