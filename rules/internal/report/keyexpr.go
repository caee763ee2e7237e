package report

import (
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
)

// The keyexpr part reads keywords that are regular expressions.

// Looks reports whether a keyword is written /pattern/flags.
func Looks(key string) bool {
	_, _, ok := split(key)
	return ok
}

// split takes the last slash as the closing one: slashes inside need no backslash.
func split(key string) (pattern, flags string, ok bool) {
	// The shortest one has a single character between its slashes.
	if len(key) < 3 || key[0] != '/' {
		return "", "", false
	}
	end := strings.LastIndexByte(key, '/')
	if end < 2 || strings.Trim(key[end+1:], "gimsuy") != "" {
		return "", "", false
	}
	return key[1:end], key[end+1:], true
}

// Regex is a keyword that is a regular expression, in any case whatever its flags.
type Regex struct{ re *jsregex.Regexp }

// Parse returns nil for a keyword that is no regular expression.
func Parse(key string) *Regex {
	pattern, letters, ok := split(key)
	if !ok {
		return nil
	}
	flags, err := jsregex.ParseFlags(letters)
	if err != nil {
		return nil
	}
	// Keywords are found in any case, and this is a keyword before it is an expression.
	flags.IgnoreCase = true
	re, err := jsregex.Compile(pattern, flags)
	if err != nil {
		return nil
	}
	return &Regex{re}
}

// Search bounds what all regular expressions may cost on one text. The text is a player's or a
// model's and the expressions are an author's: together they can ask for hours. Steps are counted
// and not timed, so that a game replays to the same bytes.
type Search struct {
	left   int
	GaveUp bool // one was given up since this was last asked
}

// NewSearch begins with a text of a length. All searches have together what each would have.
func NewSearch(length int) Search { return Search{left: jsregex.Limit(length)} }

// Match searches the text as it was written. A search that has to be given up found
// nothing.
func (r *Regex) Match(text string, s *Search) bool {
	found, steps, err := r.re.MatchCounted(text, s.left)
	s.left -= min(steps, s.left)
	if err != nil {
		s.GaveUp = true
		return false
	}
	return found
}

// RunAway reports whether the expression may take more steps than a text is long.
func (r *Regex) RunAway() bool { return r.re.RunAway() }
