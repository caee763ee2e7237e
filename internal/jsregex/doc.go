// Package jsregex runs JavaScript regular expressions on texts of strangers.
//
// [Compile] parses a pattern by the grammar of the language, Annex B included,
// and refuses what JavaScript refuses. The tree gives a [Plan]: literals that
// replace the regex, literals that every match needs, and how far a match can
// reach. [Regexp.Match] says whether there is a match; [Regexp.Find] and
// [Regexp.All] give the places of matches and of their groups.
//
//	re, err := jsregex.Compile(`(?<who>\w+) draws (\w+)`, jsregex.Flags{IgnoreCase: true})
//	text := re.Text(message) // the form that places refer to
//	for found, err := range re.All(text) {
//		if err != nil { … } // ErrLimit: given up
//		who := text[found[1].From:found[1].To]
//	}
//
// # Bounds
//
// Every search counts its steps and is given up with [ErrLimit] beyond [Limit], which
// depends on the length of the text only. Nothing reads a clock: the same pattern and
// text always give the same answer. The engine goes back where a way fails, as the
// language asks for, and remembers which places of the text fail at which points of
// the pattern, so that it tries none twice: but for back references and very long
// repeats ([Regexp.RunAway]) the steps are in proportion to the text, look-around and
// nested repeats included.
//
// What a regex holds on to: its plan, at most 2 KB and 32 bytes for each byte of the
// pattern; and once it has run its code, some 200 bytes for each item of the pattern
// and at most 200 KB beyond that for repeats that are written out, twice if groups were
// asked for. A search holds up to 10 MB of ways back and 8 MB of memory of failures
// while it runs, whatever the pattern; usual ones hold a few KB.
//
// # Differences to JavaScript
//
// TestRecorded and TestRecordedMatches compare with answers of V8. What remains has a
// test each:
//
//   - Texts are UTF-8. Half of a surrogate pair can be written in a pattern but
//     not stand in a text (TestMatch, "half a pair").
//   - Under flag u no match begins inside a pair. V8 lets empty ones begin there
//     (TestNoMatchInsideAPair).
//   - Flags d and v are refused. A key may not have them in SillyTavern either,
//     nor one flag twice (TestRefused).
//   - What the language got after Node 20 is refused: (?i:…), and one group name
//     in several branches (TestRefused).
//   - Groups nested more than 500 deep are refused (TestRefused).
//   - A match that needs too many steps ends in [ErrLimit] instead of
//     taking its time (TestStallsAreShort).
//   - Letters newer than Go's Unicode tables have no case
//     (TestNewerLettersHaveNoCase in keyindex).
package jsregex
