package llm

import (
	"context"
	"fmt"
	"iter"
	"time"
)

// Limits bound what one reply may cost its reader. A field that is zero means its
// default, a negative one no limit.
//
// A reply is written by an untrusted party: a model that repeats itself, or a
// server that never stops, would fill the memory of the host otherwise. The
// defaults are far above what a sound reply needs.
type Limits struct {
	// Bytes bounds the text, the reasoning and its seals, the calls, the usage reports and the
	// warnings of a reply together. A part of a call, a seal, a report and a warning count
	// 64 bytes more than they hold. 0 means 8 MiB, some two million tokens.
	Bytes int
	// Calls bounds the tool calls of a reply. 0 means 1024.
	Calls int
	// First is the longest wait for the first chunk: connecting, queueing and
	// reading the prompt. 0 means 10 minutes, which is enough for a long prompt on
	// a machine without a graphics card.
	First time.Duration
	// Idle is the longest wait between two chunks. 0 means 5 minutes. The time in
	// which the consumer holds a chunk does not count.
	Idle time.Duration
}

// The defaults of [Limits].
const (
	defaultBytes = 8 << 20
	defaultCalls = 1 << 10
	defaultFirst = 10 * time.Minute
	defaultIdle  = 5 * time.Minute
)

func (l Limits) withDefaults() Limits {
	if l.Bytes == 0 {
		l.Bytes = defaultBytes
	}
	if l.Calls == 0 {
		l.Calls = defaultCalls
	}
	if l.First == 0 {
		l.First = defaultFirst
	}
	if l.Idle == 0 {
		l.Idle = defaultIdle
	}
	return l
}

// Limit returns a model whose replies keep the limits. A reply that goes beyond
// them ends with an [*Error], after what had come:
//
//   - CodeTooLarge for one that holds too much. Retry is not set: a reply that ran
//     away once tends to do it again, and each one is paid for. Set
//     [Options.MaxTokens], or raise the limit.
//   - CodeTimeout, with Retry set, for a wait that is too long. The context of the
//     model is ended then, so that its connection is released.
//
// Adapters do this by themselves, with the limits of their configuration. The
// returned model keeps the contract of [Model] if m does.
func Limit(m Model, limits Limits) Model {
	limits = limits.withDefaults()
	return ModelFunc(func(ctx context.Context, req Request) iter.Seq2[Chunk, error] {
		return Once(func(yield func(Chunk, error) bool) {
			limits.pass(ctx, m, req, yield)
		})
	})
}

// pass hands on one reply of m as far as the limits let it.
func (l Limits) pass(ctx context.Context, m Model, req Request, yield func(Chunk, error) bool) {
	w := newWatch(ctx, l.First)
	defer w.end()
	g := gauge{limits: l}
	for chunk, err := range m.Generate(w.ctx, req) {
		w.pause()
		if err == nil {
			err = g.add(chunk)
		} else {
			err = w.explain(err)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if !yield(chunk, nil) {
			return
		}
		if _, done := chunk.(Done); done {
			return
		}
		w.resume(l.Idle)
	}
	if err := w.explain(nil); err != nil {
		yield(nil, err)
	}
}

// Measure returns a counter of one reply. It is given each chunk, and refuses the one with
// which the reply would hold more than the limits let it, by an [*Error] with CodeTooLarge;
// that one is not counted. The waits of the limits do not matter. It is for one goroutine.
func (l Limits) Measure() func(Chunk) error {
	g := gauge{limits: l.withDefaults()}
	return g.add
}

// gauge measures a reply against its limits.
type gauge struct {
	limits Limits // with the defaults filled in
	bytes  int
	calls  map[int]struct{} // their indices
}

// partCost is what a chunk that is no text counts beyond its bytes: many small
// ones cost memory too.
const partCost = 64

// add counts a chunk, or refuses it with an [*Error] and counts nothing.
func (g *gauge) add(chunk Chunk) error {
	bytes := g.bytes + size(chunk)
	if g.limits.Bytes >= 0 && bytes > g.limits.Bytes {
		return tooLarge("the reply holds more than %d bytes", g.limits.Bytes)
	}
	if call, ok := chunk.(CallDelta); ok {
		if err := g.addCall(call.Index); err != nil {
			return err
		}
	}
	g.bytes = bytes
	return nil
}

// addCall counts a call once.
func (g *gauge) addCall(index int) error {
	if _, known := g.calls[index]; known {
		return nil
	}
	if g.limits.Calls >= 0 && len(g.calls) >= g.limits.Calls {
		return tooLarge("the reply holds more than %d tool calls", g.limits.Calls)
	}
	if g.calls == nil {
		g.calls = map[int]struct{}{}
	}
	g.calls[index] = struct{}{}
	return nil
}

// size is what a chunk counts.
func size(chunk Chunk) int {
	switch c := chunk.(type) {
	case TextDelta:
		return len(c.Text)
	case ReasoningDelta:
		return len(c.Text)
	case CallDelta:
		return partCost + len(c.ID) + len(c.Name) + len(c.Arguments) + len(c.Signature)
	case Seal:
		return partCost + len(c.Provider) + len(c.Signature) + len(c.Redacted)
	case Warning:
		return partCost + len(c.Code) + len(c.Detail)
	case UsageReport:
		n := partCost
		for name, raw := range c.Usage.Extra {
			n += partCost + len(name) + len(raw)
		}
		return n
	}
	return 0
}

func tooLarge(format string, args ...any) *Error {
	return &Error{Code: CodeTooLarge, Message: fmt.Sprintf(format, args...)}
}
