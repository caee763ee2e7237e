package hooks

import (
	"slices"
	"strings"
)

// spellings returns all names of an event, itself alone if it has no alias. The
// result must not be modified.
func spellings(event string, own *[1]string) []string {
	for _, row := range aliases {
		if slices.Contains(row, event) {
			return row
		}
	}
	own[0] = event
	return own[:]
}

// Match reports whether an event pattern covers an event type. Names are cut at
// the dots into segments; comparison is case-sensitive.
//
//   - "*" alone covers everything, the empty pattern nothing.
//   - A last segment of "*" stands for one or more segments: "character.*" covers
//     "character.before_turn.finished" and not "character".
//   - Any other "*" segment stands for exactly one: "*.changed".
//   - A known event is covered if any of its spellings is, so "pipeline.*" covers
//     "model.before_call".
func Match(pattern, eventType string) bool {
	var own [1]string
	return matchAny(pattern, spellings(eventType, &own))
}

// matchAny matches a pattern against all names of one event.
func matchAny(pattern string, names []string) bool {
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

// isExact reports whether the pattern covers only the spellings of one event.
func isExact(pattern string) bool { return !strings.Contains(pattern, "*") }
