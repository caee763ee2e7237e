package rules

import (
	"strconv"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/rules/internal/report"
)

// The codes that [Vet] reports in addition to the codes of [Compile].
const (
	codeCycle           talewright.Code = "cycle"            // emits, writes or toggles that come back to themselves
	codeContradiction   talewright.Code = "contradiction"    // conditions that exclude each other
	codeUnusedDirective talewright.Code = "unused-directive" // removed but never injected, or empty
	codeConflict        talewright.Code = "conflict"         // two rules write one variable for one event
)

// vetting is the content under check, with its findings.
type vetting struct {
	findings
	*names
	content   Content
	list      []handler
	relations []Relation
	causers   map[about]causer
}

// findings are the problems so far, without duplicates: one condition can be wrong for two reasons
// with one text.
type findings struct {
	problems report.Findings
	known    map[talewright.Problem]bool
}

// newFindings returns findings that begin with some problems.
func newFindings(problems talewright.Problems) findings {
	f := findings{problems: report.Findings(problems), known: make(map[talewright.Problem]bool, len(problems))}
	for _, p := range problems {
		f.known[p] = true
	}
	return f
}

// note adds a problem unless it is already in the list.
func (f *findings) note(path, id string, code talewright.Code, text string) {
	p := talewright.Problem{Path: path, ID: id, Code: code, Text: text}
	if !f.known[p] {
		f.known[p] = true
		p.Severity = talewright.Warning
		f.problems = append(f.problems, p)
	}
}

// place is a place in the content, with the id of the rule or declaration that contains it.
type place struct {
	*vetting
	path, id string
}

// within returns the place of a member.
func (p place) within(member string) place {
	p.path += member
	return p
}

// add reports a problem of a member, or with "" of the place itself.
func (p place) add(member string, code talewright.Code, text string) {
	p.note(p.path+member, p.id, code, text)
}

// rule is a rule or reaction with its place.
type rule struct {
	place
	Handler
}

// about is a verb with its object.
type about struct {
	verb   Verb
	object string
}

// causer identifies the rules that do something: one or several.
type causer struct {
	set    bool
	first  string
	others bool // a second rule does it too
}

// numberText prints a number as authors write it.
func numberText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
