package worldbook

import (
	"slices"

	"github.com/talewright/talewright/worldbook/internal/match"
	"github.com/talewright/talewright/worldbook/profile"
	"github.com/talewright/talewright/worldbook/quirk"
)

// wordsOf returns the rule for whole words of settings, nil for the ASCII rule.
func wordsOf(s *profile.Settings) profile.WordBoundary {
	switch {
	case s.Words != nil:
		return s.Words
	case s.WholeWords == profile.WordsChinese:
		return match.ChineseWords{}
	}
	return nil
}

// searched is Depth, or forever for whatever is deeper.
func searched(s *profile.Settings) int { return min(s.Depth, forever) }

// reachOf is the number of messages that a depth means.
func reachOf(s *profile.Settings, depth int) int {
	if s.DepthExcludesCurrent {
		return depth + 1
	}
	return depth
}

// forever is a number of messages that no chat reaches, on any platform.
const forever = 1 << 30

// checkSettings reports settings that mean nothing.
func checkSettings(s *profile.Settings, problems *problemList) {
	for _, q := range s.QuirksOff {
		if !slices.Contains(quirk.All(), q) {
			problems.add(CodeUnknownQuirk, "settings.quirks_off", "there is no quirk %q: see Quirks", q)
		}
	}
	switch s.Decorators {
	case profile.DecoratorsSillyTavern, profile.DecoratorsCardV3, profile.DecoratorsOff:
	default:
		problems.add(CodeUnknownDecorators, "settings.decorators",
			"there is no syntax %q: lines stay text", s.Decorators)
	}
	switch s.WholeWords {
	case profile.WordsASCII, profile.WordsChinese:
	default:
		problems.add(CodeUnknownWordRule, "settings.whole_words",
			"there is no rule %q: the ASCII rule is used", s.WholeWords)
	}
}
