// Package segment finds whole words in Chinese text with a dictionary. Its [Segmenter] is a
// worldbook.WordBoundary:
//
//	dictionary, err := segment.Load() // once per program
//	if err != nil {
//		return err
//	}
//	settings := worldbook.Roleplay()
//	settings.MatchWholeWords = true
//	settings.Words = dictionary.With("林小雨", "魔法学院")
//
// With it the key 魔法 is found in 学习魔法 and in 这是魔法吗, but not in 魔法师. The built-in rule
// worldbook.WordsChinese also gets these right and costs nothing, but it guesses by a few endings.
// Use this package if keys are common syllables and wrong matches waste the budget.
//
// # How it decides
//
// A text is divided into the words that are most likely by their frequency, each counted alone. Of
// equally likely divisions the one with the longer last word counts. A key is whole if the division
// has a cut at both of its ends, so a key may be several words. See [Segmenter.IsWord] for the
// exact rule, also next to Latin letters. [Segmenter.Cut] shows why a key was not found.
//
// # Limits
//
// Words that are neither in the dictionary nor added are cut into their parts: add the names of a
// world with [Segmenter.With]. There is no grammar, so an ambiguous sentence may be cut wrongly,
// and a single character is often part of a word (剑 in 拔剑). Japanese, Thai and other scripts are
// not divided.
//
// # Costs
//
// A program grows by 3 MB. The first Load takes a fifth of a second of one core and, during that
// time, 80 MB of memory. 10 MB stay in use. A segmenter with 100 names takes less than half a
// millisecond. A query takes 1 to 4 µs however long the text is.
//
// # The dictionary
//
// The dictionary has 587,000 simplified and traditional words. They are the Chinese words of
// github.com/go-ego/gse v1.0.2 (Apache-2.0; parts of them are jieba's, MIT), compressed. That library
// is used by tests only: a program with it has 24 MB of a Japanese dictionary that is never read, it
// keeps 195 MB, and adding a word weighs all words again and changes the segmenter. This segmenter
// is shared by all books of a program, each with its own names. A test checks that both have the
// same words, and divide texts in the same way.
package segment
