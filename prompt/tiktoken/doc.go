// Package tiktoken counts the tokens of a text exactly, with the vocabularies of
// OpenAI's models, offline. Its [Counter] is a prompt.TokenCounter:
//
//	counter, err := tiktoken.ForModel("gpt-4o-mini")
//	if err != nil {
//		return err
//	}
//	n := counter.Count("The dragon sleeps.")
//
// Most games do not need it: prompt.TokenEstimator is within 5 % on English and Chinese and costs
// nothing. Use this package if you need the last percents of a context window, or to find the scale
// of an estimator.
//
// # What is counted
//
// The tokens of the bare text, as with encode_ordinary of the reference implementation:
// <|endoftext|> in a player's line is ordinary text. A provider adds three or four tokens around
// each message; add them yourself. The count of two joined texts is not always the sum of their
// counts. A byte that is not UTF-8 counts as U+FFFD, which encoding/json sends instead.
//
// # What it costs
//
// The vocabularies are part of the program, which grows by 12 MB; therefore this is a separate
// module. The first counter of o200k_base takes 25 ms and 7 MB of memory, further counters some
// microseconds. Counting runs at 10 MB/s, and at 3 MB/s if lines have only blanks. The first such
// text of a counter takes 35 ms and 3 MB more. There is no cache here: prompt.NewTokenCache adds
// one to any counter.
//
// # Implementation
//
// github.com/tiktoken-go/tokenizer cuts and merges the text: MIT, no cgo, no network, no files. Its
// compiled patterns are registered at program start; nothing else happens before the first call.
// Version v0.10.0 has two mistakes, which are corrected here:
//
//   - White space with a line of only blanks ("\n \n") is cut at its first line end, not at its
//     last. That gives too many tokens and takes quadratic time. Such texts are cut by the
//     interpreted pattern, and such white space is merged here.
//   - The character U+007F is left out. A character with the same count is used instead.
//
// A test compares the counts with a direct implementation of byte-pair encoding.
package tiktoken
