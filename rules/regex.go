package rules

import (
	"strings"

	"github.com/talewright/talewright/internal/jsregex"
)

// looksLikeRegex reports whether a keyword is written /pattern/flags.
func looksLikeRegex(key string) bool {
	_, _, ok := splitRegex(key)
	return ok
}

// splitRegex takes the last slash as the closing one: slashes inside need no backslash.
func splitRegex(key string) (pattern, flags string, ok bool) {
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

// regex is a keyword that is a regular expression, in any case whatever its flags.
type regex struct{ re *jsregex.Regexp }

// parseRegex returns nil for a keyword that is no regular expression.
func parseRegex(key string) *regex {
	pattern, letters, ok := splitRegex(key)
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
	return &regex{re}
}

// search bounds what all regular expressions may cost on one text. The text is a player's or a
// model's and the expressions are an author's: together they can ask for hours. Steps are counted
// and not timed, so that a game replays to the same bytes.
type search struct {
	left   int
	gaveUp bool // one was given up since this was last asked
}

// newSearch begins with a text of a length. All searches have together what each would have.
func newSearch(length int) search { return search{left: jsregex.Limit(length)} }

// match searches the text as it was written. A search that has to be given up found
// nothing.
func (r *regex) match(text string, s *search) bool {
	found, steps, err := r.re.MatchCounted(text, s.left)
	s.left -= min(steps, s.left)
	if err != nil {
		s.gaveUp = true
		return false
	}
	return found
}
