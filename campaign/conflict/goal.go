package conflict

// detectGoal reports another goal, and the words of a hidden one.
func detectGoal(r *Reading) []Conflict {
	out := r.goalRewrites()
	if leak, ok := r.goalLeak(); ok {
		out = append(out, Conflict{
			Kind:        HiddenGoalLeak,
			Severity:    Block,
			Field:       "goal",
			Expected:    Facts{"hidden": true},
			Found:       Facts{"told": true},
			Quote:       leak,
			Instruction: r.instruction(HiddenGoalLeak),
		})
	}
	return out
}

func (r *Reading) goalRewrites() []Conflict {
	if r.affected(FieldGoal) {
		return nil
	}
	var out []Conflict
	for _, w := range r.words[goalNoun] {
		limit := min(w.end+12, len(r.text))
		if isLetter(r.text[w.start]) {
			limit = min(w.end+24, len(r.text))
		}
		v, ok := r.words.within(goalVerb, w.end, limit)
		claim := span{w.start, v.end}
		if !ok || r.strangeGoal(w) || !r.ruleGap(w.end, v.start) || !r.asserted(claim) {
			continue
		}
		out = append(out, Conflict{
			Kind:        GoalRewrite,
			Severity:    Block,
			Field:       "goal",
			Expected:    Facts{"changed": false},
			Found:       Facts{"changed": true},
			Quote:       r.quote(claim),
			Instruction: r.instruction(GoalRewrite),
		})
	}
	return out
}

// strangeGoal reports whether a goal is somebody's own and not the campaign's:
// 守卫的最终目标, his main goal, the main goal of the guard.
func (r *Reading) strangeGoal(w span) bool {
	if r.is(w.start-1, '的') {
		return !r.isOneOf(w.start-2, "你您们伍役戏")
	}
	before := r.wordBefore(0, w.start)
	switch r.word(before) {
	case "his", "her", "their", "its", "s":
		return true
	}
	of := r.wordAt(r.skipSpace(w.end))
	if r.word(of) != "of" {
		return false
	}
	whose := r.skipWords(of.end, determiner)
	switch r.word(r.wordAt(whose)) {
	case "campaign", "game", "adventure", "party", "story", "quest":
		return false
	}
	return true
}

// goalLeak returns the first place where the narration, speech included, has a
// run of the hidden goal: 12 characters of a mainly Chinese one (or all of a
// shorter one), else 6 consecutive words (or all). Punctuation and spaces do
// not count.
func (r *Reading) goalLeak() (string, bool) {
	if !r.View.Goal.Hidden {
		return "", false
	}
	s := secretOf(r.View.Goal.Text)
	if s.size == 0 {
		return "", false
	}
	seek := seeker{secret: s, text: r.plain}
	for unit, ok := s.next(r.plain, 0); ok; unit, ok = s.next(r.plain, unit.end) {
		if !seek.begins(unit) {
			continue
		}
		if run := seek.runAt(unit, 0); run != nil {
			return r.quote(span{run[0].start, run[len(run)-1].end}), true
		}
	}
	return "", false
}
