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
	listed bool // in the short form of panels, HP-3
	// victim: damage told without a verb for the one who suffers it.
	victim bool
	dealt  bool // and it is told as dealt, so that who acts is not who suffers
}

// detectHP reports losses, gains and values of hit points that no settlement of
// the turn supports.
func detectHP(r *Reading) []Conflict {
	var out []Conflict
	settled := map[string]*hpEvidence{}
	for _, claim := range r.hpClaims() {
		if !r.asserted(claim.span) {
			continue
		}
		who := r.hpSubject(claim)
		for _, id := range who.ids {
			c := r.character(id)
			if c == nil {
				continue
			}
			e := r.evidenceOf(id, settled)
			if e.supports(c, claim) {
				continue
			}
			found := r.hpConflict(c, e, claim)
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
	if claim.victim {
		return r.victim(claim)
	}
	who := r.subject(claim.start)
	short := claim.listed || claim.max != 0
	if k := r.sentenceAt(claim.start); short && k >= 0 {
		if _, named := r.lastMention(r.sentences[k].start, claim.start); !named {
			if of, ok := r.panelSubject(claim.start); ok {
				return of
			}
			return subject{ids: who.ids, doubtful: true}
		}
	}
	if len(who.ids) > 0 && !who.doubtful {
		return who
	}
	if short || r.inPanel(claim.start) {
		if of, ok := r.panelSubject(claim.start); ok {
			return of
		}
		if short {
			return subject{ids: who.ids, doubtful: true}
		}
	}
	return who
}

// inPanel reports whether a claim stands in a bracket or opens its line.
func (r *Reading) inPanel(pos int) bool {
	start, bracket := r.panelPart(pos)
	return bracket || r.strangeText(start, pos) == 0 && (r.is(start-1, '\n') || r.is(start-1, '|') || r.is(start-1, '｜'))
}

// supports reports whether the evidence supports a claim: a value that the character
// has now or had after one of the changes; an amount that one change or several
// together asked for or brought, and that no claim before has used.
func (e *hpEvidence) supports(c *Character, claim hpClaim) bool {
	if claim.delta == 0 {
		return e.supportsValue(c, claim)
	}
	return e.take(claim.delta, claim.listed)
}

func (r *Reading) hpConflict(c *Character, e *hpEvidence, claim hpClaim) Conflict {
	kind := HPChangeUnsettled
	expected := Facts{"hp": c.HP.Current}
	found := Facts{"claimed_delta": claim.delta}
	switch {
	case claim.delta == 0:
		kind = HPValueMismatch
		found = Facts{"claimed_hp": claim.value}
		if claim.value == maximal {
			found["claimed_hp"] = c.HP.Max
		}
		if claim.max != 0 {
			expected["max"] = c.HP.Max
			found["claimed_max"] = claim.max
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
		Quote:       r.quote(claim.span),
		Instruction: r.instruction(kind),
	}
}
