package conflict

// An hpClaim is what a text says about somebody's hit points.
type hpClaim struct {
	span
	// delta is the change told, or 0 for a value.
	delta int
	// value and max are the hit points told; max is 0 if not told.
	value, max int
	// target is the mention that the claim names itself (heals Su for 4); nil
	// if the subject is to be found.
	target *mention
	vague  bool
}

// detectHP reports losses, gains and values of hit points that no settlement of
// the turn supports.
func detectHP(r *Reading) []Conflict {
	var out []Conflict
	for _, claim := range r.hpClaims() {
		if !r.asserted(claim.span) {
			continue
		}
		who := r.hpSubject(claim)
		for _, id := range who.ids {
			c := r.character(id)
			if c == nil || r.hpSupports(c, claim) {
				continue
			}
			found := r.hpConflict(c, claim)
			if who.doubtful || claim.vague {
				found.Severity = Warn
			}
			out = append(out, found)
		}
	}
	return out
}

// hpSubject returns whose hit points a claim is about.
func (r *Reading) hpSubject(claim hpClaim) subject {
	if claim.target != nil {
		return subject{ids: claim.target.ids, party: claim.target.party}
	}
	return r.subject(claim.start)
}

// hpChanges returns the applied changes of a character's hit points.
func (r *Reading) hpChanges(id string) []HPChange {
	var out []HPChange
	for _, a := range r.View.Actions {
		for _, ch := range a.HP {
			if ch.CharacterID == id {
				out = append(out, ch)
			}
		}
	}
	return out
}

// hpSupports reports whether the turn supports a claim: a value that the
// character has now or had after one of the changes; an amount that one change
// or the changes together, or those of one direction together, asked for or
// brought.
func (r *Reading) hpSupports(c *Character, claim hpClaim) bool {
	changes := r.hpChanges(c.ID)
	if claim.delta == 0 {
		if claim.max != 0 && claim.max != c.HP.Max {
			return false
		}
		ok := claim.value == c.HP.Current
		for _, ch := range changes {
			ok = ok || claim.value == ch.After
		}
		return ok
	}
	var requested, effective, sameRequested, sameEffective int
	for _, ch := range changes {
		if ch.Requested == claim.delta || ch.Effective == claim.delta {
			return true
		}
		requested += ch.Requested
		effective += ch.Effective
		if (ch.Requested < 0) == (claim.delta < 0) {
			sameRequested += ch.Requested
			sameEffective += ch.Effective
		}
	}
	return claim.delta == requested || claim.delta == effective ||
		claim.delta == sameRequested || claim.delta == sameEffective
}

func (r *Reading) hpConflict(c *Character, claim hpClaim) Conflict {
	changes := r.hpChanges(c.ID)
	applied := 0
	for _, ch := range changes {
		applied += ch.Effective
	}
	kind := HPChangeUnsettled
	expected := Facts{"hp": c.HP.Current}
	found := Facts{"claimed_delta": claim.delta}
	switch {
	case claim.delta == 0:
		kind = HPValueMismatch
		found = Facts{"claimed_hp": claim.value}
		if claim.max != 0 {
			expected["max"] = c.HP.Max
			found["claimed_max"] = claim.max
		}
	case len(changes) > 0:
		kind = HPAmountMismatch
		expected["applied_delta"] = applied
	default:
		expected["applied_delta"] = applied
	}
	return Conflict{
		Kind:        kind,
		Severity:    Block,
		Field:       "hp.current",
		EntityID:    c.ID,
		Expected:    expected,
		Found:       found,
		Quote:       r.quote(claim.span),
		Instruction: r.instruction(kind),
	}
}
