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

// exchange is one line of a recording. Request stays as its bytes, because they
// are the key.
type exchange struct {
	Request json.RawMessage `json:"request"`
	// Chunks ends with Done unless Err stands in its place.
	Chunks llm.Chunks `json:"chunks"`
	Err    *llm.Error `json:"error,omitempty"`
}

// key is the canonical form of a request: equal requests have equal bytes.
func key(req llm.Request) ([]byte, error) { return openjson.Marshal(req) }

// Recorder is a model that passes everything to another one and takes notes. It
// is safe for concurrent use if that model is.
type Recorder struct {
	model llm.Model

	mu   sync.Mutex
	done []*exchange // in the order of the requests; nil: not finished
}

// NewRecorder returns a recorder around model.
func NewRecorder(model llm.Model) *Recorder { return &Recorder{model: model} }

// Generate passes the request on and notes it with its reply. A reply that
// ended because ctx did, or that the consumer did not read to its end, is not
// noted: it is not what the model had to say. A request that cannot be encoded
// is an [*llm.Error] and is not sent.
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
			// Done is noted before it is handed out: consumers may stop at it.
			if _, done := chunk.(llm.Done); done {
				r.keep(place, note)
			}
			if !yield(chunk, nil) {
				return
			}
		}
	})
}

// Bytes returns the recording so far: one JSON object per line, in the order of
// the requests. It is what [NewPlayer] reads, and fit for a file under version
// control.
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

// reserve takes the next place, so that concurrent replies are kept in the order
// in which their requests began.
func (r *Recorder) reserve() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = append(r.done, nil)
	return len(r.done) - 1
}

// keep puts a finished exchange at its place.
func (r *Recorder) keep(place int, note *exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done[place] = note
}

// asError returns the *llm.Error of a failure, or makes one of it.
func asError(err error) *llm.Error {
	if failure, ok := errors.AsType[*llm.Error](err); ok {
		return failure
	}
	return &llm.Error{Code: llm.CodeUnknown, Err: err}
}
