package lore

import (
	"maps"
	"slices"

	"github.com/talewright/talewright"
)

// The codes of the importers' problems. The package anybook explains them.
const (
	Unreadable talewright.Code = "unreadable"
	BadPattern talewright.Code = "bad_pattern"
	BadText    talewright.Code = "bad_text"
	BadType    talewright.Code = "bad_type"
	Duplicate  talewright.Code = "duplicate"
	More       talewright.Code = "more"
	NoEntries  talewright.Code = "no_entries"
	NoKeys     talewright.Code = "no_keys"
	NotCarried talewright.Code = "not_carried"
	TooLarge   talewright.Code = "too_large"

	UseRegexIgnored talewright.Code = "use_regex_ignored"
)

// severities are those of the codes that are no [talewright.Error].
var severities = map[talewright.Code]talewright.Severity{
	BadText: talewright.Warning, More: talewright.Warning, NotCarried: talewright.Warning, UseRegexIgnored: talewright.Warning,
	Unreadable: talewright.Fatal,
}

// Read lets read make something of a file. A file that it refuses gives nothing but a
// problem, whose text begins with what the file is not.
func Read[T any](not string, data []byte, read func(*Source) (T, error)) (T, talewright.Problems) {
	var out T
	src, err := Open(data)
	if err == nil {
		out, err = read(src)
	}
	if err != nil {
		var none T
		return none, Append(nil, Unreadable, "", not+": "+err.Error())
	}
	return out, src.problems
}

// Add reports a problem, up to a bound that no honest file reaches.
func (s *Source) Add(code talewright.Code, path, message string) {
	s.problems = Append(s.problems, code, path, message)
}

// Append adds a problem to a list, or once a note that there are more.
func Append(
	list talewright.Problems, code talewright.Code, path, message string,
) talewright.Problems {
	switch n := len(list); {
	case n > maxProblems:
		return list
	case n == maxProblems:
		code, path, message = More, "", "further problems are not listed"
	}
	return append(list, talewright.Problem{Code: code, Path: path, Severity: severities[code], Text: message})
}

// Lost reports the members of an object that the book cannot carry: all that
// hold a value and are not among those used. They stay in the member
// originalData.
func (s *Source) Lost(path string, members Object, used ...string) {
	for _, name := range Unused(members, used...) {
		s.Add(NotCarried, join(path, name),
			"has no counterpart and does not act; it is kept in the book's originalData")
	}
}

// Unused returns the names of the members that hold a value and are not among
// those used, sorted.
func Unused(members Object, used ...string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := string(members[name])
		if Truthy(members[name]) && value != "[]" && value != "{}" && !slices.Contains(used, name) {
			names = append(names, name)
		}
	}
	return names
}
