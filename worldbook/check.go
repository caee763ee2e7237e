package worldbook

import "slices"

// checkSettings reports settings that mean nothing.
func (b *builder) checkSettings() {
	s := &b.c.settings
	for _, q := range s.QuirksOff {
		if !slices.Contains(allQuirks[:], q) {
			b.problem(nil, CodeUnknownQuirk, "settings.quirks_off", "there is no quirk %q: see Quirks", q)
		}
	}
	switch s.Decorators {
	case DecoratorsSillyTavern, DecoratorsCardV3, DecoratorsOff:
	default:
		b.problem(nil, CodeUnknownDecorators, "settings.decorators",
			"there is no syntax %q: lines stay text", s.Decorators)
	}
	switch s.WholeWords {
	case WordsASCII, WordsChinese:
	default:
		b.problem(nil, CodeUnknownWordRule, "settings.whole_words",
			"there is no rule %q: the ASCII rule is used", s.WholeWords)
	}
}
