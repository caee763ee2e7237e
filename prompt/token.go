package prompt

import (
	"math"

	"github.com/talewright/talewright/internal/tokens"
)

// The token part counts the tokens of texts, for budgets.
//
// [TokenEstimator] needs no vocabulary and is fit for English and Chinese at the same time; exact
// counters are modules of their own, such as package tiktoken, or the host's. [TokenCache]
// remembers counts, so that the unchanged part of a history is counted once.

// TokenCounter tells how many tokens a text has. It must give the same number for
// the same text. A build calls it from one goroutine.
type TokenCounter interface {
	Count(text string) int
}

// TokenEstimator counts tokens without a vocabulary, by the kinds of characters: fit
// for English and Chinese at the same time. Against the vocabulary o200k whole
// English, Chinese, Japanese and Korean texts come out within 5 % (a long
// Chinese document 9 %), Russian 20 % high, Vietnamese 37 % high, Italian 20 %
// low, Traditional Chinese 8 % low. Pieces of 400 characters are off by 4 to 8 %
// on average. Leave 5 % of the room free when counting by estimate.
//
// It is a value, safe for concurrent use, and allocates nothing.
type TokenEstimator struct {
	// Scale multiplies the result, which is rounded up. 0 is 1. A host that
	// knows the usage reported by its provider passes "reported / estimated".
	Scale float64
}

// Count returns the estimate for text: 0 for the empty text, at least 1 for any
// other.
func (e TokenEstimator) Count(text string) int {
	n := tokens.Estimate(text)
	if n > 0 && e.Scale > 0 && e.Scale != 1 {
		// 10 at 1.1 is 11, although 10 * 1.1 is a little more in binary.
		n = max(int(math.Ceil(float64(n)*e.Scale-1e-9)), 1)
	}
	return n
}

// EstimateTokens returns the estimate of [TokenEstimator] at scale 1.
func EstimateTokens(text string) int { return TokenEstimator{}.Count(text) }
