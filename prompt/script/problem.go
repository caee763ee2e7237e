package script

import "github.com/talewright/talewright"

// The codes of problems with scripts. The codes of the second group are the reasons why a [Ran]
// left its text unchanged.
const (
	BadFile      talewright.Code = "bad_file"      // neither a script nor a list of scripts
	BadType      talewright.Code = "bad_type"      // a member of a wrong type
	BadPattern   talewright.Code = "bad_pattern"   // the pattern is invalid; the script changes nothing
	EmptyFind    talewright.Code = "empty_find"    // no pattern; the script changes nothing
	NoName       talewright.Code = "no_name"       // no display name
	NoPlacement  talewright.Code = "no_placement"  // matches no kind of text; never runs
	OldPlacement talewright.Code = "old_placement" // a kind of text of old versions, converted
	UnknownGroup talewright.Code = "unknown_group" // $n or $<name> that the pattern does not have
	BadDepth     talewright.Code = "bad_depth"     // a depth that is not a number, or an empty range
	SlowPattern  talewright.Code = "slow_pattern"  // the search may be aborted
	NotAllowed   talewright.Code = "not_allowed"   // the list is denied; none of its scripts runs

	Limit       talewright.Code = "limit"        // the search took too many steps
	TooLong     talewright.Code = "too_long"     // the result is too long
	SplitPair   talewright.Code = "split_pair"   // the result has half of a character beyond U+FFFF
	MacroFailed talewright.Code = "macro_failed" // a macro of the host panicked
)
