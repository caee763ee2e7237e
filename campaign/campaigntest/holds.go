package campaigntest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/campaigntest/scenario"
	"github.com/talewright/talewright/internal/meant"
)

// answer is whether something is so, what is so, and why.
type answer struct {
	is bool
	// got is what there is, in a few words. It is told where the check fails.
	got string
	// why are lines that explain it.
	why []string
	// unknown says that the check names something that is not there: then it fails, whether it
	// wants it or not. A slip in a name is no proof of absence.
	unknown bool
}

// holds decides about each kind of check. A name that is no check is an author's mistake, which
// package scenario reports.
var holds = map[string]func(*moment, []string) answer{
	"hp": holdsHP, "in": holdsIn, "alive": holdsAlive, "var": holdsVar, "between": holdsBetween, "state": holdsState, "ended": holdsEnded,
	"lore": holdsLore, "rule": holdsRule, "hook": holdsHook,
	"prompt": holdsPrompt, "block": holdsBlock, "text": holdsText,
	"speaker": holdsSpeaker, "applied": holdsApplied, "refused": holdsRefused, "conflict": holdsConflict, "retries": holdsRetries,
	"outcome": holdsOutcome, "notice": holdsNotice, "effect": holdsEffect, "warning": holdsWarning,
}

// verify returns what is wrong with a moment, "" if the check holds.
func (m *moment) verify(c scenario.Check) string {
	decide, known := holds[c.Name]
	if !known {
		return fmt.Sprintf("want %s\n  there is no such check", c)
	}
	a := decide(m, c.Args)
	if a.is != c.Not && !a.unknown {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "want %s\n  %s", c, a.got)
	for _, line := range a.why {
		b.WriteString("\n  why: " + line)
	}
	return b.String()
}

// excuses reports whether a check is about turns that do not end well, so that one that did
// not is no fault.
func excuses(c scenario.Check) bool {
	return !c.Not && (c.Name == "outcome" || c.Name == "conflict")
}

// knownBy is an answer about something that nobody knows: what may have been meant.
func knownBy(what, name string, known []string) answer {
	if near, ok := meant.Closest(name, known); ok {
		return answer{unknown: true, got: fmt.Sprintf("there is no %s %q: did you mean %s?", what, name, near)}
	}
	slices.Sort(known)
	return answer{unknown: true, got: fmt.Sprintf("there is no %s %q: there are %s", what, name, listed(known))}
}

// listed are names behind one another, not too many of them.
func listed(names []string) string {
	const most = 20
	if len(names) == 0 {
		return "none"
	}
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}

// second is the argument that may be missing, "" if it is.
func second(args []string) string {
	if len(args) > 1 {
		return args[1]
	}
	return ""
}

// first is the first argument, "" if it is missing.
func first(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	return ""
}
