package conflict

// detectDice reports rolls that nobody rolled. It blocks if the model could have
// asked for a check, and warns otherwise. The system may roll, and so may a
// tracked character; what an untracked one throws is no matter of state.
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
