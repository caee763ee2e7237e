package act

import (
	"slices"
	"strings"
)

// TypeNames are all names of one event, the canonical name first.
type TypeNames []string

// TypeNamesOf returns the names of an event. For a known event the result is shared and must not be
// modified. For any other event the result is stored in own, so that nothing is allocated.
func TypeNamesOf(event string, own *[1]string) TypeNames {
	for _, row := range aliases {
		if slices.Contains(row, event) {
			return row
		}
	}
	own[0] = event
	return own[:]
}

// MatchType reports whether an event pattern covers an event type. Dots separate the segments of a
// name. Comparison is case-sensitive.
//
//   - The pattern "*" covers everything; the empty pattern covers nothing.
//   - A last segment "*" matches one or more segments: "character.*" covers
//     "character.before_turn.finished" but not "character".
//   - Any other "*" segment matches exactly one segment: "*.changed".
//   - A known event is covered if any of its names is covered, so "pipeline.*" covers
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

// matchName matches a pattern against one name, segment by segment. It allocates nothing, because
// every wildcard hook is checked at every event.
func matchName(pattern, name string) bool {
	for {
		p, restP, moreP := strings.Cut(pattern, ".")
		n, restN, moreN := strings.Cut(name, ".")
		if !moreP && p == "*" {
			return true // the rest of the name has at least one segment
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

// IsExactType reports whether the pattern covers only the names of one event.
func IsExactType(pattern string) bool { return !strings.Contains(pattern, "*") }
