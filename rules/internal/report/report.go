// Package report collects the mistakes in rules and describes how to correct them.
package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
)

// Findings is a list of problems that is being collected.
type Findings talewright.Problems

// Add appends a problem with a formatted text.
func (ps *Findings) Add(path, id string, code talewright.Code, format string, args ...any) {
	*ps = append(*ps, talewright.Problem{Path: path, ID: id, Code: code, Text: fmt.Sprintf(format, args...)})
}

// SortByPlace sorts by kind of content and place in its list. Within each item it keeps the order
// of the compiler.
//
// The compiler finds some problems of an item early and others, such as its shared id, at the end.
// An author wants them together.
func (ps Findings) SortByPlace() {
	slices.SortStableFunc(ps, func(a, b talewright.Problem) int {
		kindA, placeA := placeOf(a.Path)
		kindB, placeB := placeOf(b.Path)
		return cmp.Or(cmp.Compare(kindA, kindB), cmp.Compare(placeA, placeB))
	})
}

// placeOf returns the kind and the index in a path. The content as a whole comes first.
func placeOf(path string) (kind, place int) {
	for kind, head := range [...]string{"variables[", "modules[", "rules[", "reactions["} {
		if rest, ok := strings.CutPrefix(path, head); ok {
			digits, _, _ := strings.Cut(rest, "]")
			place, _ := strconv.Atoi(digits) // this package wrote the number
			return kind, place
		}
	}
	return -1, 0
}

// ActionPath returns the path of an action within the rule or reaction at a path. It uses the
// author's name of the list: actions in a rule, then in a reaction.
func ActionPath(path string, i int) string { return ActionList(path) + "[" + strconv.Itoa(i) + "]" }

// ActionList returns the path of the list of actions within the rule or reaction at a path.
func ActionList(path string) string {
	if path[:5] != "rules" {
		return ".then"
	}
	return ".actions"
}
