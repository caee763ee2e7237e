package script

import "github.com/talewright/talewright"

// The codes of problems with scripts. The codes of the second group are the reasons why a [Ran]
// left its text unchanged.
const (
	codeBadFile      talewright.Code = "bad_file"      // neither a script nor a list of scripts
	codeBadType      talewright.Code = "bad_type"      // a member of a wrong type
	codeBadPattern   talewright.Code = "bad_pattern"   // the pattern is invalid; the script changes nothing
	codeEmptyFind    talewright.Code = "empty_find"    // no pattern; the script changes nothing
	codeNoName       talewright.Code = "no_name"       // no display name
	codeNoPlacement  talewright.Code = "no_placement"  // matches no kind of text; never runs
	codeOldPlacement talewright.Code = "old_placement" // a kind of text of old versions, converted
	codeUnknownGroup talewright.Code = "unknown_group" // $n or $<name> that the pattern does not have
	codeBadDepth     talewright.Code = "bad_depth"     // a depth that is not a number, or an empty range
	codeSlowPattern  talewright.Code = "slow_pattern"  // the search may be aborted
	codeNotAllowed   talewright.Code = "not_allowed"   // the list is denied; its scripts do not run

	codeLimit       talewright.Code = "limit"        // the search took too many steps
	codeTooLong     talewright.Code = "too_long"     // the result is too long
	codeSplitPair   talewright.Code = "split_pair"   // the result has half of a character beyond U+FFFF
	codeMacroFailed talewright.Code = "macro_failed" // a macro of the host panicked
)
