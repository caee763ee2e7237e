package llm

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
)

// Collect reads a whole reply and returns the sum of its chunks, within the default [Limits].
//
// When the sequence yields an error, Collect returns the chunks before it together with that error.
// A sequence that ends without [Done] and without an error counts as incomplete: a short reply is
// never reported as a success. If the reply exceeds the limits, the error is an [*Error] with
// CodeTooLarge.
func Collect(seq iter.Seq2[Chunk, error]) (Response, error) {
	return Limits{}.Collect(seq)
}

// Collect is like the function [Collect], with different limits. It ignores First and Idle: only a
// model can stop waiting, see [Limit].
func (l Limits) Collect(seq iter.Seq2[Chunk, error]) (Response, error) {
	c := Collector{Limits: l}
	for chunk, err := range seq {
		if err == nil {
			err = c.Add(chunk)
		}
		if err != nil {
			return c.Response(), err
		}
	}
	if !c.Complete() {
		return c.Response(), Incomplete("the stream ended without an end mark")
	}
	return c.Response(), nil
}

// Collector sums up a reply while it is being shown. Use it instead of [Collect] if every chunk is
// also passed on. The zero value is an empty reply. A Collector is not safe for concurrent use and
// must not be copied.
type Collector struct {
	// Limits are the limits of the reply; see [Collector.Add]. First and Idle are ignored.
	Limits Limits

	gauge           gauge
	text, reasoning strings.Builder
	thoughts        []Thought
	sealed          int            // number of bytes of the reasoning that are already in thoughts
	calls           []*growingCall // in the order of their first delta
	byIndex         map[int]*growingCall
	usage           *Usage
	finish          FinishReason
	warnings        []Warning
	complete        bool
}

type growingCall struct {
	index     int
	id, name  string
	signature string
	arguments strings.Builder
}

// Add adds the next chunk of the reply:
//
//  1. Text and reasoning are appended, each to its own text.
//  2. Deltas of one call have the same Index. The first non-empty ID, Name and Signature are kept,
//     and the Arguments are appended.
//  3. A seal makes a [Thought] of the reasoning since the last seal.
//  4. The last usage report and the last finish reason count.
//  5. Warnings are kept in order.
//
// A nil chunk does nothing. A chunk that exceeds the limits is refused with an [*Error] with
// CodeTooLarge, and the reply does not change.
func (c *Collector) Add(chunk Chunk) error {
	c.gauge.limits = c.Limits.withDefaults()
	if err := c.gauge.add(chunk); err != nil {
		return err
	}
	switch chunk := chunk.(type) {
	case TextDelta:
		c.text.WriteString(chunk.Text)
	case ReasoningDelta:
		c.reasoning.WriteString(chunk.Text)
	case Seal:
		c.thoughts = append(c.thoughts, Thought{
			Provider: chunk.Provider, Text: c.reasoning.String()[c.sealed:],
			Signature: chunk.Signature, Redacted: chunk.Redacted,
		})
		c.sealed = c.reasoning.Len()
	case CallDelta:
		c.addCall(chunk)
	case UsageReport:
		c.usage = new(chunk.Usage)
		c.usage.Extra = openjson.Clone(chunk.Usage.Extra)
	case Warning:
		c.warnings = append(c.warnings, chunk)
	case Done:
		c.finish, c.complete = chunk.Reason, true
	}
	return nil
}

func (c *Collector) addCall(delta CallDelta) {
	call := c.byIndex[delta.Index]
	if call == nil {
		call = &growingCall{index: delta.Index}
		c.calls = append(c.calls, call)
		if c.byIndex == nil {
			c.byIndex = map[int]*growingCall{}
		}
		c.byIndex[delta.Index] = call
	}
	call.id = cmp.Or(call.id, delta.ID)
	call.name = cmp.Or(call.name, delta.Name)
	call.signature = cmp.Or(call.signature, delta.Signature)
	call.arguments.WriteString(delta.Arguments)
}

// Complete reports whether the reply has reached its [Done].
func (c *Collector) Complete() bool { return c.complete }

// Response returns the reply so far: an assistant message with its calls in the order of their
// indexes. Later chunks do not change the returned value.
func (c *Collector) Response() Response {
	r := Response{
		Message: Message{
			Role:      Assistant,
			Text:      c.text.String(),
			Reasoning: c.reasoning.String(),
			Thoughts:  slices.Clone(c.thoughts),
		},
		Finish:   c.finish,
		Warnings: slices.Clone(c.warnings),
	}
	if c.usage != nil {
		r.Usage = new(*c.usage)
		r.Usage.Extra = openjson.Clone(c.usage.Extra)
	}
	calls := slices.Clone(c.calls)
	slices.SortStableFunc(calls, func(a, b *growingCall) int {
		return cmp.Compare(a.index, b.index)
	})
	for _, call := range calls {
		r.Message.ToolCalls = append(r.Message.ToolCalls, ToolCall{
			ID: call.id, Name: call.name, Arguments: call.arguments.String(), Signature: call.signature,
		})
	}
	return r
}
