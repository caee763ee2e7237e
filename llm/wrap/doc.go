// Package wrap has models around models. Each takes a [llm.Model] and returns one, adds
// something to it, and passes a stream on without collecting it:
//
//   - [SplitThinking] takes `<think>` blocks out of the text.
//   - [TextTools] lets models call tools that have none.
//   - [Retry] sends a request again, as long as nothing was shown yet.
//   - [Fallback] asks another model, as long as nothing was shown yet.
//   - [Rate] spreads requests, [Budget] refuses what is too much.
//   - [Cache] gives the same answer to the same request.
//   - [Log] writes a record for each reply.
//
// From the adapter outwards they stand in this order, so that a retry takes its place
// in the rate, a fallback has its own retries, and what the cache knows costs nothing:
//
//	m := wrap.TextTools(adapter, wrap.TextToolsAuto)
//	m = wrap.Retry(rate.Model(m), wrap.RetryPolicy{Random: rand.Float64})
//	m = wrap.Fallback([]wrap.Candidate{{Name: "main", Model: m}, {Name: "spare", Model: spare}})
//	m = wrap.Log(wrap.Cache(budget.Model(m), store), logger)
//
// Nothing here reads a clock or a random source, except that [RetryPolicy] without a Sleep
// function, [Rate] without its functions, and [Log] use the real clock. No goroutine is
// started. The models that are returned keep the contract of [llm.Model] if the one given
// does.
package wrap
