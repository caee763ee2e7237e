package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
)

// exchange is one line of a recording. Request is stored as bytes, because they are the key.
type exchange struct {
	Request json.RawMessage `json:"request"`
	// Chunks ends with Done unless there is an Err.
	Chunks llm.Chunks `json:"chunks"`
	Err    *llm.Error `json:"error,omitempty"`
}

// key returns the canonical form of a request: equal requests have equal bytes.
func key(req llm.Request) ([]byte, error) { return openjson.Marshal(req) }

// Recorder is a model that passes every request to a different model and records it. It is safe for
// concurrent use if that model is.
type Recorder struct {
	model llm.Model

	mu   sync.Mutex
	done []*exchange // in the order of the requests; nil: not finished
}

// NewRecorder returns a recorder around model.
func NewRecorder(model llm.Model) *Recorder { return &Recorder{model: model} }

// Generate passes the request on and records it with its reply. It does not record an incomplete
// reply: a reply that ended because ctx ended, or that the consumer did not read to its end. A
// request that cannot be encoded is an [*llm.Error] and is not sent.
func (r *Recorder) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return llm.Once(func(yield func(llm.Chunk, error) bool) {
		request, err := key(req)
		if err != nil {
			yield(nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: err})
			return
		}
		place := r.reserve()
		note := &exchange{Request: request, Chunks: llm.Chunks{}}
		for chunk, err := range r.model.Generate(ctx, req) {
			if err != nil {
				if ctx.Err() == nil {
					note.Err = asError(err)
					r.keep(place, note)
				}
				yield(nil, err)
				return
			}
			note.Chunks = append(note.Chunks, chunk)
			// Done is recorded before it is passed on: consumers may stop at it.
			if _, done := chunk.(llm.Done); done {
				r.keep(place, note)
			}
			if !yield(chunk, nil) {
				return
			}
		}
	})
}

// Bytes returns the recording so far: one JSON object per line, in the order of the requests.
// [NewPlayer] reads it. It is suitable for a file under version control.
func (r *Recorder) Bytes() ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out bytes.Buffer
	for _, note := range r.done {
		if note == nil {
			continue
		}
		line, err := openjson.Marshal(note)
		if err != nil {
			return nil, fmt.Errorf("llmtest: recording: %w", err)
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

// reserve reserves the next index, so that concurrent replies are stored in the order in which
// their requests began.
func (r *Recorder) reserve() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = append(r.done, nil)
	return len(r.done) - 1
}

// keep stores a finished exchange at its index.
func (r *Recorder) keep(place int, note *exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done[place] = note
}

// asError returns the *llm.Error of a failure, or wraps the failure in one.
func asError(err error) *llm.Error {
	if failure, ok := errors.AsType[*llm.Error](err); ok {
		return failure
	}
	return &llm.Error{Code: llm.CodeUnknown, Err: err}
}
