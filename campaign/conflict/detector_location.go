package conflict

import (
	"slices"
)

// detectLocation reports arrivals and presences in known areas where the
// character is not.
func detectLocation(r *Reading) []Conflict {
	var out []Conflict
	arrived := map[string]bool{} // characters whose settled arrival was told
	lastPlace := map[string]int{}
	for _, claim := range stays(r.passage) {
		who := claim.Who(r.passage)
		ids := who.IDs
		// A party is where its acting member is: one answer, not one for each.
		if who.Party {
			ids = []string{r.View.ActorID}
		}
		for _, id := range ids {
			c := r.View.character(id)
			// Without a place in the state there is nothing to contradict.
			if c == nil || c.AreaID == "" {
				continue
			}
			if _, ok := lastPlace[id]; !ok {
				lastPlace[id] = r.lastPlace(c)
			}
			// 你站在城门下，随后走进大厅: after a move the first half is about the
			// time before, as long as the new place is still to come.
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

// lastPlace returns where the text names the area of a character, or one around
// it, for the last time; -1 if it does not.
func (r *Reading) lastPlace(c *Character) int {
	for _, p := range slices.Backward(r.passage.Places) {
		if r.View.inside(c.AreaID, p.IDs) {
			return p.Start
		}
	}
	return -1
}

func (r *Reading) placeConflict(c *Character, claim claimsStay, doubtful bool) Conflict {
	kind := LocationMismatch
	if claim.Arrival {
		kind = LocationUnsettled
	}
	found := r.claimed(kind, claim.Span, doubtful)
	found.Field, found.EntityID = "area_id", c.ID
	found.Expected, found.Found = Facts{"area_id": c.AreaID}, Facts{"claimed_area_id": claim.Areas[0]}
	return found
}
