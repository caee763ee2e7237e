package anybook

import (
	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook/internal/lore"
)

// CodeUnknownFormat is the code of the fatal problem that [Parse] reports for what
// [Detect] does not know.
const CodeUnknownFormat talewright.Code = "unknown_format"

// Codes of the problems that all importers report. What is left out or does not act
// stays in the book's member originalData.
const (
	CodeUnreadable = lore.Unreadable // fatal: no JSON, too large, or another format
	CodeNotCarried = lore.NotCarried // a member that a world book has no counterpart for
	CodeBadPattern = lore.BadPattern // a regular expression that cannot be read: it never matches
	CodeBadType    = lore.BadType    // a value of another type, and how it was read
	CodeBadText    = lore.BadText    // bytes that are no UTF-8, or half a surrogate pair: read as U+FFFD
	CodeDuplicate  = lore.Duplicate  // one member name or one id twice: the last one counts
	CodeNoEntries  = lore.NoEntries  // the list of entries is missing
	CodeNoKeys     = lore.NoKeys     // a story card without triggers
	CodeTooLarge   = lore.TooLarge   // more than 50,000 entries: the others were left out
	// CodeUseRegexIgnored: use_regex of an entry that SillyTavern has written, with a key that would be
	// another one as a pattern; once per book.
	CodeUseRegexIgnored = lore.UseRegexIgnored
	CodeMore            = lore.More // further problems are not listed, after a thousand
)
