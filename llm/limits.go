package llm

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"time"
)

// Limits are limits on one reply. A zero field means its default, a negative field means no limit.
//
// A reply comes from an untrusted source. Without limits, a model that repeats itself, or a server
// that never stops, would fill the memory of the host. The defaults are far above the size of a
// normal reply.
type Limits struct {
	// Bytes limits the total size of the text, the reasoning and its seals, the calls, the usage
	// reports and the warnings of a reply. Each part of a call, seal, report and warning counts as
	// 64 bytes more than its size. 0 means 8 MiB, about two million tokens.
	Bytes int
	// Calls limits the number of tool calls of a reply. 0 means 1024.
	Calls int
	// First is the longest wait for the first chunk: connecting, queueing and reading the prompt. 0
	// means 10 minutes, which is enough for a long prompt on a machine without a graphics card.
	First time.Duration
	// Idle is the longest wait between two chunks. 0 means 5 minutes. The time in which the
	// consumer processes a chunk does not count.
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
	l.Bytes = cmp.Or(l.Bytes, defaultBytes)
	l.Calls = cmp.Or(l.Calls, defaultCalls)
	l.First = cmp.Or(l.First, defaultFirst)
	l.Idle = cmp.Or(l.Idle, defaultIdle)
	return l
}

// Limit returns a model whose replies keep the limits. A reply that exceeds them ends with an
// [*Error], after the chunks that had arrived:
//
//   - CodeTooLarge for a reply that is too large. Retry is not set: a reply that was too large once
//     will probably be too large again, and each attempt is paid for. Set [Options.MaxTokens], or
//     raise the limit.
//   - CodeTimeout, with Retry set, for a wait that is too long. The context of the model is
//     cancelled, so that its connection is released.
//
// Adapters apply Limit themselves, with the limits of their configuration. The returned model keeps
// the contract of [Model] if m does.
func Limit(m Model, limits Limits) Model {
	limits = limits.withDefaults()
	return ModelFunc(func(ctx context.Context, req Request) iter.Seq2[Chunk, error] {
		return Once(func(yield func(Chunk, error) bool) {
			limits.pass(ctx, m, req, yield)
		})
	})
}

// pass yields the chunks of one reply of m, within the limits.
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

// Measure returns a function that counts the chunks of one reply. Call it with each chunk. It
// refuses a chunk that exceeds the limits, with an [*Error] with CodeTooLarge; a refused chunk is
// not counted. First and Idle are ignored. The function is not safe for concurrent use.
func (l Limits) Measure() func(Chunk) error {
	g := gauge{limits: l.withDefaults()}
	return g.add
}

// gauge measures a reply and compares it with the limits.
type gauge struct {
	limits Limits // with the defaults filled in
	bytes  int
	calls  map[int]struct{} // their indices
}

// partCost is the additional size that is counted for a chunk that is not text: many small chunks
// need memory too.
const partCost = 64

// add counts a chunk, or refuses it with an [*Error] and counts nothing.
func (g *gauge) add(chunk Chunk) error {
	bytes := g.bytes + size(chunk)
	if g.limits.Bytes >= 0 && bytes > g.limits.Bytes {
		return tooLarge("the reply has more than %d bytes", g.limits.Bytes)
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
		return tooLarge("the reply has more than %d tool calls", g.limits.Calls)
	}
	if g.calls == nil {
		g.calls = map[int]struct{}{}
	}
	g.calls[index] = struct{}{}
	return nil
}

// size returns the counted size of a chunk.
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
