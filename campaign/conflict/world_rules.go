package conflict

// maxRuleGap is how many characters may stand between the rules and the word
// that changes them.
const (
	maxRuleGap        = 10
	maxEnglishRuleGap = 40
)

// detectWorldRules reports that the rules of the game are told changed: rules as such,
// or a rule of the world by one of its keywords. Without such a keyword or a word of
// the game's mechanics in the sentence it is a warning: a king may change the rules of
// his town.
func detectWorldRules(r *Reading) []Conflict {
	if r.affected(FieldWorldRules) {
		return nil
	}
	var out []Conflict
	named := r.namedRules()
	// One finding for a sentence: it says it once, with many words.
	for _, s := range r.sentences {
		var of []namedRule
		for len(named) > 0 && named[0].start < s.end {
			of, named = append(of, named[0]), named[1:]
		}
		claim, id, ok := r.namedRuleClaim(of, s.span)
		severity := Block
		if !ok {
			claim, ok = r.ruleClaim(s.span)
			if !r.words.has(s.start, s.end, mechanic) {
				severity = Warn
			}
		}
		if !ok || !r.asserted(claim) {
			continue
		}
		out = append(out, Conflict{
			Kind:        WorldRuleRewrite,
			Severity:    severity,
			Field:       "world.rules",
			EntityID:    id,
			Expected:    Facts{"changed": false},
			Found:       Facts{"changed": true},
			Quote:       r.quote(claim),
			Instruction: r.instruction(WorldRuleRewrite),
		})
	}
	return out
}

// A namedRule is a keyword of a world rule in a text.
type namedRule struct {
	span
	id string
}

// namedRules returns the keywords of the world's rules in the order of the text. One
// that several rules share stands for the first of them.
func (r *Reading) namedRules() []namedRule {
	dict, known, ids := names{}, map[string]int{}, map[string]string{}
	for _, rule := range r.View.Rules {
		for _, keyword := range rule.Keywords {
			dict.add(known, keyword, func(n *name) {
				if key := string(n.text); ids[key] == "" {
					ids[key] = rule.ID
				}
			})
		}
	}
	if len(dict) == 0 {
		return nil
	}
	dict.sort()
	var out []namedRule
	for pos := 0; pos < len(r.text); pos++ {
		if n := dict.at(r.text, pos); n != nil {
			out = append(out, namedRule{span{pos, pos + len(n.text)}, ids[string(n.text)]})
			pos += len(n.text) - 1
		}
	}
	return out
}

// namedRuleClaim returns the first claim of a sentence that one of the rules that it
// names has changed.
func (r *Reading) namedRuleClaim(named []namedRule, s span) (claim span, id string, ok bool) {
	for _, n := range named {
		if changed, ok := r.ruleChange(n.span, s.end); ok {
			return span{n.start, changed.end}, n.id, true
		}
	}
	return span{}, "", false
}

// ruleChange returns the word, shortly after that of a rule, which says that it has
// changed.
func (r *Reading) ruleChange(w span, end int) (span, bool) {
	limit := w.end + maxRuleGap
	if isLetter(r.text[w.start]) {
		limit = w.end + maxEnglishRuleGap
	}
	c, ok := r.words.within(ruleChanged, w.end, min(limit, end))
	return c, ok && r.ruleGap(w.end, c.start)
}

// ruleClaim returns the first claim of a sentence that rules have changed: the
// rules … changed; rewrites the rules; new rule:; from now on … no longer.
func (r *Reading) ruleClaim(s span) (span, bool) {
	for _, w := range r.words[ruleNoun][r.words.from(ruleNoun, s.start):] {
		if w.start >= s.end {
			break
		}
		if c, ok := r.ruleChange(w, s.end); ok {
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
	if w, ok := r.words.within(noNeed, from.end, s.end); ok && r.gameFollows(w, from.end, s.end) {
		return span{from.start, w.end}, true
	}
	// All damage is doubled from now on.
	w, ok := r.words.within(noNeed, s.start, from.start)
	return span{w.start, from.end}, ok && r.words.has(s.start, from.start, mechanic)
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

// gameFollows reports whether a word of the game's mechanics stands beside 全部,
// 不再需要 and their like: 从此起全部攻击无需检定. English phrases say enough.
func (r *Reading) gameFollows(w span, start, end int) bool {
	return isLetter(r.text[w.start]) || r.words.has(start, end, mechanic)
}
