// Package wire holds what the adapters of models have in common: the way to a
// server, the reading of its event stream, and the words of its failures. The
// adapters under llm say what is particular about a dialect, and nothing else.
//
//   - [Access] checks and describes what a configuration says about a server, and
//     lists its [Secrets].
//   - [Door] turns a sent request into a sequence that keeps the contract of
//     llm.Model: context, status, bounds, secrets.
//   - [Take] lets an SDK send a request and takes the response before the SDK reads it.
//   - [Events] reads the event stream, [Sink] hands out what a dialect found in it.
//   - [Refusal] and [Reported] read failures.
//   - [Unquote] and [Stitcher] keep characters whole that were cut in two.
//
// It touches the network only through clients that it is given.
package wire
