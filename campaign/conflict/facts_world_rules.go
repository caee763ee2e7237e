package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
	"github.com/talewright/talewright/campaign/conflict/internal/tokenize"
)

// The maximum distances, in characters, between the rules and the word of change.
const (
	maxRuleGap        = 10
	maxEnglishRuleGap = 40
)

// A rule is a claim that the rules of the game changed.
type rule struct {
	lexicon.Span
	Rule     string // the ID of the rule, empty for the rules as such
	Doubtful bool   // no word of the game's mechanics is near
}

// rules returns the asserted claims of a text about changed rules: the rules as such, or a rule of
// the world by one of its keywords. There is at most one for each sentence, because a sentence
// makes one claim with many words.
func rules(p *parse.Passage, keywords []parse.Named) []rule {
	var out []rule
	list := namedRules(p, keywords)
	for i, s := range p.Sentences {
		var of []namedRule
		for len(list) > 0 && list[0].Start < s.End {
			of, list = append(of, list[0]), list[1:]
		}
		claim, ok := namedRuleClaim(p, of, s.Span)
		if !ok {
			claim.Span, ok = rulesChanged(p, s.Span)
			claim.Doubtful = !p.Words.Has(s.Start, s.End, lexicon.Mechanic) && !noticeGoesOn(p, i)
		}
		if ok && p.Asserted(claim.Span) {
			out = append(out, claim)
		}
	}
	return out
}

// noticeGoesOn reports whether a sentence follows a heading in brackets and the next sentence
// states the new rules of the game: [NOTICE] The rules of the Delve have been rewritten. Critical
// hits are disabled.
func noticeGoesOn(p *parse.Passage, sentence int) bool {
	if sentence == 0 || sentence+1 >= len(p.Sentences) {
		return false
	}
	heading, next := p.Sentences[sentence-1], p.Sentences[sentence+1]
	return p.IsOneOf(heading.Start, "[【〖") && p.IsOneOf(heading.End-1, "]】〗") &&
		p.Words.Has(next.Start, next.End, lexicon.Mechanic) && p.Words.Has(next.Start, next.End, lexicon.NoNeed)
}

// A namedRule is a keyword of a world rule in a text.
type namedRule struct {
	lexicon.Span
	id string
}

// namedRules returns the keywords of the world's rules in the order of the text. A keyword of
// several rules means the first of them.
func namedRules(p *parse.Passage, rules []parse.Named) []namedRule {
	dict, known, ids := tokenize.Names{}, map[string]int{}, map[string]string{}
	for _, rule := range rules {
		for _, keyword := range rule.Aliases {
			dict.Add(known, keyword, func(n *tokenize.Name) {
				if key := string(n.Text); ids[key] == "" {
					ids[key] = rule.ID
				}
			})
		}
	}
	if len(dict) == 0 {
		return nil
	}
	dict.Sort()
	var out []namedRule
	for pos := 0; pos < len(p.Chars); pos++ {
		if n := dict.At(p.Chars, pos); n != nil {
			out = append(out, namedRule{lexicon.Between(pos, pos+len(n.Text)), ids[string(n.Text)]})
			pos += len(n.Text) - 1
		}
	}
	return out
}

// namedRuleClaim returns the first claim of a sentence that one of the named rules changed.
func namedRuleClaim(p *parse.Passage, list []namedRule, s lexicon.Span) (rule, bool) {
	for _, n := range list {
		if changed, ok := ruleChange(p, n.Span, s.End); ok {
			return rule{Span: lexicon.Between(n.Start, changed.End), Rule: n.id}, true
		}
	}
	return rule{}, false
}

// ruleChange returns the word of change shortly after the words of a rule.
func ruleChange(p *parse.Passage, w lexicon.Span, end int) (lexicon.Span, bool) {
	limit := w.End + maxRuleGap
	if lexicon.IsLetter(p.Chars[w.Start]) {
		limit = w.End + maxEnglishRuleGap
	}
	c, ok := p.Words.Within(lexicon.RuleChanged, w.End, min(limit, end))
	return c, ok && ruleGap(p, w.End, c.Start)
}

// rulesChanged returns the first claim of a sentence that rules changed: the rules … changed;
// rewrites the rules; new rule:; from now on … no longer.
func rulesChanged(p *parse.Passage, s lexicon.Span) (lexicon.Span, bool) {
	for _, w := range p.Words.All(lexicon.RuleNoun)[p.Words.From(lexicon.RuleNoun, s.Start):] {
		if w.Start >= s.End {
			break
		}
		if c, ok := ruleChange(p, w, s.End); ok {
			return lexicon.Between(w.Start, c.End), true
		}
		for _, e := range p.Words.All(lexicon.RuleEdit)[p.Words.From(lexicon.RuleEdit, w.Start-maxRuleGap):] {
			if e.Start >= w.Start {
				break
			}
			if e.Start >= s.Start && e.End <= w.Start && p.Clean(e.End, w.Start) {
				return lexicon.Between(e.Start, w.End), true
			}
		}
	}
	if w, ok := p.Words.Within(lexicon.NewRule, s.Start, s.End); ok {
		return w, true
	}
	from, ok := p.Words.Within(lexicon.FromNow, s.Start, s.End)
	if !ok {
		return lexicon.Span{}, false
	}
	// From now on, every attack roll …; 即刻起，所有检定…: a word of the game follows.
	at := from.End
	for p.IsOneOf(at, " ，,:—") {
		at++
	}
	for at < s.End {
		next := p.SkipWords(at, lexicon.Every, lexicon.Determiner)
		if next == at {
			break
		}
		at = next
	}
	if w, ok := p.Words.At(lexicon.RuleMatter, at); ok && w.End < s.End && !p.EndsClause(w.End) && !p.Is(w.End, '的') || ok && p.Is(w.End, '的') && p.Words.Has(w.End, s.End, lexicon.NoNeed) {
		return lexicon.Between(from.Start, w.End), true
	}
	if w, ok := p.Words.Within(lexicon.NoNeed, from.End, s.End); ok && gameFollows(p, w, from.End, s.End) {
		return lexicon.Between(from.Start, w.End), true
	}
	// All damage is doubled from now on.
	w, ok := p.Words.Within(lexicon.NoNeed, s.Start, from.Start)
	return lexicon.Between(w.Start, from.End), ok && p.Words.Has(s.Start, from.Start, lexicon.Mechanic)
}

// ruleGap reports whether the words between the rules and their change keep the claim valid. With
// "have not been changed" there is no claim.
func ruleGap(p *parse.Passage, start, end int) bool {
	for _, c := range p.Chars[start:end] {
		if c == '的' { // 规则石碑上的字迹: something of the rules, not they
			return false
		}
	}
	return p.Unbroken(start, end) && !p.Words.Has(start, end, lexicon.Unreal, lexicon.Negation, lexicon.Intention)
}

// gameFollows reports whether a word of the game's mechanics is next to 全部, 再需要 and similar words:
// 从此起全部攻击无需检定. The English phrases do not need one.
func gameFollows(p *parse.Passage, w lexicon.Span, start, end int) bool {
	return lexicon.IsLetter(p.Chars[w.Start]) || p.Words.Has(start, end, lexicon.Mechanic)
}
