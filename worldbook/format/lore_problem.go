package format

import (
	"maps"
	"slices"

	"github.com/talewright/talewright"
)

// Codes of the problems that all importers report.
const (
	unreadable    talewright.Code = "unreadable"     // fatal: neither JSON nor YAML, too large, or a different format
	unknownFormat talewright.Code = "unknown_format" // fatal: [Detect] does not recognise the file
	notCarried    talewright.Code = "not_carried"    // a member without a counterpart in a world book
	badPattern    talewright.Code = "bad_pattern"    // a regular expression that is not valid: it never matches
	badType       talewright.Code = "bad_type"       // a value of a different type, and how it was read
	badText       talewright.Code = "bad_text"       // invalid UTF-8 or half a surrogate pair: read as U+FFFD
	duplicate     talewright.Code = "duplicate"      // a member name or an id that occurs twice: the last one counts
	noEntries     talewright.Code = "no_entries"     // the list of entries is missing
	noKeys        talewright.Code = "no_keys"        // a story card without triggers
	tooLarge      talewright.Code = "too_large"      // more than 50,000 entries: the rest was left out
	mendedText    talewright.Code = "mended_json"    // JSON with commas before closing brackets
	wrapped       talewright.Code = "wrapped"        // a book in a member of an object
	more          talewright.Code = "more"           // after a thousand problems: further problems are not listed

	// A key of an entry that SillyTavern has written would match differently as a pattern, so
	// use_regex was ignored. It is reported once per book.
	useRegexIgnored talewright.Code = "use_regex_ignored"
)

// severities lists the codes whose severity is not [talewright.Error].
var severities = map[talewright.Code]talewright.Severity{
	badText: talewright.Warning, more: talewright.Warning, notCarried: talewright.Warning, useRegexIgnored: talewright.Warning,
	mendedText: talewright.Warning, wrapped: talewright.Warning,
	unreadable: talewright.Fatal,
}

// loreRead opens a file and calls read. If either fails, the result is empty with one problem. Its
// text begins with the argument not, for example the name of the expected format.
func loreRead[T any](not string, data []byte, read func(*source) (T, error)) (T, talewright.Problems) {
	src, err := open(data)
	if err != nil {
		var none T
		return none, loreAppend(nil, unreadable, "", not+": "+err.Error())
	}
	return loreReadFrom(not, src, read)
}

// loreReadFrom is [loreRead] for an open file.
func loreReadFrom[T any](not string, src *source, read func(*source) (T, error)) (T, talewright.Problems) {
	out, err := read(src)
	if err != nil {
		var none T
		return none, loreAppend(nil, unreadable, "", not+": "+err.Error())
	}
	return out, src.problems
}

// Add reports a problem, up to a limit that no real file reaches.
func (s *source) Add(code talewright.Code, path, message string) {
	s.problems = loreAppend(s.problems, code, path, message)
}

// loreAppend appends a problem to a list. At the limit it appends one note that there are more.
func loreAppend(
	list talewright.Problems, code talewright.Code, path, message string,
) talewright.Problems {
	switch n := len(list); {
	case n > maxProblems:
		return list
	case n == maxProblems:
		code, path, message = more, "", "further problems are not listed"
	}
	return append(list, talewright.Problem{Code: code, Path: path, Severity: severities[code], Text: message})
}

// Lost reports the members of an object that the book cannot carry: all members with a value that
// are not in used. They stay in the member originalData.
func (s *source) Lost(path string, members object, used ...string) {
	for _, name := range unused(members, used...) {
		s.Add(notCarried, join(path, name),
			"has no counterpart and does not act; it is kept in the book's originalData")
	}
}

// unused returns the sorted names of the members that have a value and are not in used.
func unused(members object, used ...string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := string(members[name])
		if truthy(members[name]) && value != "[]" && value != "{}" && !slices.Contains(used, name) {
			names = append(names, name)
		}
	}
	return names
}
