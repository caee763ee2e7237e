package conflict

// detectLife reports death, unconsciousness and revival of characters in a different state. Death
// supports a claim of unconsciousness, but not the reverse. A revival is only a conflict for a dead
// character.
func detectLife(r *Reading) []Conflict {
	var out []Conflict
	for _, claim := range lives(r.passage) {
		for _, id := range claim.IDs {
			c := r.View.character(id)
			if c == nil || r.View.supportsLife(c, claim.State) {
				continue
			}
			found := r.claimed(LifeStateUnsettled, claim.Span, false)
			found.Field, found.EntityID = "alive_state", id
			found.Expected, found.Found = Facts{"alive_state": c.AliveState}, Facts{"claimed_alive_state": claim.State}
			out = append(out, found)
		}
	}
	return out
}
