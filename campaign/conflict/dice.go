package conflict

import "slices"

// detectDice reports rolls that nobody rolled. It blocks if the model could have
// asked for a check, and warns otherwise. The system may roll, and so may a
// tracked character; what an untracked one throws is no matter of state.
func detectDice(r *Reading) []Conflict {
	severity := Warn
	if r.View.CheckAllowed {
		severity = Block
	}
	var out []Conflict
	for _, claim := range r.rollClaims() {
		if r.rollTaken(claim) || !r.asserted(claim.span) {
			continue
		}
		out = append(out, Conflict{
			Kind:        DiceClaimUnsettled,
			Severity:    severity,
			Field:       "dice",
			Expected:    Facts{"rolls": r.rollCount()},
			Found:       Facts{"claimed_roll": claim.value},
			Quote:       r.quote(claim.span),
			Instruction: r.instruction(DiceClaimUnsettled),
		})
	}
	return out
}

// rollClaims returns the rolls that a text tells of the system or a tracked character.
func (r *Reading) rollClaims() []rollClaim {
	out := r.notedRolls()
	for _, t := range []tag{rolled, rollResult} {
		for _, w := range r.words[t] {
			if n, ok := r.rollTold(w); ok && r.rolls(w, t) {
				out = append(out, rollClaim{span{w.start, n.end}, n.value, nil, r.subject(w.start)})
			}
		}
	}
	return inOrder(out, func(c rollClaim) span { return c.span })
}

// rollTaken reports whether the turn has the roll: its result, or one of the numbers that
// its notation is made of.
func (r *Reading) rollTaken(claim rollClaim) bool {
	if r.rollSupports(claim.value, claim.who) {
		return true
	}
	return slices.ContainsFunc(claim.parts, func(n int) bool { return r.rollSupports(n, claim.who) })
}

// rollTold reads the number of a roll. What is counted or measured is no roll:
// rolls 3 barrels, 掷出两把飞刀.
func (r *Reading) rollTold(w span) (number, bool) {
	pos := r.skipWords(w.end, amountFiller)
	if r.isOneOf(pos, "为是:") {
		pos = r.skipWords(pos+1, amountFiller)
	}
	article := false
	if a := r.wordAt(pos); a.end > a.start {
		switch r.word(a) {
		case "a", "an":
			article, pos = true, r.skipSpace(a.end)
		}
	}
	n, ok := r.numberAt(pos)
	if !ok || r.words.hasAt(countWord, r.skipSpace(n.end)) || r.is(n.end, '-') {
		return number{}, false
	}
	if isHan(r.text[w.start]) || article || r.isOneOf(r.skipSpace(n.end), "+=(") || r.words.hasAt(rollResult, w.start) || r.word(w) == "natural" {
		return n, true
	}
	// 17 on your Stealth check, 14 for initiative.
	switch next := r.wordAt(r.skipSpace(n.end)); r.word(next) {
	case "on", "for", "against", "to":
		if r.words.has(next.end, min(next.end+28, len(r.text)), dieRoll) {
			return n, true
		}
	}
	return n, r.endsClause(n.end)
}

// rolls reports whether a tracked character or the system rolls.
func (r *Reading) rolls(w span, t tag) bool {
	if t == rollResult || len(r.subject(w.start).ids) > 0 {
		return true
	}
	i := r.clauseAt(w.start)
	if i < 0 || r.beginsWithOther(r.sentences[r.clauses[i].sentence].start) {
		return false
	}
	return r.opens(r.clauses[i].start, w.start) ||
		r.words.has(r.clauses[i].start, w.start, mechanic)
}

// rollSupports reports whether the turn has a roll or total of that value: one of the
// character that the claim is about, if the claim is about a certain one and the roll
// says whose it is.
func (r *Reading) rollSupports(value int, who subject) bool {
	return slices.ContainsFunc(r.View.Actions, func(a Action) bool {
		return slices.ContainsFunc(a.Rolls, func(roll Roll) bool {
			return (roll.Roll == value || roll.Total == value) &&
				(roll.CharacterID == "" || len(who.ids) == 0 || who.doubtful ||
					slices.Contains(who.ids, roll.CharacterID))
		})
	})
}

func (r *Reading) rollCount() int {
	n := 0
	for _, a := range r.View.Actions {
		n += len(a.Rolls)
	}
	return n
}
