package storetest

import (
	"context"
	"iter"
	"slices"

	"github.com/talewright/talewright/llm"
)

// ReplyFault describes what goes wrong with a call of a model. The zero ReplyFault is no fault.
type ReplyFault struct {
	// Wait is called after WaitAt chunks, at the latest at the end of the reply. Its error is the
	// error of the call. It may block until its context ends.
	Wait   func(ctx context.Context) error
	WaitAt int
	// Before is the error of a call that does not reach the model.
	Before error
	// Again repeats the last complete reply, with its calls and their IDs, without a call of the
	// model. If there is no such reply, the model is asked.
	Again bool
	// Change replaces a complete reply. It may modify its argument.
	Change func(llm.Chunks) llm.Chunks
	// Breaks ends the reply after Cut chunks, at the latest before its end mark. The error is
	// After. A nil After ends the reply without an error, which no real model may do.
	Breaks bool
	Cut    int
	After  error
}

// FaultyModel is an [llm.Model] whose calls go wrong. A changed reply is read to its end before its
// first chunk is yielded. Other replies are streamed. It is safe for concurrent use if the model
// inside is. Concurrent calls are numbered in the order in which iteration over them begins.
type FaultyModel struct {
	llm.Model
	// Plan returns the fault of a call; nil: no faults. It is called for one call at a time.
	Plan func(FaultCall) ReplyFault

	count     counter
	lastReply llm.Chunks // the last complete reply; guarded by the lock of count
}

// Wrong returns the number of faulty calls.
func (m *FaultyModel) Wrong() int64 { return m.count.faultyCalls() }

// Generate implements [llm.Model].
func (m *FaultyModel) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return llm.Once(func(yield func(llm.Chunk, error) bool) {
		f, wrong := m.nextFault()
		if !wrong {
			m.streamAndKeep(m.Model.Generate(ctx, req), yield)
			return
		}
		m.yieldWithFault(ctx, req, f, yield)
	})
}

// nextFault numbers a call and returns its fault, if it has one.
func (m *FaultyModel) nextFault() (f ReplyFault, wrong bool) {
	m.count.mu.Lock()
	defer m.count.mu.Unlock()
	c := FaultCall{Op: onGenerate, N: m.count.nextNumber(onGenerate)}
	if m.Plan != nil {
		f = m.Plan(c)
	}
	wrong = f.Wait != nil || f.Before != nil || f.Again || f.Change != nil || f.Breaks
	if wrong {
		m.count.faulty++
	}
	return f, wrong
}

// streamAndKeep streams a reply, and keeps it for ReplyFault.Again if it is complete.
func (m *FaultyModel) streamAndKeep(reply iter.Seq2[llm.Chunk, error], yield func(llm.Chunk, error) bool) {
	var list llm.Chunks
	for chunk, err := range reply {
		if list = append(list, chunk); err == nil {
			m.keepComplete(list)
		}
		if !yield(chunk, err) || err != nil {
			return
		}
	}
}

// keepComplete keeps a reply that has its end mark.
func (m *FaultyModel) keepComplete(list llm.Chunks) {
	if !isComplete(list) {
		return
	}
	m.count.mu.Lock()
	defer m.count.mu.Unlock()
	m.lastReply = slices.Clone(list)
}

// isComplete reports whether a reply has its end mark.
func isComplete(list llm.Chunks) bool {
	if len(list) == 0 {
		return false
	}
	_, is := list[len(list)-1].(llm.Done)
	return is
}

// yieldWithFault yields a reply with its fault.
func (m *FaultyModel) yieldWithFault(ctx context.Context, req llm.Request, f ReplyFault, yield func(llm.Chunk, error) bool) {
	waits := f.Wait != nil // it has not waited yet
	// wait waits once. It reports whether the wait has ended the reply with an error.
	wait := func() bool {
		waits = false
		err := f.Wait(ctx)
		if err != nil {
			yield(nil, err)
		}
		return err != nil
	}
	// endsAfter does what the fault does after n chunks. end reports whether the model has no more. It
	// reports whether the fault has ended the reply.
	endsAfter := func(n int, end bool) bool {
		if waits && (n >= f.WaitAt || end) && wait() {
			return true
		}
		if !f.Breaks || n < f.Cut && !end {
			return false
		}
		if f.After != nil {
			yield(nil, f.After)
		}
		return true
	}
	if waits && f.WaitAt <= 0 && wait() {
		return
	}
	if f.Before != nil {
		yield(nil, f.Before)
		return
	}
	n := 0
	for chunk, err := range m.reply(ctx, req, f) {
		_, done := chunk.(llm.Done)
		if endsAfter(n, done || err != nil) {
			return
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			yield(nil, err)
			return
		}
		if n++; !yield(chunk, nil) || done {
			return
		}
	}
	endsAfter(n, true)
}

