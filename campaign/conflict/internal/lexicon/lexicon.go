// Package lexicon finds the words of two vocabularies in a text, Chinese and English ones at
// the same time, sorted into classes such as hypothetical words, verbs of loss or names of
// attributes. The words are data: see the files that are named for the languages.
package lexicon

import "slices"

// bothLanguages is the compiled lexicon.
var bothLanguages = compileLexicon(chinese, slices.Concat(english, englishPlaces, englishLives))

// Find returns the words of both languages in a text.
func Find(text []rune) *Hits { return bothLanguages.find(text) }
