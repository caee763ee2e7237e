package script

import (
	"fmt"
	"strings"
)

// Severity says what a problem does.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // the script does nothing, or not what it says
	Warning Severity = "warning" // it runs; something in it has no effect or is slow
)

// Codes of a [Problem], and of a [Ran] whose result was refused.
const (
	BadFile      = "bad_file"      // no script and no list of scripts
	BadType      = "bad_type"      // a member of another type than it should be
	BadPattern   = "bad_pattern"   // the pattern is none; the script changes nothing
	EmptyFind    = "empty_find"    // no pattern; the script changes nothing
	NoName       = "no_name"       // no name to show
	NoPlacement  = "no_placement"  // fits no kind of text; never runs
	OldPlacement = "old_placement" // a kind of text of old versions, converted
	UnknownGroup = "unknown_group" // $n or $<name> that the pattern does not have
	BadDepth     = "bad_depth"     // a depth that is no number, or a range without any
	SlowPattern  = "slow_pattern"  // the search may be given up
	NotAllowed   = "not_allowed"   // the list is denied; none of its scripts runs

	Limit       = "limit"        // the search took too many steps
	TooLong     = "too_long"     // the result is too long
	SplitPair   = "split_pair"   // the result has half of a character beyond U+FFFF
	MacroFailed = "macro_failed" // a macro of the host panicked
)

// Problem is one mistake in a script, or one thing about it that its author should
// know.
type Problem struct {
	Path     string   `json:"path"` // for example global[3].findRegex, by its place in its list
	Owner    string   `json:"owner,omitempty"`
	ID       string   `json:"id,omitempty"`
	Name     string   `json:"name,omitempty"` // of the script
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Text     string   `json:"text"` // what is wrong and what to do
}

// String gives the problem in one line.
func (p Problem) String() string {
	text := p.Path
	if p.Owner != "" {
		text = p.Owner + ": " + text
	}
	if p.Name != "" {
		text += fmt.Sprintf(" (%q)", p.Name)
	}
	return text + ": " + p.Text
}

// Problems are all that were found, in the order of the scripts.
type Problems []Problem

// Err returns the problems as an error, nil if none is an [Error].
func (ps Problems) Err() error {
	for _, p := range ps {
		if p.Severity == Error {
			return problemsError(ps)
		}
	}
	return nil
}

type problemsError Problems

func (e problemsError) Error() string {
	var b strings.Builder
	b.WriteString("script: ")
	first := true
	for _, p := range e {
		if p.Severity != Error {
			continue
		}
		if !first {
			b.WriteString("; ")
		}
		first = false
		b.WriteString(p.String())
	}
	return b.String()
}
