package rules

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright"
)

// The codes of [Compile] and [Vet].
const (
	Unreadable      talewright.Code = "unreadable"       // not an object, or a member of the wrong type
	BadTrigger      talewright.Code = "trigger"          // missing or unknown trigger: the rule is inert
	BadConditions   talewright.Code = "conditions"       // missing or unreadable conditions
	BadActions      talewright.Code = "actions"          // missing or unreadable actions or effects
	BadPattern      talewright.Code = "pattern"          // an event pattern that can never match
	DuplicateID     talewright.Code = "duplicate-id"     // two of one id share counters and switches
	MissingID       talewright.Code = "missing-id"       // nothing can switch or count it
	UnknownID       talewright.Code = "unknown-id"       // names something that is not declared
	BadFormula      talewright.Code = "formula"          // unreadable, or part of a cycle
	Ignored         talewright.Code = "ignored"          // an option that this library does not have
	NeverFires      talewright.Code = "never-fires"      // no event can get it past its gates
	Cycle           talewright.Code = "cycle"            // emits, writes or toggles that come back to themselves
	Contradiction   talewright.Code = "contradiction"    // conditions that exclude each other
	UnusedDirective talewright.Code = "unused-directive" // removed but never injected, or empty
	Conflict        talewright.Code = "conflict"         // two rules write one variable for one event
)

// findings are problems while they are collected.
type findings talewright.Problems

// Misread names the members that should be what want says, such as "a number", and are not.
// Extra is what [Fields.Rest] left of an object at the path: a member that is known is in it
// only if it could not be read.
func Misread(
	path, id string, extra map[string]json.RawMessage, want string, members ...string,
) talewright.Problems {
	var ps findings
	for _, member := range members {
		if raw, bad := extra[member]; bad {
			ps.add(path+"."+member, id, Unreadable, "ignored: "+line(string(raw))+" is not "+want)
		}
	}
	return talewright.Problems(ps)
}

// line cuts a text that is shown to people to one short line.
func line(s string) string {
	const most = 40
	s, _, _ = strings.Cut(s[:min(len(s), (most+1)*utf8.UTFMax)], "\n")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}

// add appends a problem.
func (ps *findings) add(path, id string, code talewright.Code, text string) {
	*ps = append(*ps, talewright.Problem{Path: path, ID: id, Code: code, Text: text})
}

// sortByPlace orders by kind of content and place in its list, and leaves the order in
// which the compiler walks within each item.
//
// The compiler finds some problems of an item early and others, such as its shared id, when
// everything is known; an author wants them together.
func (ps findings) sortByPlace() {
	slices.SortStableFunc(ps, func(a, b talewright.Problem) int {
		kindA, placeA := placeOf(a.Path)
		kindB, placeB := placeOf(b.Path)
		return cmp.Or(cmp.Compare(kindA, kindB), cmp.Compare(placeA, placeB))
	})
}

// placeOf reads kind and number of a path; the content as a whole comes first.
func placeOf(path string) (kind, place int) {
	for kind, head := range [...]string{"variables[", "modules[", "rules[", "reactions["} {
		if rest, ok := strings.CutPrefix(path, head); ok {
			digits, _, _ := strings.Cut(rest, "]")
			place, _ := strconv.Atoi(digits) // written by this package
			return kind, place
		}
	}
	return -1, 0
}
