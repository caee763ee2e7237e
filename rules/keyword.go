package rules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/rules/internal/report"
)

// This file has the keywords of triggers. They are searched in two ways. During play the index
// searches all keywords of a program at once. MatchKeyword and tests search them one by one in a
// text. Both fold case as the scanner of world books does, so that a word that finds lore also
// fires a rule.
//
// Whole words support the letters of every script. The usual ASCII word edge does not work: with it
// no Chinese word is ever whole, "c++" has no end, and cafés contains the word café.

// matchText is a compiled keyword trigger.
type matchText struct {
	Primary   []keyword
	Secondary []keyword // checked only after a primary one was found
	Logic     logic     // joins the secondary ones
}

// logic is the way in which secondary keywords are joined.
type logic uint8

const (
	oneOf   logic = iota // at least one of them is found
	allOf                // all of them are found
	noneOf               // no keyword is found
	notEach              // at least one of them is not found
)

// keyword is one compiled key. For a regular expression that is not found, the key is also searched
// for as plain text.
type keyword struct {
	folded string        // in lower case, as in the index
	whole  bool          // needs word edges
	Regex  *report.Regex // nil for most
	ID     int32         // in the index of its side
}

// compileKeyword refuses blank keywords: an empty line in an editor must not make a rule fire for
// every message.
func compileKeyword(key string, wholeWords bool) (keyword, bool) {
	if strings.TrimSpace(key) == "" {
		return keyword{}, false
	}
	return keyword{
		folded: keyindex.FoldString(key),
		whole:  wholeWords && !hasCJK(key),
		Regex:  report.Parse(key),
		ID:     -1,
	}, true
}

// Found searches a text without an index.
func (k *keyword) Found(text, folded string, s *report.Search) bool {
	if k.Regex != nil && k.Regex.Match(text, s) {
		return true
	}
	if !k.whole {
		return strings.Contains(folded, k.folded)
	}
	// The first occurrence may be part of a longer word while the second is not.
	for at := 0; at+len(k.folded) <= len(folded); {
		i := strings.Index(folded[at:], k.folded)
		if i < 0 {
			return false
		}
		if isWholeWord(folded, at+i, at+i+len(k.folded)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(folded[at+i:])
		at += i + size
	}
	return false
}

// isWholeWord reports whether text[start:end] is a whole word: no edge has a word character on both
// sides.
func isWholeWord[T string | []byte](text T, start, end int) bool {
	first, last := runeAt(text, start), runeBefore(text, end)
	before, after := runeBefore(text, start), runeAt(text, end)
	return !(isWordRune(first) && isWordRune(before)) && !(isWordRune(last) && isWordRune(after))
}

// runeAt returns the character that begins at an offset.
func runeAt[T string | []byte](text T, at int) rune {
	r, _ := utf8.DecodeRuneInString(string(text[at:min(len(text), at+utf8.UTFMax)]))
	return r
}

// runeBefore returns the character that ends at an offset.
func runeBefore[T string | []byte](text T, at int) rune {
	r, _ := utf8.DecodeLastRuneInString(string(text[max(0, at-utf8.UTFMax):at]))
	return r
}

// isWordRune reports whether r is a letter or digit of any script, or an underscore.
func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// hasCJK reports whether a word has characters of scripts without blanks between words. Word edges
// do not exist in them.
func hasCJK(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
			unicode.Hangul, unicode.Bopomofo)
	})
}

// containsAny reports whether the text contains one of the folded alternatives.
func containsAny(text string, parts []string) bool {
	if len(parts) == 0 {
		return false
	}
	folded := keyindex.FoldString(text)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(folded, part) })
}

// alternatives splits the value of a contains clause at its commas.
func alternatives(s string) []string {
	var parts []string
	split := func(r rune) bool { return r == ',' || r == '，' || r == '、' }
	for _, part := range strings.FieldsFunc(s, split) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, keyindex.FoldString(part))
		}
	}
	return parts
}

// matches reports whether a text has the keywords. It uses no index.
func (t *matchText) matches(text string) bool {
	if text == "" {
		return false
	}
	folded, s := keyindex.FoldString(text), report.NewSearch(len(text))
	return t.Decide(func(k *keyword) bool { return k.Found(text, folded, &s) })
}

// Decide reports whether the primary and the secondary keywords are found as the trigger requires.
// found reports it for one keyword.
func (t *matchText) Decide(found func(*keyword) bool) bool {
	if !anyKeyword(t.Primary, found) {
		return false
	}
	return len(t.Secondary) == 0 || t.DecideSecondary(found)
}

// DecideSecondary is Decide for the secondary keywords only.
func (t *matchText) DecideSecondary(found func(*keyword) bool) bool {
	missing := func(k *keyword) bool { return !found(k) }
	switch t.Logic {
	case allOf:
		return !anyKeyword(t.Secondary, missing)
	case noneOf:
		return !anyKeyword(t.Secondary, found)
	case notEach:
		return anyKeyword(t.Secondary, missing)
	}
	return anyKeyword(t.Secondary, found)
}

// anyKeyword reports whether at least one key is found.
func anyKeyword(keys []keyword, found func(*keyword) bool) bool {
	for i := range keys {
		if found(&keys[i]) {
			return true
		}
	}
	return false
}

// matchKeywords collects the distinct keywords of one side.
type matchKeywords struct {
	ids  map[keyindex.Key]int32
	keys []keyindex.Key
}

// Add returns the id of a keyword. Equal keywords have the same id, so that a word in fifty rules
// is searched for once.
func (b *matchKeywords) Add(k keyword) int32 {
	key := keyindex.Key{Text: k.folded, Check: k.whole}
	if id, ok := b.ids[key]; ok {
		return id
	}
	if b.ids == nil {
		b.ids = make(map[keyindex.Key]int32)
	}
	id := int32(len(b.keys))
	b.ids[key] = id
	b.keys = append(b.keys, key)
	return id
}
