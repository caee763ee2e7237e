package memvars

import "github.com/talewright/talewright"

// The codes of the problems of [Compile] and of [System.Checks].
const (
	BadOption    talewright.Code = "bad_option"    // a mode that there is not, or a number out of its bounds
	BadFormula   talewright.Code = "bad_formula"   // a derived field that cannot be computed
	BadRule      talewright.Code = "bad_rule"      // a permission without a path, command or actor that there is
	UnknownPass  talewright.Code = "unknown_pass"  // none of [Passes]
	BadTerm      talewright.Code = "bad_term"      // a part of a pool that is no name and number
	UnknownScore talewright.Code = "unknown_score" // a name that is no attribute or skill of the character
)
