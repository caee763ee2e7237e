package act

import (
	"slices"
	"strings"
)

// TypeNames are all the spellings of one event, the canonical one first.
type TypeNames []string

// TypeNamesOf returns the names of an event: a row of the known ones, which must not be modified, or
// the event alone, kept in own so that nothing is allocated.
func TypeNamesOf(event string, own *[1]string) TypeNames {
	for _, row := range aliases {
		if slices.Contains(row, event) {
			return row
		}
	}
	own[0] = event
	return own[:]
}

// MatchType reports whether an event pattern covers an event type. Names are cut at
// the dots into segments; comparison is case-sensitive.
//
//   - "*" alone covers everything, the empty pattern nothing.
//   - A last segment of "*" stands for one or more segments: "character.*" covers
//     "character.before_turn.finished" and not "character".
//   - Any other "*" segment stands for exactly one: "*.changed".
//   - A known event is covered if any of its spellings is, so "pipeline.*" covers
//     "model.before_call".
func MatchType(pattern, eventType string) bool {
	var own [1]string
	return TypeNamesOf(eventType, &own).Match(pattern)
}

// Match reports whether a pattern covers one of the names.
func (names TypeNames) Match(pattern string) bool {
	switch pattern {
	case "":
		return false
	case "*":
		return true
	}
	for _, name := range names {
		if matchName(pattern, name) {
			return true
		}
	}
	return false
}

// matchName matches a pattern against one name, segment by segment. It cuts both as
// it goes and allocates nothing: every wildcard hook is asked at every event.
func matchName(pattern, name string) bool {
	for {
		p, restP, moreP := strings.Cut(pattern, ".")
		n, restN, moreN := strings.Cut(name, ".")
		if !moreP && p == "*" {
			return true // what is left of the name is at least one segment
		}
		if p != "*" && p != n || moreP != moreN {
			return false
		}
		if !moreP {
			return true
		}
		pattern, name = restP, restN
	}
}

// IsExactType reports whether the pattern covers only the spellings of one event.
func IsExactType(pattern string) bool { return !strings.Contains(pattern, "*") }