// reply returns the reply of the model inside, or its replacement.
func (m *FaultyModel) reply(ctx context.Context, req llm.Request, f ReplyFault) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		m.count.mu.Lock()
		last := slices.Clone(m.lastReply)
		m.count.mu.Unlock()
		generated := func(yield func(llm.Chunk, error) bool) { m.streamAndKeep(m.Model.Generate(ctx, req), yield) }
		repeats := f.Again && last != nil
		if !repeats && f.Change == nil {
			generated(yield)
			return
		}
		list := last
		if !repeats {
			list = nil
			for chunk, err := range generated {
				if err != nil {
					yield(nil, err)
					return
				}
				list = append(list, chunk)
			}
		}
		if f.Change != nil {
			list = f.Change(list)
		}
		for _, chunk := range list {
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

// Doubled returns a reply that was delivered twice: every text appears twice, and every call
// appears twice with the same ID. Use it as [ReplyFault].Change.
func Doubled(list llm.Chunks) llm.Chunks {
	calls := 0
	for _, chunk := range list {
		if call, is := chunk.(llm.CallDelta); is {
			calls = max(calls, call.Index+1)
		}
	}
	out := slices.Clone(list)
	if isComplete(list) {
		out = out[:len(out)-1]
	}
	for _, chunk := range list {
		if call, is := chunk.(llm.CallDelta); is {
			call.Index += calls
			chunk = call
		}
		out = append(out, chunk)
	}
	return out
}

// Garbling is a way to make a reply unreadable or malformed.
//
//   - empty: nothing except the end mark
//   - text: bytes that are not characters, and invisible characters
//   - arguments: the JSON of a call's arguments ends in the middle
//   - odd: the JSON of a call's arguments has a different shape
//   - unknown: a call of a tool that does not exist
//   - nameless: a call without name and ID
//   - scattered: the indexes of calls are far apart, and some are negative
//   - endless: the same text repeated, 64 KiB in total
type Garbling string

const (
	replyEmpty            Garbling = "empty"
	replyBrokenText       Garbling = "text"
	replyBrokenArguments  Garbling = "arguments"
	replyOddArguments     Garbling = "odd"
	replyUnknownCall      Garbling = "unknown"
	replyNamelessCall     Garbling = "nameless"
	replyScatteredIndexes Garbling = "scattered"
	replyEndless          Garbling = "endless"
)

// Garblings returns all garblings, in the order of their constants.
func Garblings() []Garbling {
	return []Garbling{replyEmpty, replyBrokenText, replyBrokenArguments, replyOddArguments, replyUnknownCall, replyNamelessCall, replyScatteredIndexes, replyEndless}
}

// Change garbles a reply; use it as [ReplyFault].Change. An unknown Garbling changes nothing.
func (g Garbling) Change(list llm.Chunks) llm.Chunks {
	var end llm.Chunks
	if isComplete(list) {
		list, end = slices.Clip(list[:len(list)-1]), list[len(list)-1:]
	}
	switch g {
	case replyEmpty:
		list = nil
	case replyBrokenText:
		list = append(llm.Chunks{llm.TextDelta{Text: "\xff\xfe\x00\u202e\u200b\ufeff"}}, append(list, llm.TextDelta{Text: "\xf0\x9f\x98"})...)
	case replyUnknownCall:
		list = append(list, llm.CallDelta{Index: 900, ID: "call_900", Name: "no_such_tool", Arguments: `{}`})
	case replyNamelessCall:
		list = append(list, llm.CallDelta{Index: 900, Arguments: `{"target":"nobody"}`})
	case replyEndless:
		for range 1 << 10 {
			list = append(list, llm.TextDelta{Text: "and on and on and on and on and on and on and on and on and on. "})
		}
	default:
		list = garbleCalls(list, g)
	}
	return append(slices.Clip(list), end...)
}

// garbleCalls garbles the calls of a reply.
func garbleCalls(list llm.Chunks, g Garbling) llm.Chunks {
	for i, chunk := range list {
		call, is := chunk.(llm.CallDelta)
		if !is {
			continue
		}
		switch g {
		case replyBrokenArguments:
			call.Arguments = call.Arguments[:len(call.Arguments)/2]
		case replyOddArguments:
			call.Arguments = `[[],{"":null},-1e400,"\ud800"]`
		case replyScatteredIndexes:
			call.Index = -(call.Index + 1) << 20
		}
		list[i] = call
	}
	return list
}
