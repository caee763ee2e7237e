package script

import "github.com/talewright/talewright"

// The codes of problems with scripts. Those of the second group are why a [Ran] left its
// text as it was.
const (
	BadFile      talewright.Code = "bad_file"      // no script and no list of scripts
	BadType      talewright.Code = "bad_type"      // a member of another type than it should be
	BadPattern   talewright.Code = "bad_pattern"   // the pattern is none; the script changes nothing
	EmptyFind    talewright.Code = "empty_find"    // no pattern; the script changes nothing
	NoName       talewright.Code = "no_name"       // no name to show
	NoPlacement  talewright.Code = "no_placement"  // fits no kind of text; never runs
	OldPlacement talewright.Code = "old_placement" // a kind of text of old versions, converted
	UnknownGroup talewright.Code = "unknown_group" // $n or $<name> that the pattern does not have
	BadDepth     talewright.Code = "bad_depth"     // a depth that is no number, or a range without any
	SlowPattern  talewright.Code = "slow_pattern"  // the search may be given up
	NotAllowed   talewright.Code = "not_allowed"   // the list is denied; none of its scripts runs

	Limit       talewright.Code = "limit"        // the search took too many steps
	TooLong     talewright.Code = "too_long"     // the result is too long
	SplitPair   talewright.Code = "split_pair"   // the result has half of a character beyond U+FFFF
	MacroFailed talewright.Code = "macro_failed" // a macro of the host panicked
)
