package wire

import (
	"cmp"
	"context"
	"io"
	"iter"
	"math"
	"net/http"
	"time"

	"github.com/talewright/talewright/llm"
)

// defaultStream is the longest body that is read if a configuration sets no limit, in bytes after
// decompression, including comments and blank lines.
const defaultStream = 512 << 20

// Stream reads replies from a server.
type Stream struct {
	Secrets   Secrets // texts that no error may show
	MaxStream int64   // bytes; 0 means defaultStream, negative no limit
	// Idle is the consumer's limit on the wait between two chunks, as in [llm.Limits]. The grace of
	// [Events.Complete] is at most half of it.
	Idle time.Duration
}

// longestGrace is how long a reply with its end mark is read while no event arrives.
const longestGrace = 10 * time.Second

// grace returns how long a complete reply is read while no event arrives.
func (d Stream) grace() time.Duration {
	if d.Idle > 0 {
		return min(longestGrace, d.Idle/2)
	}
	return longestGrace
}

// Chunks sends a request when the consumer ranges over the sequence, and yields the chunks that
// decode finds in the body of the response. It checks the status, limits and closes the body, and
// hides secrets in errors. If ctx ends, its error takes precedence over all others.
func (d Stream) Chunks(
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
		// Closing the body before its end drops the connection. So the server learns that the rest
		// is not wanted.
		defer response.Body.Close()
		sent = response.Request
		if response.StatusCode/100 != 2 {
			fail(Refusal(response))
			return
		}
		body := bounded(response.Body, d.MaxStream)
		body.grace = d.grace()
		defer body.stop()
		for chunk, err := range decode(body) {
			// Chunks that the network had already delivered are dropped when the context ends.
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

// After returns a Stream for the next body of the same reply. The limit applies to all bodies
// together.
func (d Stream) After(read int64) Stream {
	d.MaxStream = cmp.Or(d.MaxStream, defaultStream)
	if d.MaxStream > 0 {
		d.MaxStream = max(d.MaxStream-read, 1)
	}
	return d
}

// Bounded returns a reader of at most limit bytes; limit has the meaning of [Stream.MaxStream]. See
// [Broken] for its errors.
func Bounded(in io.Reader, limit int64) io.Reader { return bounded(in, limit) }

func bounded(in io.Reader, limit int64) *boundedReader {
	switch {
	case limit == 0:
		limit = defaultStream
	case limit < 0:
		limit = math.MaxInt64
	}
	return &boundedReader{in: in, left: limit}
}

// Emitter passes the chunks of one reply to its consumer. Nothing follows the end of the reply, or
// a stop by the consumer. Incomplete characters at the end of a text wait for the next chunk.
type Emitter struct {
	Yield   func(llm.Chunk, error) bool
	stopped bool

	text, reasoning RuneJoiner
}

// Stopped reports whether the reply has ended or the consumer has stopped.
func (s *Emitter) Stopped() bool { return s.stopped }

// Text passes on a piece of the text: a JSON string; null and absent are empty.
func (s *Emitter) Text(literal Value) error {
	text, err := s.text.PushJSON(literal)
	if text != "" {
		s.Emit(llm.TextDelta{Text: text})
	}
	return err
}

// Reasoning passes on a piece of the thinking, as [Emitter.Text] does.
func (s *Emitter) Reasoning(literal Value) error {
	text, err := s.reasoning.PushJSON(literal)
	if text != "" {
		s.Emit(llm.ReasoningDelta{Text: text})
	}
	return err
}

// Emit passes on a chunk. It skips empty parts of calls.
func (s *Emitter) Emit(chunk llm.Chunk) {
	if call, ok := chunk.(llm.CallDelta); ok && call == (llm.CallDelta{Index: call.Index}) {
		return
	}
	s.stopped = s.stopped || !s.Yield(chunk, nil)
}

// Flush passes on incomplete characters as replacement characters.
func (s *Emitter) Flush() {
	if text := s.reasoning.End(); text != "" {
		s.Emit(llm.ReasoningDelta{Text: text})
	}
	if text := s.text.End(); text != "" {
		s.Emit(llm.TextDelta{Text: text})
	}
}

// Fail ends the reply with an error, after the chunks that had arrived.
func (s *Emitter) Fail(err error) {
	s.Flush()
	if !s.stopped {
		s.stopped = true
		s.Yield(nil, err)
	}
}

// Done ends the reply successfully.
func (s *Emitter) Done(reason llm.FinishReason) {
	s.Flush()
	if !s.stopped {
		s.stopped = true
		s.Yield(llm.Done{Reason: reason}, nil)
	}
}
