package llmtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
)

// Reply is one scripted answer of a model. The zero value is a complete, empty reply.
//
// The reply is streamed in this order: warnings, reasoning, text, calls, usage, then [llm.Done].
// Err or Cut replaces Done.
type Reply struct {
	Reasoning string         `json:"reasoning,omitempty"`
	Text      string         `json:"text,omitempty"`
	Calls     []llm.ToolCall `json:"calls,omitempty"`
	Usage     *llm.Usage     `json:"usage,omitempty"`
	Warnings  []llm.Warning  `json:"warnings,omitempty"`
	// Finish is the reason of Done. Empty: FinishToolCalls if there are calls,
	// otherwise FinishStop.
	Finish llm.FinishReason `json:"finish,omitempty"`
	// Piece is the number of characters per chunk of text, reasoning and arguments. 0 or less: each
	// is one chunk.
	Piece int `json:"piece,omitempty"`

	// Chunks, if not nil, is the stream itself; all fields above are then ignored. Chunks after a
	// Done are not sent. Without a Done the reply is incomplete, unless Err ends it.
	Chunks llm.Chunks `json:"chunks,omitzero"`

	// Err ends the reply instead of Done.
	Err *llm.Error `json:"error,omitempty"`
	// Cut ends the reply without Done, like a connection that drops.
	Cut bool `json:"cut,omitempty"`

	// Gate, if not nil, stops the reply after GateAfter chunks, or before its end if it is shorter,
	// until the gate is opened or the context ends.
	Gate      *Gate `json:"-"`
	GateAfter int   `json:"-"`
}

// Text returns a complete reply with only a text, in one chunk.
func Text(text string) Reply { return Reply{Text: text} }

// Call returns a complete reply with only one tool call. The arguments are pairs of a name and a
// value, in the order in which they are written. A single argument of type string or
// json.RawMessage is the JSON text itself, which may be malformed. Other forms of args are a
// mistake in the test: Call panics.
func Call(name string, args ...any) Reply { return Reply{}.AndCall(name, args...) }

// Fail returns a reply that fails before its first chunk.
func Fail(err *llm.Error) Reply { return Reply{Err: err} }

// Block returns a reply that never arrives: it waits, before its first chunk, until the context
// ends or its Gate is opened.
func Block() Reply { return Reply{Gate: NewGate()} }

// AndCall returns a copy of r with one more tool call. See [Call] for args.
func (r Reply) AndCall(name string, args ...any) Reply {
	calls := make([]llm.ToolCall, 0, len(r.Calls)+1)
	r.Calls = append(append(calls, r.Calls...), llm.ToolCall{
		Name: name, Arguments: arguments(args),
	})
	return r
}

// Stream returns the chunks of the reply, with the final Done if it has one. Err and Gate are
// ignored. A fake server uses it to write the reply in its protocol.
func (r Reply) Stream() llm.Chunks {
	if r.Chunks != nil {
		return r.explicit()
	}
	var out llm.Chunks
	for _, warning := range r.Warnings {
		out = append(out, warning)
	}
	for _, piece := range r.pieces(r.Reasoning) {
		out = append(out, llm.ReasoningDelta{Text: piece})
	}
	for _, piece := range r.pieces(r.Text) {
		out = append(out, llm.TextDelta{Text: piece})
	}
	for i, call := range r.Calls {
		first := llm.CallDelta{Index: i, ID: call.ID, Name: call.Name}
		pieces := r.pieces(call.Arguments)
		if len(pieces) > 0 {
			first.Arguments = pieces[0]
			pieces = pieces[1:]
		}
		out = append(out, first)
		for _, piece := range pieces {
			out = append(out, llm.CallDelta{Index: i, Arguments: piece})
		}
	}
	if r.Usage != nil {
		out = append(out, llm.UsageReport{Usage: *r.Usage})
	}
	if r.Err != nil || r.Cut {
		return out
	}
	return append(out, llm.Done{Reason: r.finish()})
}

// finish returns the reason for the final Done.
func (r Reply) finish() llm.FinishReason {
	switch {
	case r.Finish != "":
		return r.Finish
	case len(r.Calls) > 0:
		return llm.FinishToolCalls
	}
	return llm.FinishStop
}

// pieces splits text between characters; an empty text has no piece.
func (r Reply) pieces(text string) []string {
	if text == "" {
		return nil
	}
	if r.Piece <= 0 {
		return []string{text}
	}
	var out []string
	start, count := 0, 0
	for i := range text {
		if count == r.Piece {
			out = append(out, text[start:i])
			start, count = i, 0
		}
		count++
	}
	return append(out, text[start:])
}

// explicit returns Chunks up to its Done. Err and Cut remove the Done.
func (r Reply) explicit() llm.Chunks {
	for i, chunk := range r.Chunks {
		if _, done := chunk.(llm.Done); !done {
			continue
		}
		if r.Err != nil || r.Cut {
			return slices.Clone(r.Chunks[:i])
		}
		return slices.Clone(r.Chunks[:i+1])
	}
	return slices.Clone(r.Chunks)
}

// gateAt returns the number of chunks that are sent before the reply waits: GateAfter, but at most
// all chunks before the end. It is -1 without a gate.
func (r Reply) gateAt(stream llm.Chunks) int {
	if r.Gate == nil {
		return -1
	}
	last := len(stream)
	if last > 0 {
		if _, done := stream[last-1].(llm.Done); done {
			last--
		}
	}
	return min(max(r.GateAfter, 0), last)
}

// arguments writes pairs of names and values as a JSON object.
func arguments(args []any) string {
	if len(args) == 1 {
		switch raw := args[0].(type) {
		case string:
			return raw
		case json.RawMessage:
			return string(raw)
		}
	}
	if len(args)%2 != 0 {
		panic("llmtest: arguments of a call are pairs of name and value, or one JSON text")
	}
	out := []byte{'{'}
	for i := 0; i < len(args); i += 2 {
		name, ok := args[i].(string)
		if !ok || !utf8.ValidString(name) {
			panic(fmt.Sprintf("llmtest: the name of argument %d is %#v, want a string", i/2, args[i]))
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, encode(name)...), ':')
		out = append(out, encode(args[i+1])...)
	}
	return string(append(out, '}'))
}

// encode encodes one argument. A value without a JSON form is a mistake in the test.
func encode(value any) []byte {
	data, err := openjson.Marshal(value)
	if err != nil {
		panic("llmtest: argument of a call: " + err.Error())
	}
	return data
}
