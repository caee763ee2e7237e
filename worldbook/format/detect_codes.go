package format

import (
	"github.com/talewright/talewright"
)

// CodeUnknownFormat is the code of the fatal problem that [Parse] reports for what
// [Detect] does not know.
const CodeUnknownFormat talewright.Code = "unknown_format"

// Codes of the problems that all importers report. What is left out or does not act
// stays in the book's member originalData.
const (
	CodeUnreadable = unreadable // fatal: no JSON, too large, or another format
	CodeNotCarried = notCarried // a member that a world book has no counterpart for
	CodeBadPattern = badPattern // a regular expression that cannot be read: it never matches
	CodeBadType    = badType    // a value of another type, and how it was read
	CodeBadText    = badText    // bytes that are no UTF-8, or half a surrogate pair: read as U+FFFD
	CodeDuplicate  = duplicate  // one member name or one id twice: the last one counts
	CodeNoEntries  = noEntries  // the list of entries is missing
	CodeNoKeys     = noKeys     // a story card without triggers
	CodeTooLarge   = tooLarge   // more than 50,000 entries: the others were left out
	// CodeUseRegexIgnored: use_regex of an entry that SillyTavern has written, with a key that would be
	// another one as a pattern; once per book.
	CodeUseRegexIgnored = useRegexIgnored
	CodeMore            = more // further problems are not listed, after a thousand
)
