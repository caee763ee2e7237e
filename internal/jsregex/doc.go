// Package jsregex runs JavaScript regular expressions on untrusted texts.
//
// [Compile] parses a pattern by the grammar of the language, including Annex B, and refuses every
// pattern that JavaScript refuses. From the tree it makes a [Plan]: literals that replace the
// regex, literals that every match contains, and how far a match can reach. [Regexp.Match] reports
// whether there is a match. [Regexp.Find] and [Regexp.All] return the positions of matches and of
// their groups.
//
//	re, err := jsregex.Compile(`(?<who>\w+) draws (\w+)`, jsregex.Flags{IgnoreCase: true})
//	text := re.Text(message) // the form to which positions refer
//	for found, err := range re.All(text) {
//		if err != nil { … } // ErrLimit: stopped
//		who := text[found[1].From:found[1].To]
//	}
//
// # Limits
//
// Every search counts its steps and stops with [ErrLimit] after [Limit] steps, which depends only
// on the length of the text. Nothing reads a clock: the same pattern and text always give the same
// answer. The engine backtracks, as the language requires. It remembers which positions of the text
// fail at which points of the pattern, and never tries such a pair again. So the number of steps is
// proportional to the text, including look-around and nested repeats. The exceptions are back
// references and very long repeats ([Regexp.RunAway]).
//
// Memory of a regex: its plan has at most 2 KB and 32 bytes for each byte of the pattern. After its
// first search it also has code: about 200 bytes for each item of the pattern, and at most 200 KB
// more for unrolled repeats. If groups were requested, the code is twice as large. While it runs, a
// search of any pattern uses up to 10 MB for backtracking and 8 MB for remembered failures. Most
// searches use a few KB.
//
// # Differences to JavaScript
//
// TestRecorded and TestRecordedMatches compare with answers of V8. Each remaining difference has a
// test:
//
//   - Texts are UTF-8. A pattern can contain half of a surrogate pair, but a text cannot
//     (TestMatch, "half a pair").
//   - With flag u no match begins inside a pair. In V8 empty matches can begin there
//     (TestNoMatchInsideAPair).
//   - Flags d and v are refused. SillyTavern does not allow them in a key either, and it does not
//     allow a flag twice (TestRefused).
//   - Features that are newer than Node 20 are refused: (?i:…), and one group name in several
//     branches (TestRefused).
//   - Groups nested more than 500 deep are refused (TestRefused).
//   - A match that needs too many steps ends with [ErrLimit] instead of running on
//     (TestStallsAreShort).
//   - Letters newer than Go's Unicode tables have no case (TestNewerLettersHaveNoCase in keyindex).
package jsregex
