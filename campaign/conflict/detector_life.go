package conflict

import "github.com/talewright/talewright/campaign/conflict/internal/claims"

// detectLife reports death, unconsciousness and revival told of characters whose state
// is another. Death supports unconsciousness, not the reverse; only the dead can be
// told alive again wrongly.
func detectLife(r *Reading) []Conflict {
	var out []Conflict
	for _, claim := range claims.Lives(r.passage) {
		for _, id := range claim.IDs {
			c := r.View.character(id)
			if c == nil || r.View.supportsLife(c, claim.State) {
				continue
			}
			out = append(out, Conflict{
				Kind:        LifeStateUnsettled,
				Severity:    Block,
				Field:       "alive_state",
				EntityID:    c.ID,
				Expected:    Facts{"alive_state": c.AliveState},
				Found:       Facts{"claimed_alive_state": claim.State},
				Quote:       r.passage.Quote(claim.Span),
				Instruction: r.instruction(LifeStateUnsettled),
			})
		}
	}
	return out
}
