// Package segment tells whole words in Chinese text by a dictionary. Its
// [Segmenter] is a worldbook.WordBoundary:
//
//	dictionary, err := segment.Load() // once per program
//	if err != nil {
//		return err
//	}
//	settings := worldbook.Roleplay()
//	settings.MatchWholeWords = true
//	settings.Words = dictionary.With("林小雨", "魔法学院")
//
// With it the key 魔法 is found in 学习魔法 and in 这是魔法吗, but not in 魔法师.
// The rule worldbook.WordsChinese, which is built in and costs nothing, gets these right
// as well, but guesses by a few endings. Take this package where keys are common
// syllables, and wrong matches spoil the budget.
//
// # How it decides
//
// A text is divided into the words that are most likely by their frequency, each
// taken alone. Of equally likely divisions the one with the longer last word
// counts. A key is whole if the division has a cut at both of its ends, so it
// may be several words. See [Segmenter.IsWord] for the exact rule, also beside
// Latin letters, and [Segmenter.Cut] for why a key was not found.
//
// # What it does not know
//
// Words that are neither in the dictionary nor added fall into their parts: add
// the names of a world by [Segmenter.With]. There is no grammar, so an ambiguous
// sentence may be cut wrongly, and a single character is often part of a word
// (剑 in 拔剑). Japanese, Thai and other scripts are not divided.
//
// # What it costs
//
// A program grows by 33 MB, which is why this is a module of its own. The first
// Load takes two seconds of one core and for their time 375 MB of memory; 10 MB
// stay. A segmenter with 100 names takes less than half a millisecond.
// A question takes 1 to 4 µs however long the text is.
//
// # What it stands on
//
// The dictionary, 587,000 simplified and traditional words, is the one embedded
// in github.com/go-ego/gse v1.0.2 (Apache-2.0; parts of it are jieba's, MIT): the
// only library in Go with a release in the last two years, the words inside, no
// cgo, no network and no files. When the program starts it fills one small table
// (70 µs). Of the 33 MB, 24 are a Japanese dictionary that its loader refers to;
// it is never read.
//
// Only the words are taken from it. The library's own segmenter keeps 195 MB,
// weighs all words again when one is added, and is changed by that; this one is
// shared by all books of a program, each with its names. A test holds that both
// divide alike.
package segment
