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
// A program grows by 33 MB, so this is a separate module. The first Load takes two seconds of one
// core and, during that time, 375 MB of memory. 10 MB stay in use. A segmenter with 100 names takes
// less than half a millisecond. A query takes 1 to 4 µs however long the text is.
//
// # The dictionary
//
// The dictionary has 587,000 simplified and traditional words. It is embedded in
// github.com/go-ego/gse v1.0.2 (Apache-2.0; parts of it are jieba's, MIT). That is the only Go
// library with a release in the last two years that embeds its words and needs no cgo, network or
// files. When the program starts, the library fills one small table (70 µs). Of the 33 MB, 24 are a
// Japanese dictionary that its loader refers to. It is never read.
//
// Only the words are used. The library's own segmenter keeps 195 MB, and adding a word weighs all
// words again and changes the segmenter. This segmenter is shared by all books of a program, each
// with its own names. A test checks that both divide texts in the same way.
package segment
