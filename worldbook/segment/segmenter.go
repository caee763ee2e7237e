package segment

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Segmenter cuts Chinese text into words. It implements worldbook.WordBoundary.
//
// It is immutable and safe for concurrent use. Create it with [Load].
type Segmenter struct {
	base  base
	names *dictionary // nil without names
	list  []string    // the names
}

// longestName is the greatest length of a name in characters. Longer texts are sentences.
const longestName = 32

// Load returns the segmenter with the dictionary. The first call in a program takes about a fifth of
// a second; later calls cost nothing.
func Load() (*Segmenter, error) {
	b, err := load()
	if err != nil {
		return nil, fmt.Errorf("segment: %w", err)
	}
	return &Segmenter{base: b}, nil
}

// With returns a segmenter with more words: names of characters, places and things that no
// dictionary has. It does not change s. The names of s are kept.
//
// The Chinese parts of each name are added (约翰·史密斯 gives 约翰 and 史密斯), if they have from two to 32
// characters. A word of the dictionary keeps its likelihood. A new word is as likely as the rare
// words of the dictionary, or slightly likelier than its parts. Regular expressions between slashes
// are skipped, so that the keys of a book can be passed.
//
// Add names, not phrases: an added text is one word from then on, and the words within it are no
// longer whole words (学院 in 魔法学院).
func (s *Segmenter) With(names ...string) *Segmenter {
	list := slices.Clone(s.list)
	for _, name := range names {
		if strings.HasPrefix(name, "/") && strings.LastIndexByte(name, '/') > 0 {
			continue
		}
		parts := strings.FieldsFunc(name, func(r rune) bool { return !isHan(r) })
		for _, part := range parts {
			if n := utf8.RuneCountInString(part); n >= 2 && n <= longestName {
				list = append(list, part)
			}
		}
	}
	slices.Sort(list)
	out := &Segmenter{base: s.base, list: slices.Compact(list)}
	var entries []entry
	plain := &Segmenter{base: s.base}
	for _, name := range out.list {
		if cost, known := plain.costOf(name); !known {
			// It is lower by the number of characters, so that a name made of names stays whole.
			cost -= int64(utf8.RuneCountInString(name))
			entries = append(entries, entry{name, int32(min(cost, int64(s.base.rare)))})
		}
	}
	if len(entries) > 0 {
		out.names = newDictionary(entries)
	}
	return out
}

// costOf returns the cost of the best cut of a name, and whether it is a word.
func (s *Segmenter) costOf(name string) (cost int64, known bool) {
	s.base.each(name, func(size int, _ int32) { known = known || size == len(name) })
	p := s.newPath(name)
	for !p.done(len(name)) {
		p.step()
	}
	return p.at[len(p.at)-1].cost, known
}

// IsWord reports whether text[start:end] is one or several whole words of text. At each of its two
// ends:
//
//   - Between two Chinese characters the most likely division of the text into words must have a
//     cut. Up to 64 characters on each side decide the division.
//   - Between a Chinese character and any other character a word ends.
//   - Everywhere else the ordinary rule applies: the character outside must not be one of A-Z, a-z,
//     0-9 and _.
//
// It returns false for a range that is empty, not in text, or cuts a character.
func (s *Segmenter) IsWord(text string, start, end int) bool {
	if start < 0 || end > len(text) || start >= end || !utf8.RuneStart(text[start]) ||
		end < len(text) && !utf8.RuneStart(text[end]) {
		return false
	}
	return s.isEdge(text, start, true) && s.isEdge(text, end, false)
}

// isEdge decides whether one end of the range, left or right, is the edge of a word.
func (s *Segmenter) isEdge(text string, at int, left bool) bool {
	if at == 0 || at == len(text) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	inside, beyond := before, after
	if left {
		inside, beyond = after, before
	}
	switch {
	case !isHan(inside):
		return !isWordByte(beyond)
	case !isHan(beyond):
		return true
	}
	return s.isCut(text, at)
}

// Cut divides a text into words as IsWord does. In addition to Chinese words these are runs of A-Z,
// a-z, 0-9 and _, and every other character alone. The concatenation of the words is the text. Use
// it to find out why a key was not found.
func (s *Segmenter) Cut(text string) []string {
	var words []string
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case isHan(r):
			run := hanPrefix(text)
			words = s.cutRun(words, run)
			size = len(run)
		default:
			if isWordByte(r) {
				size = len(text) - len(strings.TrimLeftFunc(text, isWordByte))
			}
			words = append(words, text[:size])
		}
		text = text[size:]
	}
	return words
}

func isWordByte(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}

// hanPrefix returns the Chinese characters at the start of text.
func hanPrefix(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return !isHan(r) })
	if end < 0 {
		return text
	}
	return text[:end]
}
