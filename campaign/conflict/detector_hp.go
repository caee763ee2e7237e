package conflict

// detectHP reports losses, gains and values of hit points that no settlement of the turn supports.
func detectHP(r *Reading) []Conflict {
	var out []Conflict
	settled := map[string]*hpEvidence{}
	for _, claim := range hpFacts(r.passage) {
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
			out = append(out, r.hpConflict(c, e, claim, who.Doubtful || claim.Vague))
		}
	}
	return out
}

func (r *Reading) hpConflict(c *Character, e *hpEvidence, claim hpFact, doubtful bool) Conflict {
	kind := HPChangeUnsettled
	expected := Facts{"hp": c.HP.Current}
	found := Facts{"claimed_delta": claim.Delta}
	switch {
	case claim.Delta == 0:
		kind = HPValueMismatch
		found = Facts{"claimed_hp": claim.Value}
		if claim.Value == maximal {
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
	told := r.claimed(kind, claim.Span, doubtful)
	told.Field, told.EntityID, told.Expected, told.Found = "hp.current", c.ID, expected, found
	return told
}
