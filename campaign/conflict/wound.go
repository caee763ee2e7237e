package conflict

// detectWounds reports wounds and recoveries told without numbers, of a
// character whose hit points no action of the turn changed in that direction.
// Only a named subject counts.
func detectWounds(r *Reading) []Conflict {
	out := r.wounds(wound, -1)
	return append(out, r.wounds(recovery, +1)...)
}

func (r *Reading) wounds(t tag, sign int) []Conflict {
	var out []Conflict
	for _, w := range r.words[t] {
		if r.describes(w) || !r.asserted(w) {
			continue
		}
		who := r.subject(w.start)
		if who.doubtful {
			continue
		}
		for _, id := range who.ids {
			c := r.character(id)
			if c == nil || r.changedHP(id, sign) {
				continue
			}
			out = append(out, Conflict{
				Kind:        WoundUnsettled,
				Severity:    Warn,
				Field:       "hp.current",
				EntityID:    id,
				Expected:    Facts{"hp": c.HP.Current, "applied_delta": 0},
				Found:       Facts{"claimed": woundNames[sign]},
				Quote:       r.quote(w),
				Instruction: r.instruction(WoundUnsettled),
			})
		}
	}
	return out
}

// describes reports whether a word of wounds only describes somebody: 受伤的村民,
// the wounded villager.
func (r *Reading) describes(w span) bool {
	before := r.wordBefore(0, w.start)
	return r.is(w.end, '的') || before.start < before.end && r.words.hasAt(determiner, before.start)
}

// woundNames says what was told, by the direction of the change.
var woundNames = map[int]string{-1: "wound", +1: "recovery"}

// changedHP reports whether an action of the turn asked for a change of the
// character's hit points in the direction of sign.
func (r *Reading) changedHP(id string, sign int) bool {
	for _, ch := range r.hpChanges(id) {
		if ch.Requested*sign > 0 || ch.Effective*sign > 0 {
			return true
		}
	}
	return false
}
