package conflict

import "github.com/talewright/talewright/campaign/conflict/internal/claims"

// detectHP reports losses, gains and values of hit points that no settlement of
// the turn supports.
func detectHP(r *Reading) []Conflict {
	var out []Conflict
	settled := map[string]*hpEvidence{}
	for _, claim := range claims.HitPoints(r.passage) {
		who := claim.Who(r.passage)
		for _, id := range who.IDs {
			c := r.View.character(id)
			if c == nil {
				continue
			}
			e := r.View.evidenceOf(id, settled)
			if e.supports(c, claim) {
				continue
			}
			found := r.hpConflict(c, e, claim)
			if who.Doubtful || claim.Vague {
				found.Severity = Warn
			}
			out = append(out, found)
		}
	}
	return out
}

func (r *Reading) hpConflict(c *Character, e *hpEvidence, claim claims.HP) Conflict {
	kind := HPChangeUnsettled
	expected := Facts{"hp": c.HP.Current}
	found := Facts{"claimed_delta": claim.Delta}
	switch {
	case claim.Delta == 0:
		kind = HPValueMismatch
		found = Facts{"claimed_hp": claim.Value}
		if claim.Value == claims.Maximal {
			found["claimed_hp"] = c.HP.Max
		}
		if claim.Max != 0 {
			expected["max"] = c.HP.Max
			found["claimed_max"] = claim.Max
		}
	case len(e.changes) > 0:
		kind = HPAmountMismatch
		expected["applied_delta"] = e.applied()
	default:
		expected["applied_delta"] = 0
	}
	return Conflict{
		Kind:        kind,
		Severity:    Block,
		Field:       "hp.current",
		EntityID:    c.ID,
		Expected:    expected,
		Found:       found,
		Quote:       r.passage.Quote(claim.Span),
		Instruction: r.instruction(kind),
	}
}
