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
package jsregex
