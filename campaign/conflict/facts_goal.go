package conflict

import (
	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// goals returns the asserted claims that the goal of the campaign changed.
func goals(p *parse.Passage) []lexicon.Span {
	var out []lexicon.Span
	for _, w := range p.Words.All(lexicon.GoalNoun) {
		limit := min(w.End+12, len(p.Chars))
		if lexicon.IsLetter(p.Chars[w.Start]) {
			limit = min(w.End+24, len(p.Chars))
		}
		v, ok := p.Words.Within(lexicon.GoalVerb, w.End, limit)
		claim := lexicon.Between(w.Start, v.End)
		if ok && !strangeGoal(p, w) && ruleGap(p, w.End, v.Start) && p.Asserted(claim) {
			out = append(out, claim)
		}
	}
	// 【任务更新】主线目标：…: its heading says that it is new.
	for _, w := range p.Words.All(lexicon.GoalNoun) {
		if s, ok := announced(p, w); ok && p.Asserted(s) {
			out = append(out, s)
		}
	}
	// New main quest: …, 新的最终目标是…: these need no further word.
	for _, w := range p.Words.All(lexicon.NewGoal) {
		next := p.SkipSpace(w.End)
		told := p.IsOneOf(next, ":是为") || p.WordIs(next, "is") || p.WordIs(next, "has")
		if told && !strangeGoal(p, w) && p.Asserted(w) {
			out = append(out, w)
		}
	}
	return out
}

// maxHead is the maximum distance of a heading before a goal.
const maxHead = 24

// announced reads a goal and a colon, if its line says before it that something is new: **Quest
// updated** Ultimate goal: ….
func announced(p *parse.Passage, w lexicon.Span) (lexicon.Span, bool) {
	end := p.SkipSpace(w.End)
	for p.IsOneOf(end, "*】]") {
		end++
	}
	if !p.Is(end, ':') || strangeGoal(p, w) {
		return lexicon.Span{}, false
	}
	start := max(p.LineStart(w.Start), w.Start-maxHead)
	head, ok := p.Words.Within(lexicon.Announced, start, w.Start)
	return lexicon.Between(head.Start, w.End), ok
}

// strangeGoal reports whether a goal belongs to a person and not to the campaign: 守卫的最终目标, his main
// goal, the main goal of the guard.
func strangeGoal(p *parse.Passage, w lexicon.Span) bool {
	if p.Is(w.Start-1, '的') {
		return !p.IsOneOf(w.Start-2, "你您妳们伍役戏")
	}
	before := p.WordBefore(0, w.Start)
	switch p.Word(before) {
	case "his", "her", "their", "its":
		return true
	case "s":
		return !isCampaign(p.Word(p.WordBefore(0, before.Start-1)))
	}
	of := p.WordAt(p.SkipSpace(w.End))
	if p.Word(of) != "of" {
		return false
	}
	return !isCampaign(p.Word(p.WordAt(p.SkipWords(of.End, lexicon.Determiner))))
}

// isCampaign reports whether the owner of a goal, given as a word, is the campaign.
func isCampaign(word string) bool {
	switch word {
	case "campaign", "game", "adventure", "party", "group", "story", "quest":
		return true
	}
	return false
}
