package lore

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/worldbook"
)

// The codes of the importers' problems. The package anybook lists them for users.
const (
	BadPattern worldbook.Code = "bad_pattern"
	BadText    worldbook.Code = "bad_text"
	BadType    worldbook.Code = "bad_type"
	Duplicate  worldbook.Code = "duplicate"
	More       worldbook.Code = "more"
	NoEntries  worldbook.Code = "no_entries"
	NoKeys     worldbook.Code = "no_keys"
	NotCarried worldbook.Code = "not_carried"
	TooLarge   worldbook.Code = "too_large"
)

// Add reports a problem, up to a bound that no honest file reaches.
func (s *Source) Add(code worldbook.Code, path, message string) {
	s.problems = Append(s.problems, code, path, message)
}

// Problems returns what was reported.
func (s *Source) Problems() []worldbook.Problem { return s.problems }

// Append adds a problem to a list, or once a note that there are more.
func Append(
	list []worldbook.Problem, code worldbook.Code, path, message string,
) []worldbook.Problem {
	switch n := len(list); {
	case n > maxProblems:
		return list
	case n == maxProblems:
		code, path, message = More, "", "further problems are not listed"
	}
	return append(list, worldbook.Problem{Code: code, Path: path, Message: message})
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
