package storetest

import (
	"context"
	"iter"
	"slices"

	"github.com/talewright/talewright/llm"
)

// ReplyFault is what goes wrong with a call of a model. The zero ReplyFault is nothing.
type ReplyFault struct {
	// Wait is called when WaitAt chunks have been handed out, at the latest at the end of the reply;
	// its error is that of the call. It may block until its context ends.
	Wait   func(ctx context.Context) error
	WaitAt int
	// Before is the error of a call for which the model is not asked.
	Before error
	// Again says that the last whole reply comes once more, with its calls and their ids, and the
	// model is not asked, unless there was none.
	Again bool
	// Change is given a reply when it is there, and returns what comes in its place; what it was
	// given it may change.
	Change func(llm.Chunks) llm.Chunks
	// Breaks says that the reply ends after Cut chunks, at the latest before its end mark: with the
	// error After, or without one as no model may.
	Breaks bool
	Cut    int
	After  error
}

// FaultyModel is an [llm.Model] whose calls go wrong. A reply that is changed is read to its end before it
// is handed out; others pass through as they come. It is safe for concurrent use if the model inside
// is; concurrent calls are numbered in the order in which they are first ranged over.
type FaultyModel struct {
	llm.Model
	// Plan says what goes wrong with a call; nil: nothing. It is called for one call at a time.
	Plan func(FaultCall) ReplyFault

	count counter
	last  llm.Chunks // the whole reply before; guarded by the lock of count
}

// Wrong is the number of calls with which something went wrong.
func (m *FaultyModel) Wrong() int64 { return m.count.all() }

// Generate implements [llm.Model].
func (m *FaultyModel) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return llm.Once(func(yield func(llm.Chunk, error) bool) {
		f, wrong := m.plan()
		if !wrong {
			m.pass(m.Model.Generate(ctx, req), yield)
			return
		}
		m.play(ctx, req, f, yield)
	})
}

func (m *FaultyModel) plan() (f ReplyFault, wrong bool) {
	m.count.mu.Lock()
	defer m.count.mu.Unlock()
	c := FaultCall{Op: OnGenerate, N: m.count.number(OnGenerate)}
	if m.Plan != nil {
		f = m.Plan(c)
	}
	wrong = f.Wait != nil || f.Before != nil || f.Again || f.Change != nil || f.Breaks
	if wrong {
		m.count.wrong++
	}
	return f, wrong
}

// pass hands a reply out as it comes, and keeps it if it is whole.
func (m *FaultyModel) pass(reply iter.Seq2[llm.Chunk, error], yield func(llm.Chunk, error) bool) {
	var list llm.Chunks
	for chunk, err := range reply {
		if list = append(list, chunk); err == nil {
			m.keep(list)
		}
		if !yield(chunk, err) || err != nil {
			return
		}
	}
}

// keep keeps a reply that has come to its end mark.
func (m *FaultyModel) keep(list llm.Chunks) {
	if !ended(list) {
		return
	}
	m.count.mu.Lock()
	defer m.count.mu.Unlock()
	m.last = slices.Clone(list)
}

// ended reports whether a reply has its end mark.
func ended(list llm.Chunks) bool {
	if len(list) == 0 {
		return false
	}
	_, is := list[len(list)-1].(llm.Done)
	return is
}

