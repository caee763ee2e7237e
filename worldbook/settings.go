package worldbook

import (
	"slices"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// wordsOf returns the whole-word rule of the settings, or nil for the ASCII rule.
func wordsOf(s *ProfileSettings) WordBoundary {
	switch {
	case s.Words != nil:
		return s.Words
	case s.WholeWords == WordsChinese:
		return match.ChineseWords{}
	case s.WholeWords == WordsUnicode:
		return match.UnicodeWords{}
	}
	return nil
}

// searchDepth returns Depth, limited to forever.
func searchDepth(s *ProfileSettings) int { return min(s.Depth, forever) }

// reachOf returns the number of messages that a depth means.
func reachOf(s *ProfileSettings, depth int) int {
	if s.DepthExcludesCurrent {
		return depth + 1
	}
	return depth
}

// forever is a number of messages that no chat reaches, on any platform.
const forever = 1 << 30

// checkSettings reports settings with unknown values.
func checkSettings(s *ProfileSettings, problems *problemList) {
	for _, q := range s.QuirksOff {
		if !slices.Contains(AllQuirks(), q) {
			problems.add(codeUnknownQuirk, "settings.quirks_off", "there is no quirk %q: see Quirks", q)
		}
	}
	checkLimits(s.Limits, problems)
	if _, unknown := match.FormOf(s.Fold); unknown != "" {
		problems.add(codeBadOption, "settings.fold", noSuchFold, unknown)
	}
	switch s.Decorators {
	case DecoratorsSillyTavern, DecoratorsCardV3, DecoratorsOff:
	default:
		problems.add(codeUnknownDecorators, "settings.decorators",
			"there is no syntax %q: lines stay text", s.Decorators)
	}
	switch s.WholeWords {
	case WordsASCII, WordsChinese, WordsUnicode:
	default:
		problems.add(codeUnknownWordRule, "settings.whole_words",
			"there is no rule %q: the ASCII rule is used", s.WholeWords)
	}
}
