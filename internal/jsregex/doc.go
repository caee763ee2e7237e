// Package jsregex runs JavaScript regular expressions.
//
// [Compile] parses a pattern by the grammar of the language, Annex B included,
// and refuses what JavaScript refuses. The tree gives a [Plan]: literals that
// replace the regex, literals that every match needs, and how far a match can
// reach. Patterns that can run away and need neither back references nor
// look-around run on the standard package's linear engine, all others on
// regexp2.
//
// Only whether there is a match is reported.
//
// # Differences to JavaScript
//
// TestRecorded compares with answers of V8. What remains has a test each:
//
//   - Texts are UTF-8. Half of a surrogate pair can be written in a pattern but
//     not stand in a text (TestMatch, "half a pair").
//   - Flags d and v are refused. A key may not have them in SillyTavern either,
//     nor one flag twice (TestRefused).
//   - What the language got after Node 20 is refused: (?i:…), and one group name
//     in several branches (TestRefused).
//   - Groups nested more than 500 deep are refused (TestRefused).
//   - A match that needs too much backtracking ends in [ErrLimit] instead of
//     taking its time (TestRunawaysAreTame says which patterns never do).
//   - Letters newer than Go's Unicode tables have no case
//     (TestNewerLettersHaveNoCase in keyindex).
package jsregex
