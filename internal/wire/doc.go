// Package wire is the common part of the model adapters: the connection to a server, the reading of
// its event stream, and the classification of its failures. The adapters under llm contain only the
// differences of a dialect.
//
//   - [Access] checks and describes the connection settings of a configuration, and lists its
//     [Secrets].
//   - [Stream] converts a sent request to a sequence that keeps the contract of llm.Model: context,
//     status, limits, secrets.
//   - [Capture] lets an SDK send a request and takes the response before the SDK reads it.
//   - [Events] reads the event stream. [Emitter] passes the content that a dialect found in it to the
//     consumer.
//   - [Refusal] and [Reported] convert failures to errors.
//   - [LimitStops] cuts a reply at stop texts that the server does not accept.
//   - [Unquote] and [RuneJoiner] join characters that were split.
//
// It uses the network only through clients that it is given.
package wire
