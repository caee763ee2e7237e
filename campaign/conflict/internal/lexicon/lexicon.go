// Package lexicon finds the words of a Chinese and an English vocabulary in a text, in one pass. The
// words are sorted into classes such as hypothetical words, verbs of loss or names of attributes.
//
// The vocabularies are the files words_*.txt. The files patterns_*.txt have patterns of
// words, see [Pattern], and texts for models.
package lexicon

import (
	"slices"
	"sync"
)

// bothLanguages returns the compiled lexicon. It is compiled when the first text is read, so
// programs that read no text do not wait for it.
var bothLanguages = sync.OnceValue(compileFiles)

// EachAt calls f with the ends and classes of all words of the vocabularies that begin at pos. Words
// in ASCII letters match only as whole words. Words that only patterns have, such as new, are left out.
func EachAt(text []rune, pos int, f func(end int, class Class)) {
	l := bothLanguages()
	if pos > 0 && Joined(text[pos-1], text[pos]) {
		return
	}
	var few [8]hit
	for _, h := range l.appendHits(few[:0], text, pos) {
		if !h.shields && h.class <= l.lastWord {
			f(pos+int(h.size), h.class)
		}
	}
}

// Find returns the words of both languages in a text.
func Find(text []rune) *Hits { return bothLanguages().find(text) }

// IsClaim reports whether words of a class make claims and are not only grammar.
func IsClaim(c Class) bool { return slices.Contains(bothLanguages().claims, c) }

// IsNoun reports whether a class has nouns for people, places and things that can be names.
func IsNoun(c Class) bool { return slices.Contains(bothLanguages().nouns, c) }
