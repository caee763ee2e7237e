package worldbook

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

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

// trim shortens a text to at most so many tokens: at its end or, with start, at its beginning. The
// cut is at the end of a sentence or else of a word, if that keeps half of what fits.
func (c *budgetCounter) trim(text string, most int, start bool) string {
	if c.measure(text) <= most {
		return text
	}
	ends := make([]int, 0, len(text)) // the offsets of characters
	for i := range text {
		ends = append(ends, i)
	}
	part := func(n int) string { // of n characters
		if start {
			return text[ends[len(ends)-n]:]
		}
		return text[:ends[n]]
	}
	n := sort.Search(len(ends)-1, func(n int) bool { return c.measure(part(n+1)) > most })
	if n == 0 {
		return ""
	}
	kept := part(n)
	if start {
		return strings.TrimSpace(kept[beginningOf(text, kept):])
	}
	return strings.TrimSpace(kept[:endOf(text, kept)])
}

// sentenceEnds are the characters that end a sentence.
const sentenceEnds = ".!?\n。！？…"

// endOf returns the offset at which a beginning of a text is cut.
func endOf(text, kept string) int {
	if next, _ := utf8.DecodeRuneInString(text[len(kept):]); strings.HasSuffix(kept, "\n") || unicode.IsSpace(next) && strings.ContainsRune(sentenceEnds, lastOf(kept)) {
		return len(kept)
	}
	if i := strings.LastIndexAny(kept, sentenceEnds); i >= len(kept)/2 {
		_, size := utf8.DecodeRuneInString(kept[i:])
		return i + size
	}
	if next, _ := utf8.DecodeRuneInString(text[len(kept):]); unicode.IsSpace(next) {
		return len(kept)
	}
	if i := strings.LastIndexFunc(kept, unicode.IsSpace); i >= len(kept)/2 {
		return i
	}
	return len(kept)
}

// beginningOf returns the offset at which the end of a text begins after its cut.
func beginningOf(text, kept string) int {
	if strings.ContainsRune(sentenceEnds, lastOf(strings.TrimSpace(text[:len(text)-len(kept)]))) && startsWord(text, kept) {
		return 0
	}
	if i := strings.IndexAny(kept, sentenceEnds); i >= 0 && i < len(kept)/2 {
		_, size := utf8.DecodeRuneInString(kept[i:])
		return i + size
	}
	if startsWord(text, kept) {
		return 0
	}
	if i := strings.IndexFunc(kept, unicode.IsSpace); i >= 0 && i < len(kept)/2 {
		return i
	}
	return 0
}

// startsWord reports whether a blank is at the cut before the end of a text.
func startsWord(text, kept string) bool {
	first, _ := utf8.DecodeRuneInString(kept)
	return unicode.IsSpace(first) || unicode.IsSpace(lastOf(text[:len(text)-len(kept)]))
}

func lastOf(text string) rune { r, _ := utf8.DecodeLastRuneInString(text); return r }

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
