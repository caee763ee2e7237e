package report

import (
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
)

// This file reads keywords that are regular expressions.

// Looks reports whether a keyword has the form /pattern/flags.
func Looks(key string) bool {
	_, _, ok := split(key)
	return ok
}

// split uses the last slash as the closing one: slashes inside need no backslash.
func split(key string) (pattern, flags string, ok bool) {
	// The shortest pattern has a single character between its slashes.
	if len(key) < 3 || key[0] != '/' {
		return "", "", false
	}
	end := strings.LastIndexByte(key, '/')
	if end < 2 || strings.Trim(key[end+1:], "gimsuy") != "" {
		return "", "", false
	}
	return key[1:end], key[end+1:], true
}

// Regex is a keyword that is a regular expression. It ignores case with all flags.
type Regex struct{ re *jsregex.Regexp }

// Parse returns nil for a keyword that is not a valid regular expression.
func Parse(key string) *Regex {
	pattern, letters, ok := split(key)
	if !ok {
		return nil
	}
	flags, err := jsregex.ParseFlags(letters)
	if err != nil {
		return nil
	}
	// All keywords ignore case, also regular expressions.
	flags.IgnoreCase = true
	re, err := jsregex.Compile(pattern, flags)
	if err != nil {
		return nil
	}
	return &Regex{re}
}

// Search limits the cost of all regular expressions on one text. The text comes from a player or a
// model and the expressions from an author: together they could take hours. Steps are counted and
// not timed, so that a game replays to the same bytes.
type Search struct {
	left   int
	GaveUp bool // a search has been stopped since this was last reset
}

// NewSearch starts a search in a text of the given length. All searches share the limit of one.
func NewSearch(length int) Search { return Search{left: jsregex.Limit(length)} }

// Match searches the text as written. A search that is stopped finds nothing.
func (r *Regex) Match(text string, s *Search) bool {
	found, steps, err := r.re.MatchCounted(text, s.left)
	s.left -= min(steps, s.left)
	if err != nil {
		s.GaveUp = true
		return false
	}
	return found
}

// RunAway reports whether the number of steps may be more than linear in the length of the text.
func (r *Regex) RunAway() bool { return r.re.RunAway() }
