package conflict

import "github.com/talewright/talewright/campaign/conflict/internal/claims"

// detectDice reports rolls that nobody rolled. It blocks if the model could have
// asked for a check, and warns otherwise. The system may roll, and so may a
// tracked character; what an untracked one throws is no matter of state.
func detectDice(r *Reading) []Conflict {
	severity := Warn
	if r.View.CheckAllowed {
		severity = Block
	}
	var out []Conflict
	for _, claim := range claims.Rolls(r.passage) {
		if r.View.supportsRoll(claim) {
			continue
		}
		out = append(out, Conflict{
			Kind:        DiceClaimUnsettled,
			Severity:    severity,
			Field:       "dice",
			Expected:    Facts{"rolls": r.View.rollCount()},
			Found:       Facts{"claimed_roll": claim.Value},
			Quote:       r.passage.Quote(claim.Span),
			Instruction: r.instruction(DiceClaimUnsettled),
		})
	}
	return out
}
