// Package tiktoken counts the tokens of a text exactly, with the vocabularies of
// OpenAI's models, offline. Its [Counter] is a prompt.TokenCounter:
//
//	counter, err := tiktoken.ForModel("gpt-4o-mini")
//	if err != nil {
//		return err
//	}
//	n := counter.Count("The dragon sleeps.")
//
// Most games do not need it: prompt.TokenEstimator is within 5 % on English and
// Chinese and costs nothing. Take this package where the last percents of a
// context window matter, or to find the scale of an estimator.
//
// # What is counted
//
// The tokens of the bare text, as the reference's encode_ordinary has them:
// something like <|endoftext|> in a player's line is text. The three or four
// tokens with which a provider frames each message are the caller's to add. The
// count of two texts put together is not always the sum of their counts. A byte
// that is not UTF-8 counts as U+FFFD, which encoding/json sends in its place.
//
// # What it costs
//
// The vocabularies are in the program: it grows by 12 MB, which is why this is a
// module of its own. The first counter of o200k_base takes 25 ms and 7 MB of
// memory, the next ones some microseconds. Counting runs at 10 MB/s, at 3 MB/s
// where lines hold nothing but blanks; the first such text of a counter takes
// another 35 ms and 3 MB. There is no cache here: prompt.NewTokenCache makes one
// around any counter.
//
// # What it stands on
//
// The cutting and merging is done by github.com/tiktoken-go/tokenizer: MIT, no
// cgo, no network, no files. Its compiled patterns are registered when the
// program starts; nothing else happens before the first call. In its version
// v0.10.0 they have two mistakes, which are mended here:
//
//   - White space with a line of nothing but blanks ("\n \n") is cut at its first
//     line end, not at its last: too many tokens, and quadratic time. Such texts
//     are cut by the interpreted pattern, and such white space is merged here.
//   - The character U+007F is left out. One that counts the same goes in its
//     place.
//
// A test compares all of it with byte-pair encoding written down as it is
// defined.
package tiktoken
