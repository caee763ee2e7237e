// Package token counts the tokens of texts, for budgets.
//
// [Estimator] needs no vocabulary and is fit for English and Chinese at the same time; exact
// counters are modules of their own, such as package tiktoken, or the host's. [Cache]
// remembers counts, so that the unchanged part of a history is counted once.
package token
