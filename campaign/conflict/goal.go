package conflict

import (
	"unicode"
	"unicode/utf8"
)

// Runs of the hidden goal that give it away.
const (
	leakRunes = 12 // of a mainly Chinese goal
	leakWords = 6  // of another
)

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
	goal, _ := runesOf(r.View.Goal.Text)
	size, cut := leakWords, unitWords
	if isChinese(r.View.Goal.Text) {
		size, cut = leakRunes, unitRunes
	}
	secret, told := cut(goal), cut(r.plain)
	size = min(size, len(secret))
	if size == 0 {
		return "", false
	}
	// All runs of the goal in a set: one look-up for each unit of the narration,
	// however long the goal is.
	runs := map[string]bool{}
	var key []byte
	for i := 0; i+size <= len(secret); i++ {
		key = joinUnits(key[:0], goal, secret[i:i+size])
		runs[string(key)] = true
	}
	for i := 0; i+size <= len(told); i++ {
		if key = joinUnits(key[:0], r.plain, told[i:i+size]); runs[string(key)] {
			return r.quote(span{told[i].start, told[i+size-1].end}), true
		}
	}
	return "", false
}

// unitRunes cuts a text into its letters and digits.
func unitRunes(text []rune) []span {
	var out []span
	for i, c := range text {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			out = append(out, span{i, i + 1})
		}
	}
	return out
}

// unitWords cuts a text into its words.
func unitWords(text []rune) []span {
	out := make([]span, 0, len(text)/5)
	start := -1
	for i := 0; i <= len(text); i++ {
		inside := i < len(text) && (unicode.IsLetter(text[i]) || unicode.IsDigit(text[i]) ||
			text[i] == '\'')
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			out = append(out, span{start, i})
			start = -1
		}
	}
	return out
}

// joinUnits appends the units to a key as one text that tells them apart. The key is
// used again for the next: see BenchmarkTurn/history=N of package campaign.
func joinUnits(key []byte, text []rune, units []span) []byte {
	for _, u := range units {
		for _, c := range text[u.start:u.end] {
			key = utf8.AppendRune(key, c)
		}
		key = append(key, ' ')
	}
	return key
}
