package wire

import (
	"context"
	"io"
	"iter"
	"math"
	"net/http"

	"github.com/talewright/talewright/llm"
)

// defaultStream is the longest body that is read where a configuration says nothing:
// events, comments and blank lines together, after decompression.
const defaultStream = 512 << 20

// Door is how replies come from a server.
type Door struct {
	Secrets   Secrets // what no error may show
	MaxStream int64   // bytes; 0 means defaultStream, negative no limit
}

// Stream sends a request when the sequence is ranged over and hands out what decode
// finds in the body of the response. It takes care of the status, the bound of the
// body, its closing, the secrets in errors, and the end of ctx, whose error goes
// before all others.
func (d Door) Stream(
	ctx context.Context, send func() (*http.Response, error), decode func(io.Reader) iter.Seq2[llm.Chunk, error],
) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		var sent *http.Request
		fail := func(err error) {
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			yield(nil, d.Secrets.and(sent).Redact(err))
		}
		if ctx.Err() != nil {
			fail(nil)
			return
		}
		response, err := send()
		if err != nil {
			fail(err)
			return
		}
		// Closing before the end drops the connection, which is how a server
		// learns that the rest is not wanted.
		defer response.Body.Close()
		sent = response.Request
		if response.StatusCode/100 != 2 {
			fail(Refusal(response))
			return
		}
		for chunk, err := range decode(Bounded(response.Body, d.MaxStream)) {
			// What the network had already delivered does not outlive the context.
			if err != nil || ctx.Err() != nil {
				fail(err)
				return
			}
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

// Bounded returns a reader of at most limit bytes, with the meaning of
// [Door.MaxStream]; see [Broken] for what it fails with.
func Bounded(in io.Reader, limit int64) io.Reader {
	switch {
	case limit == 0:
		limit = defaultStream
	case limit < 0:
		limit = math.MaxInt64
	}
	return &boundedReader{in: in, left: limit}
}
