package format

import (
	"maps"
	"slices"

	"github.com/talewright/talewright"
)

// The codes of the importers' problems. The package comment explains them.
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

// severities are those of the codes that are no [talewright.Error].
var severities = map[talewright.Code]talewright.Severity{
	badText: talewright.Warning, more: talewright.Warning, notCarried: talewright.Warning, useRegexIgnored: talewright.Warning,
	unreadable: talewright.Fatal,
}

// loreRead lets read make something of a file. A file that it refuses gives nothing but a
// problem, whose text begins with what the file is not.
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

// Add reports a problem, up to a bound that no honest file reaches.
func (s *source) Add(code talewright.Code, path, message string) {
	s.problems = loreAppend(s.problems, code, path, message)
}

// loreAppend adds a problem to a list, or once a note that there are more.
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

// Lost reports the members of an object that the book cannot carry: all that
// hold a value and are not among those used. They stay in the member
// originalData.
func (s *source) Lost(path string, members object, used ...string) {
	for _, name := range unused(members, used...) {
		s.Add(notCarried, join(path, name),
			"has no counterpart and does not act; it is kept in the book's originalData")
	}
}

// unused returns the names of the members that hold a value and are not among
// those used, sorted.
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
