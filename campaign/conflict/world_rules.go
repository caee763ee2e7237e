package conflict

// maxRuleGap is how many characters may stand between the rules and the word
// that changes them.
const (
	maxRuleGap        = 10
	maxEnglishRuleGap = 40
)

// detectWorldRules reports that the rules of the game are told changed. Without
// a word of the game's mechanics in the sentence it is a warning: a king may
// change the rules of his town.
func detectWorldRules(r *Reading) []Conflict {
	if r.affected(FieldWorldRules) {
		return nil
	}
	var out []Conflict
	// One finding for a sentence: it says it once, with many words.
	for _, s := range r.sentences {
		claim, ok := r.ruleClaim(s.span)
		if !ok || !r.asserted(claim) {
			continue
		}
		severity := Warn
		if r.words.has(s.start, s.end, mechanic) {
			severity = Block
		}
		out = append(out, Conflict{
			Kind:        WorldRuleRewrite,
			Severity:    severity,
			Field:       "world.rules",
			Expected:    Facts{"changed": false},
			Found:       Facts{"changed": true},
			Quote:       r.quote(claim),
			Instruction: r.instruction(WorldRuleRewrite),
		})
	}
	return out
}

// ruleClaim returns the first claim of a sentence that rules have changed: the
// rules … changed; rewrites the rules; new rule:; from now on … no longer.
func (r *Reading) ruleClaim(s span) (span, bool) {
	for _, w := range r.words[ruleNoun][r.words.from(ruleNoun, s.start):] {
		if w.start >= s.end {
			break
		}
		limit := w.end + maxRuleGap
		if isLetter(r.text[w.start]) {
			limit = w.end + maxEnglishRuleGap
		}
		c, ok := r.words.within(ruleChanged, w.end, min(limit, s.end))
		if ok && r.ruleGap(w.end, c.start) {
			return span{w.start, c.end}, true
		}
		for _, e := range r.words[ruleEdit][r.words.from(ruleEdit, w.start-maxRuleGap):] {
			if e.start >= w.start {
				break
			}
			if e.start >= s.start && e.end <= w.start && r.clean(e.end, w.start) {
				return span{e.start, w.end}, true
			}
		}
	}
	if w, ok := r.words.within(newRule, s.start, s.end); ok {
		return w, true
	}
	from, ok := r.words.within(fromNow, s.start, s.end)
	if !ok {
		return span{}, false
	}
	if w, ok := r.words.within(noNeed, from.end, s.end); ok && r.gameFollows(w, s.end) {
		return span{from.start, w.end}, true
	}
	return span{}, false
}

// ruleGap reports whether the words between the rules and their change leave
// the claim whole. "have not been changed" is none.
func (r *Reading) ruleGap(start, end int) bool {
	for _, c := range r.text[start:end] {
		if c == '的' { // 规则石碑上的字迹: something of the rules, not they
			return false
		}
	}
	return r.unbroken(start, end) && !r.words.has(start, end, unreal, negation, intention)
}

// gameFollows reports whether after 全部, 不再需要 and their like a word of the
// game's mechanics follows: 从此起全部攻击无需检定. English phrases say enough.
func (r *Reading) gameFollows(w span, end int) bool {
	return isLetter(r.text[w.start]) || r.words.has(w.end, end, mechanic)
}