// play hands out a reply with its fault.
func (m *FaultyModel) play(ctx context.Context, req llm.Request, f ReplyFault, yield func(llm.Chunk, error) bool) {
	waits := f.Wait != nil
	// late waits, once, and reports whether the reply ends with it.
	late := func() bool {
		waits = false
		err := f.Wait(ctx)
		if err != nil {
			yield(nil, err)
		}
		return err != nil
	}
	// halt does what is to be done behind n chunks, and reports whether the reply is over with it.
	halt := func(n int, end bool) bool {
		if waits && (n >= f.WaitAt || end) && late() {
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
	if waits && f.WaitAt <= 0 && late() {
		return
	}
	if f.Before != nil {
		yield(nil, f.Before)
		return
	}
	n := 0
	for chunk, err := range m.reply(ctx, req, f) {
		_, done := chunk.(llm.Done)
		if halt(n, done || err != nil) {
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
	halt(n, true)
}

// reply is what the model inside says, or what comes in its place.
func (m *FaultyModel) reply(ctx context.Context, req llm.Request, f ReplyFault) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		m.count.mu.Lock()
		before := slices.Clone(m.last)
		m.count.mu.Unlock()
		asked := func(yield func(llm.Chunk, error) bool) { m.pass(m.Model.Generate(ctx, req), yield) }
		if again := f.Again && before != nil; f.Change == nil && !again {
			asked(yield)
			return
		} else if !again {
			before = nil
			for chunk, err := range asked {
				if err != nil {
					yield(nil, err)
					return
				}
				before = append(before, chunk)
			}
		}
		if f.Change != nil {
			before = f.Change(before)
		}
		for _, chunk := range before {
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

// Doubled is a reply that was delivered twice: its texts stand there twice, and its calls, with the
// same ids, are two each. It serves as [ReplyFault.Change].
func Doubled(list llm.Chunks) llm.Chunks {
	calls := 0
	for _, chunk := range list {
		if call, is := chunk.(llm.CallDelta); is {
			calls = max(calls, call.Index+1)
		}
	}
	out := slices.Clone(list)
	if ended(list) {
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

// Garbling is a way in which a reply cannot be read, or not well.
type Garbling string

// The ways.
const (
	ReplyEmpty            Garbling = "empty"     // nothing but the end mark
	ReplyBrokenText       Garbling = "text"      // bytes that are no characters, and characters that nobody sees
	ReplyBrokenArguments  Garbling = "arguments" // of calls: the JSON ends in the middle
	ReplyOddArguments     Garbling = "odd"       // of calls: JSON of another shape
	ReplyUnknownCall      Garbling = "unknown"   // a call of a tool that is not there
	ReplyNamelessCall     Garbling = "nameless"  // a call without name and id
	ReplyScatteredIndexes Garbling = "scattered" // the places of calls are far apart and below zero
	ReplyEndless          Garbling = "endless"   // the text says the same over and over, 64 KiB of it
)

// Garblings are all ways, in the order of their constants.
func Garblings() []Garbling {
	return []Garbling{ReplyEmpty, ReplyBrokenText, ReplyBrokenArguments, ReplyOddArguments, ReplyUnknownCall, ReplyNamelessCall, ReplyScatteredIndexes, ReplyEndless}
}

// Change spoils a reply; it serves as [ReplyFault.Change]. A Garbling that is none of the constants
// changes nothing.
func (g Garbling) Change(list llm.Chunks) llm.Chunks {
	var end llm.Chunks
	if ended(list) {
		list, end = slices.Clip(list[:len(list)-1]), list[len(list)-1:]
	}
	switch g {
	case ReplyEmpty:
		list = nil
	case ReplyBrokenText:
		list = append(llm.Chunks{llm.TextDelta{Text: "\xff\xfe\x00\u202e\u200b\ufeff"}}, append(list, llm.TextDelta{Text: "\xf0\x9f\x98"})...)
	case ReplyUnknownCall:
		list = append(list, llm.CallDelta{Index: 900, ID: "call_900", Name: "no_such_tool", Arguments: `{}`})
	case ReplyNamelessCall:
		list = append(list, llm.CallDelta{Index: 900, Arguments: `{"target":"nobody"}`})
	case ReplyEndless:
		for range 1 << 10 {
			list = append(list, llm.TextDelta{Text: "and on and on and on and on and on and on and on and on and on. "})
		}
	default:
		list = eachCall(list, g)
	}
	return append(slices.Clip(list), end...)
}

// eachCall spoils the calls of a reply.
func eachCall(list llm.Chunks, g Garbling) llm.Chunks {
	for i, chunk := range list {
		call, is := chunk.(llm.CallDelta)
		if !is {
			continue
		}
		switch g {
		case ReplyBrokenArguments:
			call.Arguments = call.Arguments[:len(call.Arguments)/2]
		case ReplyOddArguments:
			call.Arguments = `[[],{"":null},-1e400,"\ud800"]`
		case ReplyScatteredIndexes:
			call.Index = -(call.Index + 1) << 20
		}
		list[i] = call
	}
	return list
}
