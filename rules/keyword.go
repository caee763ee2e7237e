package rules

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/rules/internal/keyexpr"
)

// Keywords are looked for twice: all of a program at once through the index, which is what
// play does, and one by one in a text, which is what MatchKeyword and the tests do. Both fold
// case as the scanner of world books does, so that a word that finds lore finds a rule.
//
// Whole words know the letters of every script. The usual notion of a word edge has ASCII in
// mind: by it no Chinese word ever stands alone, "c++" has no end, and cafés has a café in it.

// textTrigger is a compiled keyword trigger.
type textTrigger struct {
	primary   []keyword
	secondary []keyword // asked only when a primary one was found
	logic     Secondary // joins the secondary ones
}

// keyword is one compiled key.
//
// A regular expression is a keyword as well: where it is not found its text still may be.
type keyword struct {
	folded string         // in lower case, as the index has it
	whole  bool           // needs word edges
	regex  *keyexpr.Regex // nil for most
	id     int32          // in the index of its side
}

// MatchKeyword reports whether a text has a keyword in it. Blank keywords are in no
// text.
//
//  1. A keyword written /pattern/flags is a regular expression, in any case.
//     If it is none, or is not found, it goes on as ordinary text. One that takes too
//     many steps for the length of the text is given up, and was not found.
//  2. For whole words, a letter, digit or underscore at an edge of the keyword must
//     not have another one beside it; so "c++" is found in "c++," and café not in
//     cafés. Keywords in Chinese, Japanese or Korean are found anywhere.
//  3. Otherwise the keyword is found anywhere, in any case.
func MatchKeyword(text, key string, wholeWords bool) bool {
	k, ok := compileKeyword(key, wholeWords)
	s := keyexpr.NewSearch(len(text))
	return ok && k.found(text, keyindex.FoldString(text), &s)
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
		regex:  keyexpr.Parse(key),
		id:     -1,
	}, true
}

// found searches without an index.
func (k *keyword) found(text, folded string, s *keyexpr.Search) bool {
	if k.regex != nil && k.regex.Match(text, s) {
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
func (t *textTrigger) found(text string) bool {
	if text == "" {
		return false
	}
	folded, s := keyindex.FoldString(text), keyexpr.NewSearch(len(text))
	return t.decide(func(k *keyword) bool { return k.found(text, folded, &s) })
}

// decide joins primary and secondary keywords.
func (t *textTrigger) decide(found func(*keyword) bool) bool {
	if !anyKeyword(t.primary, found) {
		return false
	}
	return len(t.secondary) == 0 || t.decideSecondary(found)
}

// decideSecondary is asked after a keyword was found.
func (t *textTrigger) decideSecondary(found func(*keyword) bool) bool {
	switch t.logic {
	case AndAll:
		return allKeywords(t.secondary, found)
	case NotAny:
		return !anyKeyword(t.secondary, found)
	case NotAll:
		return !allKeywords(t.secondary, found)
	}
	return anyKeyword(t.secondary, found)
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

// textTrigger compiles the words of a trigger and enters them into the index of their
// side.
func (c *compiler) textTrigger(path, id string, t *Trigger) *textTrigger {
	side := 0
	if t.Type == AIKeyword {
		side = 1
	}
	out := &textTrigger{logic: t.SecondaryKeywordLogic}
	out.primary = c.keywordList(side, path+".trigger.keywords", id, t.Keywords, t.MatchWholeWords)
	out.secondary = c.keywordList(side, path+".trigger.secondaryKeywords", id,
		t.SecondaryKeywords, t.MatchWholeWords)
	if len(out.primary) == 0 {
		c.problems.Add(path+".trigger.keywords", id, NeverFires,
			"no keywords; the rule never fires; add some")
	}
	if _, set := t.Extra["useFuzzyMatch"]; set {
		c.problems.Add(path+".trigger.useFuzzyMatch", id, Ignored,
			"there is no fuzzy matching; add the spellings as keywords")
	}
	return out
}

// keywordList compiles words and says which will do nothing.
func (c *compiler) keywordList(side int, path, id string, keys []string, whole bool) []keyword {
	var out []keyword
	for i, key := range keys {
		at := path + "[" + strconv.Itoa(i) + "]"
		k, ok := compileKeyword(key, whole)
		if !ok {
			c.problems.Add(at, id, Ignored, "a blank keyword is in no text; remove it")
			continue
		}
		// A path in slashes looks like one too, so that this is said and not refused.
		if keyexpr.Looks(key) && k.regex == nil {
			c.problems.Add(at, id, Ignored, "not a regular expression, so taken as text: "+key+
				"; repair it, or write it without the slashes")
		}
		k.id = c.keywords[side].add(k)
		out = append(out, k)
	}
	return out
}

// keywordBuilder collects the distinct keywords of one side.
type keywordBuilder struct {
	ids  map[keywordKey]int32
	keys []keyindex.Key
}

type keywordKey struct {
	folded string
	whole  bool
}

// add returns the id of a keyword, the same for equal ones: a word that fifty rules wait
// for is searched once.
func (b *keywordBuilder) add(k keyword) int32 {
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
