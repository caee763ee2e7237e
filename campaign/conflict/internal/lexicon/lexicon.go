// Package lexicon finds the words of two vocabularies in a text, Chinese and English ones at
// the same time, sorted into classes such as hypothetical words, verbs of loss or names of
// attributes. The words are data: see the files that are named for the languages.
package lexicon

import (
	"slices"
	"sync"
)

// bothLanguages returns the compiled lexicon. It is compiled when the first text is read: a
// program that reads none need not wait for it.
var bothLanguages = sync.OnceValue(func() *lexicon {
	return compileLexicon(slices.Concat(chinese, chineseLives), slices.Concat(english, englishPlaces, englishLives))
})

// Find returns the words of both languages in a text.
func Find(text []rune) *Hits { return bothLanguages().find(text) }
