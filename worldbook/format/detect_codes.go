package format

import (
	"github.com/talewright/talewright"
)

// CodeUnknownFormat is the code of the fatal problem that [Parse] reports for a file that [Detect]
// does not recognise.
const CodeUnknownFormat talewright.Code = "unknown_format"

// Codes of the problems that all importers report. Data that is left out or has no effect stays in
// the book's member originalData.
const (
	CodeUnreadable = unreadable // fatal: not JSON, too large, or a different format
	CodeNotCarried = notCarried // a member without a counterpart in a world book
	CodeBadPattern = badPattern // a regular expression that is not valid: it never matches
	CodeBadType    = badType    // a value of a different type, and how it was read
	CodeBadText    = badText    // invalid UTF-8 or half a surrogate pair: read as U+FFFD
	CodeDuplicate  = duplicate  // a member name or an id that occurs twice: the last one counts
	CodeNoEntries  = noEntries  // the list of entries is missing
	CodeNoKeys     = noKeys     // a story card without triggers
	CodeTooLarge   = tooLarge   // more than 50,000 entries: the rest was left out
	// CodeUseRegexIgnored: use_regex was ignored in an entry that SillyTavern has written, with a
	// key that would match differently as a pattern. It is reported once per book.
	CodeUseRegexIgnored = useRegexIgnored
	CodeMore            = more // after a thousand problems: further problems are not listed
)
