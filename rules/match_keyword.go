package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/rules/internal/report"
)

// Keywords are looked for twice: all of a program at once through the index, which is what
// play does, and one by one in a text, which is what MatchKeyword and the tests do. Both fold
// case as the scanner of world books does, so that a word that finds lore finds a rule.
//
// Whole words know the letters of every script. The usual notion of a word edge has ASCII in
// mind: by it no Chinese word ever stands alone, "c++" has no end, and cafés has a café in it.

// textTrigger is a compiled keyword trigger.
type matchText struct {
	Primary   []keyword
	Secondary []keyword // asked only when a primary one was found
	Logic     logic     // joins the secondary ones
}

// logic joins secondary keywords.
type logic uint8

const (
	oneOf   logic = iota // one of them is found
	allOf                // each is
	noneOf               // none is
	notEach              // at least one is not
)

// keyword is one compiled key.
//
// A regular expression is a keyword as well: where it is not found its text still may be.
type keyword struct {
	folded string        // in lower case, as the index has it
	whole  bool          // needs word edges
	Regex  *report.Regex // nil for most
	ID     int32         // in the index of its side
}

// compileKeyword refuses blank keywords: a half-filled line of an editor must not turn a
// rule for a word into a rule for every message.
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

// Found searches without an index.
func (k *keyword) Found(text, folded string, s *report.Search) bool {
	if k.Regex != nil && k.Regex.Match(text, s) {
		return true
	}
	if !k.whole {
		return strings.Contains(folded, k.folded)
	}
	// The first occurrence may be part of a longer word and the second not.
	for at := 0; at+len(k.folded) <= len(folded); {
		i := strings.Index(folded[at:], k.folded)
		if i < 0 {
			return false
		}
		if standsAlone(folded, at+i, at+i+len(k.folded)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(folded[at+i:])
		at += i + size
	}
	return false
}

// standsAlone reports whether text[start:end] has no word character beside an edge
// that is itself one.
func standsAlone[T string | []byte](text T, start, end int) bool {
	first, last := runeAt(text, start), runeBefore(text, end)
	before, after := runeBefore(text, start), runeAt(text, end)
	return !(isWordRune(first) && isWordRune(before)) && !(isWordRune(last) && isWordRune(after))
}

// runeAt is the character that begins at a place.
func runeAt[T string | []byte](text T, at int) rune {
	r, _ := utf8.DecodeRuneInString(string(text[at:min(len(text), at+utf8.UTFMax)]))
	return r
}

// runeBefore is the character that ends at a place.
func runeBefore[T string | []byte](text T, at int) rune {
	r, _ := utf8.DecodeLastRuneInString(string(text[max(0, at-utf8.UTFMax):at]))
	return r
}

// isWordRune knows the letters and digits of every script.
func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// hasCJK reports whether a word has characters of scripts that put no blanks between
// words. In them there are no word edges to ask for.
func hasCJK(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
			unicode.Hangul, unicode.Bopomofo)
	})
}

// containsAny reports whether a folded alternative is in the text.
func containsAny(text string, parts []string) bool {
	if len(parts) == 0 {
		return false
	}
	folded := keyindex.FoldString(text)
	for _, part := range parts {
		if strings.Contains(folded, part) {
			return true
		}
	}
	return false
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

// found decides a trigger without an index.
func (t *matchText) found(text string) bool {
	if text == "" {
		return false
	}
	folded, s := keyindex.FoldString(text), report.NewSearch(len(text))
	return t.Decide(func(k *keyword) bool { return k.Found(text, folded, &s) })
}

// Decide joins primary and secondary keywords.
func (t *matchText) Decide(found func(*keyword) bool) bool {
	if !anyKeyword(t.Primary, found) {
		return false
	}
	return len(t.Secondary) == 0 || t.DecideSecondary(found)
}

// DecideSecondary is asked after a keyword was found.
func (t *matchText) DecideSecondary(found func(*keyword) bool) bool {
	switch t.Logic {
	case allOf:
		return allKeywords(t.Secondary, found)
	case noneOf:
		return !anyKeyword(t.Secondary, found)
	case notEach:
		return !allKeywords(t.Secondary, found)
	}
	return anyKeyword(t.Secondary, found)
}

// anyKeyword reports whether one is found.
func anyKeyword(keys []keyword, found func(*keyword) bool) bool {
	for i := range keys {
		if found(&keys[i]) {
			return true
		}
	}
	return false
}

// allKeywords reports whether each is found.
func allKeywords(keys []keyword, found func(*keyword) bool) bool {
	for i := range keys {
		if !found(&keys[i]) {
			return false
		}
	}
	return true
}

// matchKeywords collects the distinct keywords of one side.
type matchKeywords struct {
	ids  map[keywordKey]int32
	keys []keyindex.Key
}

type keywordKey struct {
	folded string
	whole  bool
}

// Add returns the id of a keyword, the same for equal ones: a word that fifty rules wait
// for is searched once.
func (b *matchKeywords) Add(k keyword) int32 {
	key := keywordKey{k.folded, k.whole}
	if id, ok := b.ids[key]; ok {
		return id
	}
	if b.ids == nil {
		b.ids = make(map[keywordKey]int32)
	}
	id := int32(len(b.keys))
	b.ids[key] = id
	b.keys = append(b.keys, keyindex.Key{Text: k.folded, Check: k.whole})
	return id
}

// covers reports whether an event type, or a pattern of types such as "area:*", covers a type.
func covers(pattern, typ string) bool {
	if pattern == typ || pattern == "*" {
		return pattern != ""
	}
	area, wild := strings.CutSuffix(pattern, "*")
	return wild && strings.HasSuffix(area, ":") && strings.HasPrefix(typ, area)
}
