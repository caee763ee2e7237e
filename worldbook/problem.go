package worldbook

import "github.com/talewright/talewright"

// Codes of the problems that [Compile] reports. Books always compile: a problem
// concerns the place that it names and nothing else. Paths begin with the name of the
// book, for example `main.entries[3].key[0]`, where 3 is the place of the entry in file
// order. [Compiled.Vet] has more codes, and the importers have theirs (package anybook).
const (
	CodeBadRegex          talewright.Code = "bad_regex"          // a key /…/ that is no valid regex
	CodeUnknownQuirk      talewright.Code = "unknown_quirk"      // in Settings.QuirksOff
	CodeUnknownDecorators talewright.Code = "unknown_decorators" // in Settings.Decorators
	CodeUnknownWordRule   talewright.Code = "unknown_word_rule"  // in Settings.WholeWords
	CodeUnknownDecorator  talewright.Code = "unknown_decorator"  // a Card V3 decorator
	CodeBadValue          talewright.Code = "bad_value"          // of a Card V3 decorator
	CodeStrayFallback     talewright.Code = "stray_fallback"     // @@@ behind no decorator
	CodeDuplicateName     talewright.Code = "duplicate_name"     // two different books of one name
	CodeDuplicate         talewright.Code = "duplicate"          // a decorator that is there twice
)
