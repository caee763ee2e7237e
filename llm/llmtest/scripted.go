package llmtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
)

// ErrScriptEnded is the cause of a [Scripted] model's error for a request after the end of its
// script.
var ErrScriptEnded = errors.New("llmtest: the script has ended")

// Scripted is a model that answers from a list of replies, in order, and records its requests. The
// zero value has an empty script. It is safe for concurrent use. Concurrent requests get their
// replies in the order in which the consumers start to range over them.
//
// Calls without an ID get an ID that is made of the number of the request and of the call, for
// example "call_2_1".
type Scripted struct {
	mu       sync.Mutex
	script   []Reply
	requests []llm.Request
	next     int
}

// NewScripted returns a model that returns these replies.
func NewScripted(script ...Reply) *Scripted {
	s := &Scripted{}
	s.Add(script...)
	return s
}

// Add appends replies to the script.
func (s *Scripted) Add(script ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, script...)
}

// Requests returns copies of the requests so far, in the order of their replies. A request whose
// context had already ended is not included; a request after the end of the script is.
func (s *Scripted) Requests() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]llm.Request, len(s.requests))
	for i, req := range s.requests {
		out[i] = req.Clone()
	}
	return out
}

// Remaining returns the number of replies that were not requested. A test checks at its end that it
// is 0.
func (s *Scripted) Remaining() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.script) - s.next
}

// Generate returns the next reply of the script. The request counts when the consumer ranges over
// the sequence. When the script has ended, it yields an [*llm.Error] that wraps [ErrScriptEnded]
// and names the request.
func (s *Scripted) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return once(ctx, func() (Reply, error) { return s.take(req) })
}

// once returns the sequence of the reply that take returns when the sequence is ranged over.
func once(ctx context.Context, take func() (Reply, error)) iter.Seq2[llm.Chunk, error] {
	return llm.Once(func(yield func(llm.Chunk, error) bool) {
		err := ctx.Err()
		var reply Reply
		if err == nil {
			reply, err = take()
		}
		if err != nil {
			yield(nil, err)
			return
		}
		play(ctx, reply, yield)
	})
}

// take records the request and returns its reply.
func (s *Scripted) take(req llm.Request) (Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req.Clone())
	if s.next == len(s.script) {
		return Reply{}, &llm.Error{
			Code: llm.CodeInvalidRequest,
			Message: fmt.Sprintf("request %d has no reply, the script has %d; %s",
				len(s.requests), len(s.script), describe(req)),
			Err: ErrScriptEnded,
		}
	}
	reply := s.script[s.next]
	s.next++
	// The script does not change: ids are set in a copy.
	calls := make([]llm.ToolCall, len(reply.Calls))
	for i, call := range reply.Calls {
		if call.ID == "" {
			call.ID = fmt.Sprintf("call_%d_%d", s.next, i+1)
		}
		calls[i] = call
	}
	reply.Calls = calls
	return reply, nil
}

// play streams the reply. The context is checked before each chunk.
func play(ctx context.Context, reply Reply, yield func(llm.Chunk, error) bool) {
	stream := reply.Stream()
	gate := reply.gateAt(stream)
	for i := 0; ; i++ {
		if i == gate {
			if err := reply.Gate.Wait(ctx); err != nil {
				yield(nil, err)
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		if i == len(stream) {
			break
		}
		if !yield(stream[i], nil) {
			return
		}
		if _, done := stream[i].(llm.Done); done {
			return
		}
	}
	if reply.Err != nil {
		yield(nil, reply.Err)
		return
	}
	yield(nil, llm.Incomplete("the scripted reply was cut"))
}

func describe(req llm.Request) string {
	if len(req.Messages) == 0 {
		return "it has no messages"
	}
	last := req.Messages[len(req.Messages)-1]
	return fmt.Sprintf("the last of its %d message(s) is %s: %q",
		len(req.Messages), last.Role, utf8text.Clip(last.Text, 200))
}
