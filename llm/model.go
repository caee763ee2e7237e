package llm

import (
	"context"
	"encoding/json"
	"iter"
	"sync/atomic"

	"github.com/talewright/talewright/internal/openjson"
)

// Model generates replies. Adapters implement this one interface.
//
// Generate sends the request when the consumer starts to range over the returned sequence. The
// sequence yields the reply chunk by chunk. The contract:
//
//   - The sequence is single-use: a second range yields an [*Error] and sends nothing ([Once] does
//     that for an adapter).
//   - It ends after a [Done] chunk, or after it has yielded one non-nil error. Nothing follows. The
//     chunk that is yielded with an error is nil.
//   - A reply without [Done] is incomplete: after the chunks that arrived, the adapter yields an
//     [*Error] that wraps io.ErrUnexpectedEOF (see [Incomplete]).
//   - Every text chunk is valid UTF-8; no character is split between two chunks.
//   - Errors are [*Error] values, with one exception: the error after a cancelled or expired ctx
//     wraps ctx.Err().
//   - When the consumer stops ranging or ctx ends, the adapter returns at once, releases its
//     connection and leaves no goroutine running.
//   - The request and all its slices belong to the caller: the adapter only reads them, and does
//     not keep them after the sequence has ended.
//   - Generate may be called concurrently.
//
// Package llmtest tests an implementation against this list.
type Model interface {
	Generate(ctx context.Context, req Request) iter.Seq2[Chunk, error]
}

// ModelFunc is an adapter that lets a function be a [Model]. The function must keep the contract of
// Model.
type ModelFunc func(ctx context.Context, req Request) iter.Seq2[Chunk, error]

// Generate calls f.
func (f ModelFunc) Generate(ctx context.Context, req Request) iter.Seq2[Chunk, error] {
	return f(ctx, req)
}

// Once makes a sequence single-use, as the contract of [Model] requires. A second range, even a
// concurrent one, yields one [*Error] with CodeInvalidRequest and does not use seq.
func Once(seq iter.Seq2[Chunk, error]) iter.Seq2[Chunk, error] {
	var used atomic.Bool
	return func(yield func(Chunk, error) bool) {
		if used.Swap(true) {
			yield(nil, &Error{
				Code:    CodeInvalidRequest,
				Message: "the reply was ranged over twice; call Generate again for a new one",
			})
			return
		}
		seq(yield)
	}
}

// Response is a whole reply: the sum of its chunks.
type Response struct {
	Message  Message      `json:"message"`
	Usage    *Usage       `json:"usage,omitempty"` // nil: not reported
	Finish   FinishReason `json:"finish,omitempty"`
	Warnings []Warning    `json:"warnings,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// MarshalJSON writes the known fields first, then the unknown fields.
func (r Response) MarshalJSON() ([]byte, error) { return openjson.Write(r) }

// UnmarshalJSON keeps unknown members in Extra. On an error the receiver does not change.
func (r *Response) UnmarshalJSON(data []byte) error { return openjson.Read(data, r) }
