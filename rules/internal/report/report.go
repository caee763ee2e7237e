// Package report collects what is wrong with rules and says what to write instead.
package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
)

// Findings are problems while they are collected.
type Findings talewright.Problems

// Add appends a problem.
func (ps *Findings) Add(path, id string, code talewright.Code, text string) {
	*ps = append(*ps, talewright.Problem{Path: path, ID: id, Code: code, Text: text})
}

// SortByPlace orders by kind of content and place in its list, and leaves the order in
// which the compiler walks within each item.
//
// The compiler finds some problems of an item early and others, such as its shared id, when
// everything is known; an author wants them together.
func (ps Findings) SortByPlace() {
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

// ActionPath is the place of an action within the rule or reaction at a path, with the list as
// the author knows it: a rule has actions, a reaction has a then.
func ActionPath(path string, i int) string {
	list := ".actions["
	if path[:5] != "rules" {
		list = ".then["
	}
	return list + strconv.Itoa(i) + "]"
}
