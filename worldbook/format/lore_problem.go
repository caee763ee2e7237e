package format

import (
	"maps"
	"slices"

	"github.com/talewright/talewright"
)

// The codes of the importers' problems. The exported codes describe them.
const (
	unreadable talewright.Code = "unreadable"
	badPattern talewright.Code = "bad_pattern"
	badText    talewright.Code = "bad_text"
	badType    talewright.Code = "bad_type"
	duplicate  talewright.Code = "duplicate"
	more       talewright.Code = "more"
	noEntries  talewright.Code = "no_entries"
	noKeys     talewright.Code = "no_keys"
	notCarried talewright.Code = "not_carried"
	tooLarge   talewright.Code = "too_large"

	useRegexIgnored talewright.Code = "use_regex_ignored"
)

// severities lists the codes whose severity is not [talewright.Error].
var severities = map[talewright.Code]talewright.Severity{
	badText: talewright.Warning, more: talewright.Warning, notCarried: talewright.Warning, useRegexIgnored: talewright.Warning,
	unreadable: talewright.Fatal,
}

// loreRead opens a file and calls read. If either fails, the result is empty with one problem. Its
// text begins with not, which says what the file is not.
func loreRead[T any](not string, data []byte, read func(*source) (T, error)) (T, talewright.Problems) {
	var out T
	src, err := open(data)
	if err == nil {
		out, err = read(src)
	}
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
