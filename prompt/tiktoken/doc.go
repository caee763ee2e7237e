// Package tiktoken counts the tokens of a text exactly, with the vocabularies of
// OpenAI's models, offline. Its [Counter] is a prompt.Counter:
//
//	counter, err := tiktoken.ForModel("gpt-4o-mini")
//	if err != nil {
//		return err
//	}
//	n := counter.Count("The dragon sleeps.")
//
// Most games do not need it: prompt.Estimator is within 5 % on English and
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
// The vocabularies are in the program: it grows by 12.5 MB, which is why this is
// a module of its own. The first counter of o200k_base takes 20 ms and 6 MB of
// memory, the next ones some microseconds. Counting runs at 5 to 15 MB/s. There
// is no cache here: prompt.NewCountCache makes one around any counter.
//
// # What it stands on
//
// The merges are done by github.com/tiktoken-go/tokenizer: MIT, no cgo, no
// network, no files. Its version v0.10.0 cuts white space that holds a line of
// nothing but blanks ("\n \n") at the first instead of the last line end, which
// gives too many tokens, and takes quadratic time on many of them. Such texts
// are cut and such pieces merged here; a test compares both ways with a slow
// implementation. One package of it registers its compiled patterns when the
// program starts; nothing else happens before the first call.
package tiktoken
