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

// of names the entries that a limit counts.
func (l *Limit) of() string {
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

// spending is the used part of each limit by the active entries of a scan.
type spending struct {
	tokens, entries []int
}

// begin prepares for a scan with n limits.
func (s *spending) begin(n int) {
	s.tokens, s.entries = append(s.tokens[:0], make([]int, n)...), append(s.entries[:0], make([]int, n)...)
}

// refuses returns the first limit that an entry with so many tokens would exceed. The result text
// gives the numbers, and total is the smallest sufficient limit.
func (s *spending) refuses(limits []Limit, book string, from Source, need int) (by, text string, total, limit int) {
	for i := range limits {
		l := &limits[i]
		if !l.covers(book, from) {
			continue
		}
		if l.Entries > 0 && s.entries[i]+1 > l.Entries {
			by = "entries of " + l.of()
			return by, fmt.Sprintf("%s %d+1 > %d", by, s.entries[i], l.Entries), s.entries[i] + 1, l.Entries
		}
		if l.Tokens > 0 && s.tokens[i]+need > l.Tokens {
			by = "tokens of " + l.of()
			return by, fmt.Sprintf("%s %d+%d > %d", by, s.tokens[i], need, l.Tokens), s.tokens[i] + need, l.Tokens
		}
	}
	return "", "", 0, 0
}

// spend charges an active entry to the limits that count it.
func (s *spending) spend(limits []Limit, book string, from Source, need int) {
	for i := range limits {
		if limits[i].covers(book, from) {
			s.tokens[i] += need
			s.entries[i]++
		}
	}
}

// measure returns the number of tokens of one text alone.
func (c *budgetCounter) measure(text string) int {
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
