package worldbook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/tokens"
)

// This file limits the entries of a book or a source, and the text of an entry.

// covers reports whether a limit counts the entries of a book and a source.
func (l *Limit) covers(book string, from Source) bool {
	return (l.Book == "" || l.Book == book) && (l.Source == "" || l.Source == from)
}

// scopeText names the entries that a limit counts.
func (l *Limit) scopeText() string {
	var parts []string
	if l.Book != "" {
		parts = append(parts, fmt.Sprintf("book %q", l.Book))
	}
	if l.Source != "" {
		parts = append(parts, "source "+string(l.Source))
	}
	if len(parts) == 0 {
		return "all books"
	}
	return strings.Join(parts, ", ")
}

// limitUse is the used part of each limit by the active entries of a scan.
type limitUse struct {
	tokens, entries []int
}

// begin prepares for a scan with n limits.
func (s *limitUse) begin(n int) {
	s.tokens, s.entries = append(s.tokens[:0], make([]int, n)...), append(s.entries[:0], make([]int, n)...)
}

// firstExceeded returns the first limit that an entry with need tokens would exceed. by names the limit, or is
// empty if there is none. text is the explanation with the numbers. total is the count with this entry.
func (s *limitUse) firstExceeded(limits []Limit, book string, from Source, need int) (by, text string, total, limit int) {
	for i := range limits {
		l := &limits[i]
		if !l.covers(book, from) {
			continue
		}
		if l.Entries > 0 && s.entries[i]+1 > l.Entries {
			by = "entries of " + l.scopeText()
			return by, fmt.Sprintf("%s %d+1 > %d", by, s.entries[i], l.Entries), s.entries[i] + 1, l.Entries
		}
		if l.Tokens > 0 && s.tokens[i]+need > l.Tokens {
			by = "tokens of " + l.scopeText()
			return by, fmt.Sprintf("%s %d+%d > %d", by, s.tokens[i], need, l.Tokens), s.tokens[i] + need, l.Tokens
		}
	}
	return "", "", 0, 0
}

// charge charges an active entry to the limits that count it.
func (s *limitUse) charge(limits []Limit, book string, from Source, need int) {
	for i := range limits {
		if limits[i].covers(book, from) {
			s.tokens[i] += need
			s.entries[i]++
		}
	}
}

// tokensOf returns the number of tokens of one text alone.
func (c *budgetCounter) tokensOf(text string) int {
	if c.Count != nil {
		return c.Count(text)
	}
	return tokens.Tokens(tokens.Weight(text))
}

// checkLimits reports the limits that limit nothing.
func checkLimits(limits []Limit, problems *problemList) {
	for i, l := range limits {
		path := fmt.Sprintf("settings.limits[%d]", i)
		if l.Tokens < 0 || l.Entries < 0 || l.Tokens == 0 && l.Entries == 0 {
			problems.add(codeBadOption, path, "needs tokens or entries above 0: add one, or remove the limit")
		}
		if l.Source != "" && !slices.Contains([]Source{SourceGlobal, SourceCharacter, SourceCharacterExtra, SourceChat, SourcePersona}, l.Source) {
			problems.add(codeBadOption, path+".source", "there is no source %q: use global, character, character_extra, chat or persona", l.Source)
		}
	}
}
