// Package wrap contains middlewares for models. Each takes a [llm.Model] and returns a model with
// an additional function. It passes a stream on without collecting it:
//
//   - [SplitThinking] moves `<think>` blocks from the text to the reasoning.
//   - [TextTools] lets models call tools without native tool support.
//   - [Retry] sends a failed request again, as long as nothing was shown yet.
//   - [Fallback] asks the next model, as long as nothing was shown yet.
//   - [Rate] delays requests above a rate; [Budget] refuses requests above a budget.
//   - [Cache] gives the same answer to the same request.
//   - [Log] writes a record for each reply.
//
// Use them in this order, from the adapter outwards. Then the rate includes retries, each fallback
// has its own retries, and a cached reply costs nothing:
//
//	m := wrap.TextTools(adapter, wrap.TextToolsAuto)
//	m = wrap.Retry(rate.Model(m), wrap.RetryPolicy{Random: rand.Float64})
//	m = wrap.Fallback([]wrap.Candidate{{Name: "main", Model: m}, {Name: "spare", Model: spare}})
//	m = wrap.Log(wrap.Cache(budget.Model(m), store), logger)
//
// This package reads no clock and no random source, with these exceptions: [RetryPolicy] without a
// Sleep function, [Rate] without its functions, and [Log] use the real clock. It starts no
// goroutine. The returned models keep the contract of [llm.Model] if the given model does.
package wrap
