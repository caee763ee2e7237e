package conflict

// detectDice reports rolls that were not made. They block if the model may request checks, and are
// warnings otherwise. Rolls of the system and of tracked characters count. Rolls of untracked
// characters do not, because they are not part of the state.
func detectDice(r *Reading) []Conflict {
	var out []Conflict
	for _, claim := range rolls(r.passage) {
		if r.View.supportsRoll(claim) {
			continue
		}
		found := r.claimed(DiceClaimUnsettled, claim.Span, !r.View.CheckAllowed)
		found.Field = "dice"
		found.Expected, found.Found = Facts{"rolls": r.View.rollCount()}, Facts{"claimed_roll": claim.Value}
		out = append(out, found)
	}
	return out
}
