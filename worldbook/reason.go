package worldbook

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/talewright/talewright"
)

// ReasonKind is the kind of rule that activated an entry.
//
//   - decorator
//   - forced
//   - constant
//   - sticky
//   - key
//   - earlier match: the decorator keep_activate_after_match, or a set of entries
//     ([Options.Replaces]) that keeps the entry active
type ReasonKind string

// The kinds.
const (
	byDecorator ReasonKind = "decorator"
	byForce     ReasonKind = "forced"
	ByConstant  ReasonKind = "constant"
	bySticky    ReasonKind = "sticky"
	byKey       ReasonKind = "key"
	// byEarlierMatch is the decorator keep_activate_after_match, or a set of entries
	// ([Options.Replaces]) that keeps the entry active.
	byEarlierMatch ReasonKind = "earlier match"
)

// Reason says why an entry was activated.
type Reason struct {
	Kind ReasonKind `json:"kind"`
	// Key and Place are set for the kind "key". Key is as the author wrote it: a key, or the expression of an
	// entry without keys.
	Key   string     `json:"key,omitempty"`
	Place MatchPlace `json:"place,omitzero"`
}

// MatchPlace is the place where a key was found. It is "message" with the number of newer messages,
// "persona", "description", "personality", "depth prompt", "scenario", "creator notes", "injection"
// or "recursion". A match that spans several of them has "window". A blank key, and an expression
// that is true without a found key, has "anywhere".
type MatchPlace struct {
	Kind string `json:"kind"`
	// Message counts from the newest message, which is 0. It is -1 for other places.
	Message int `json:"message"`
}

// String returns for example "message 3" or "scenario".
func (p MatchPlace) String() string {
	if p.Kind == "message" {
		return "message " + strconv.Itoa(p.Message)
	}
	return p.Kind
}

// String returns for example `key "dragon" in message 0`.
func (r Reason) String() string {
	if r.Kind != byKey {
		return string(r.Kind)
	}
	return "key " + strconv.Quote(r.Key) + " in " + r.Place.String()
}

// Codes of problems. Books always compile: a problem concerns only the place that it names. Paths
// begin with the name of the book, for example `main.entries[3].key[0]`, where 3 is the index of
// the entry in file order. Importers have their own codes (package format).
const (
	// From Compile.
	CodeBadRegex          talewright.Code = "bad_regex"          // a key /…/ that is not a valid regex
	codeUnknownQuirk      talewright.Code = "unknown_quirk"      // in ProfileSettings.QuirksOff
	codeUnknownDecorators talewright.Code = "unknown_decorators" // in ProfileSettings.Decorators
	codeUnknownWordRule   talewright.Code = "unknown_word_rule"  // in ProfileSettings.WholeWords
	codeDuplicateName     talewright.Code = "duplicate_name"     // two different books with one name
	codeBadOption         talewright.Code = "bad_option"         // in Entry.Options
	codeOutOfRange        talewright.Code = "out_of_range"       // a number of an entry without a meaning

	// From Compiled.Vet.
	codeDeadKey        talewright.Code = "dead_key"        // a key that nothing can match
	codeJoinedKeys     talewright.Code = "joined_keys"     // keys with a full-width comma between them
	codeUnreachable    talewright.Code = "unreachable"     // an entry that nothing can activate
	codeUnplaced       talewright.Code = "unplaced"        // an entry whose text is placed nowhere
	codeEmptyContent   talewright.Code = "empty_content"   // an entry without a text
	codeDuplicateUID   talewright.Code = "duplicate_uid"   // an id that an earlier entry already has
	codeGroupOfOne     talewright.Code = "group_of_one"    // an inclusion group with one member
	codeRecursionCycle talewright.Code = "recursion_cycle" // entries that activate each other
	codeSlowRegex      talewright.Code = "slow_regex"      // a regex that only its step limit stops
	codeTightBudget    talewright.Code = "tight_budget"    // constants that exceed the budget
)

// problemList collects the problems of books during compilation.
type problemList []problemOfEntry

// problemOfEntry is a problem and the serial of its entry.
type problemOfEntry struct {
	talewright.Problem
	serial int32
}

// add records a mistake in the settings or in a book as a whole. Compiling continues.
func (l *problemList) add(code talewright.Code, path, format string, args ...any) {
	l.addProblem(-1, talewright.Problem{Path: path, Code: code, Text: fmt.Sprintf(format, args...)})
}

func (l *problemList) addProblem(serial int32, p talewright.Problem) {
	if p.Code == codeDuplicateName || p.Code == codeOutOfRange {
		p.Severity = talewright.Warning
	}
	*l = append(*l, problemOfEntry{p, serial})
}

// inOrder returns the problems in the order of the entries. The sort is needed because keys are
// compiled in a different order.
func (l problemList) inOrder() talewright.Problems {
	slices.SortStableFunc(l, func(a, b problemOfEntry) int { return int(a.serial - b.serial) })
	var list talewright.Problems
	for _, n := range l {
		list = append(list, n.Problem)
	}
	return list
}
