package conflict

// detectWounds reports wounds and recoveries without numbers, if no action of the turn changed the
// character's hit points in that direction. Only a named subject counts.
func detectWounds(r *Reading) []Conflict {
	var out []Conflict
	for _, claim := range wounds(r.passage) {
		who := r.passage.Subject(claim.Start)
		if who.Doubtful {
			continue
		}
		for _, id := range who.IDs {
			c := r.View.character(id)
			if c == nil || r.View.changedHP(id, claim.Sign) {
				continue
			}
			found := r.claimed(WoundUnsettled, claim.Span, true)
			found.Field, found.EntityID = "hp.current", id
			found.Expected = Facts{"hp": c.HP.Current, "applied_delta": 0}
			found.Found = Facts{"claimed": woundNames[claim.Sign]}
			out = append(out, found)
		}
	}
	return out
}

// woundNames are the names of the claims, by the direction of the change.
var woundNames = map[int]string{-1: "wound", +1: "recovery"}
