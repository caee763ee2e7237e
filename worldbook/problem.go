package worldbook

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright"
)

// Codes of problems. Books always compile: a problem concerns only the place that it names. Paths
// begin with the name of the book, for example `main.entries[3].key[0]`, where 3 is the index of
// the entry in file order. Importers have their own codes (package format).
const (
	// From Compile.
	CodeBadRegex          talewright.Code = "bad_regex"          // a key /…/ that is not a valid regex
	CodeUnknownQuirk      talewright.Code = "unknown_quirk"      // in Settings.QuirksOff
	CodeUnknownDecorators talewright.Code = "unknown_decorators" // in Settings.Decorators
	CodeUnknownWordRule   talewright.Code = "unknown_word_rule"  // in Settings.WholeWords
	CodeDuplicateName     talewright.Code = "duplicate_name"     // two different books with one name
	CodeUnknownDecorator                  = codeUnknown          // a Card V3 decorator
	CodeBadValue                          = codeBadValue         // of a Card V3 decorator
	CodeStrayFallback                     = codeStrayFallback    // @@@ after no decorator
	CodeDuplicate                         = codeDuplicate        // a decorator that occurs twice

	// From Compiled.Vet.
	CodeDeadKey        talewright.Code = "dead_key"        // a key that nothing can match
	CodeUnreachable    talewright.Code = "unreachable"     // an entry that nothing can activate
	CodeUnplaced       talewright.Code = "unplaced"        // an entry whose text is placed nowhere
	CodeEmptyContent   talewright.Code = "empty_content"   // an entry without a text
	CodeDuplicateUID   talewright.Code = "duplicate_uid"   // an id that an earlier entry already has
	CodeGroupOfOne     talewright.Code = "group_of_one"    // an inclusion group with one member
	CodeRecursionCycle talewright.Code = "recursion_cycle" // entries that activate each other
	CodeSlowRegex      talewright.Code = "slow_regex"      // a regex that only its step limit stops
	CodeTightBudget    talewright.Code = "tight_budget"    // constants that exceed the budget
)

// problemList collects the problems of books during compilation.
type problemList []noted

// noted is a problem and the serial of its entry.
type noted struct {
	talewright.Problem
	serial int32
}

// add records a mistake in the settings or in a book as a whole. Compiling continues.
func (l *problemList) add(code talewright.Code, path, format string, args ...any) {
	l.note(-1, talewright.Problem{Path: path, Code: code, Text: fmt.Sprintf(format, args...)})
}

func (l *problemList) note(serial int32, p talewright.Problem) {
	if p.Code == CodeDuplicateName {
		p.Severity = talewright.Warning
	}
	*l = append(*l, noted{p, serial})
}

// inOrder returns the problems in the order of the entries. The sort is needed because keys are
// compiled in a different order.
func (l problemList) inOrder() talewright.Problems {
	slices.SortStableFunc(l, func(a, b noted) int { return int(a.serial - b.serial) })
	var list talewright.Problems
	for _, n := range l {
		list = append(list, n.Problem)
	}
	return list
}
