package rules

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Code classes a [Problem] for programs; its text is for people.
type Code string

// The codes of [Compile] and [Vet].
const (
	Unreadable      Code = "unreadable"       // not an object, or a member of the wrong type
	BadTrigger      Code = "trigger"          // missing or unknown trigger: the rule is inert
	BadConditions   Code = "conditions"       // missing or unreadable conditions
	BadActions      Code = "actions"          // missing or unreadable actions or effects
	BadPattern      Code = "pattern"          // an event pattern that can never match
	DuplicateID     Code = "duplicate-id"     // two of one id share counters and switches
	MissingID       Code = "missing-id"       // nothing can switch or count it
	UnknownID       Code = "unknown-id"       // names something that is not declared
	BadFormula      Code = "formula"          // unreadable, or part of a cycle
	Ignored         Code = "ignored"          // an option that this library does not have
	NeverFires      Code = "never-fires"      // no event can get it past its gates
	Cycle           Code = "cycle"            // emits, writes or toggles that come back to themselves
	Contradiction   Code = "contradiction"    // conditions that exclude each other
	UnusedDirective Code = "unused-directive" // removed but never injected, or empty
	Conflict        Code = "conflict"         // two rules write one variable for one event
)

// Problem is one mistake in an author's content. What it concerns is left inert;
// everything else works.
type Problem struct {
	// Path is the JSON path into the content, as in rules[3].trigger. Reactions are counted
	// by themselves, from reactions[0].
	Path string `json:"path"`
	// ID is that of the rule, reaction, variable or module, for those who show it by name.
	ID   string `json:"id,omitempty"`
	Code Code   `json:"code"`
	// Text says what is wrong, what that comes to, and what to do.
	Text string `json:"text"`
}

// String returns path and text on one line.
func (p Problem) String() string { return p.Path + ": " + p.Text }

// Problems is a list of mistakes in the order of their places.
type Problems []Problem

// Err returns nil for an empty list, else one error with a line per problem.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return errors.New("rules: " + strings.Join(lines, "\nrules: "))
}

// Of returns the problems of one code.
func (ps Problems) Of(code Code) Problems {
	var out Problems
	for _, p := range ps {
		if p.Code == code {
			out = append(out, p)
		}
	}
	return out
}

// Misread names the members that should be what want says, such as "a number", and are not.
// Extra is what [Fields.Rest] left of an object at the path: a member that is known is in it
// only if it could not be read.
func Misread(
	path, id string, extra map[string]json.RawMessage, want string, members ...string,
) Problems {
	var ps Problems
	for _, member := range members {
		if raw, bad := extra[member]; bad {
			ps.add(path+"."+member, id, Unreadable, "ignored: "+line(string(raw))+" is not "+want)
		}
	}
	return ps
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
func (ps *Problems) add(path, id string, code Code, text string) {
	*ps = append(*ps, Problem{Path: path, ID: id, Code: code, Text: text})
}

// sortByPlace orders by kind of content and place in its list, and leaves the order in
// which the compiler walks within each item.
//
// The compiler finds some problems of an item early and others, such as its shared id, when
// everything is known; an author wants them together.
func (ps Problems) sortByPlace() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
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
