package anthropic

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// block is a content block that has begun but not ended.
type block struct {
	kind      kind
	call      int             // index of a call in the reply
	arguments strings.Builder // of a call, so far
	stitch    wire.RuneJoiner // for its pieces
	signature strings.Builder // of thinking
	stored    *storedBlock    // nil: the block is not sent back
}

// kind is the kind of a block.
type kind int

const (
	unknownBlock kind = iota
	textBlock
	thinkingBlock
	callBlock
)

// maxIndex is the greatest index that is accepted from a server.
const maxIndex = 1 << 16

// readIndex returns the index of an event; a missing index is 0.
func readIndex(v wire.Value) (int, error) {
	if v.Null() {
		return 0, nil
	}
	index, ok := v.Count()
	if !ok || index > maxIndex {
		return 0, wire.Malformed(v, errors.New("the index of a block is not a number from 0 to 65536"))
	}
	return index, nil
}

// begin handles the start of a block. If a block with the same index has not ended, it is ended
// first.
func (r *reply) begin(at, content wire.Value) error {
	index, err := readIndex(at)
	if err != nil {
		return err
	}
	if err := r.endBlock(index); err != nil {
		return err
	}
	b := &block{}
	if r.blocks == nil {
		r.blocks = map[int]*block{}
	}
	r.blocks[index] = b
	r.storeStart(b, content)
	switch kind := content.Get("type"); {
	case kind.Is("text"):
		b.kind = textBlock
		return r.out.Text(content.Get("text"))
	case kind.Is("thinking"):
		b.kind = thinkingBlock
		b.signature.WriteString(content.Get("signature").Word())
		return r.out.Reasoning(content.Get("thinking"))
	case kind.Is("redacted_thinking"):
		r.out.Emit(llm.Seal{Provider: Provider, Redacted: content.Get("data").Word()})
	case kind.Is("tool_use"):
		b.kind, b.call = callBlock, r.calls
		r.calls++
		id := cmp.Or(content.Get("id").Word(), fmt.Sprintf("call_%03d", r.calls))
		delta := llm.CallDelta{Index: b.call, ID: id, Name: content.Get("name").Word()}
		// A server that does not stream the arguments sends them here.
		if input := content.Get("input"); input.IsObject() {
			if c := input.Members(); c.Next() {
				delta.Arguments = b.stitch.Push(input)
				b.arguments.WriteString(delta.Arguments)
			}
		}
		r.out.Emit(delta)
	default:
		r.notes.Add("block", kind.Word())
	}
	return nil
}

// arguments passes on a piece of a call's arguments.
func (r *reply) arguments(b *block, text wire.Value) error {
	piece, err := b.stitch.PushJSON(text)
	if err != nil {
		return err
	}
	b.arguments.WriteString(piece)
	r.out.Emit(llm.CallDelta{Index: b.call, Arguments: piece})
	return nil
}

// delta handles a part of a block.
func (r *reply) delta(at, delta wire.Value) error {
	index, err := readIndex(at)
	if err != nil {
		return err
	}
	var kind, text wire.Value
	for c := delta.Members(); c.Next(); {
		switch string(c.Name) {
		case "type":
			kind = c.Value
		case "text", "thinking", "partial_json", "signature":
			text = c.Value
		}
	}
	b := r.blocks[index]
	if b != nil && b.stored != nil && r.mayStore(delta) {
		if err := b.stored.add(kind, delta); err != nil {
			return err
		}
	}
	switch {
	case kind.Is("text_delta"):
		return r.out.Text(text)
	case kind.Is("thinking_delta"):
		return r.out.Reasoning(text)
	case kind.Is("signature_delta"):
		if b == nil || b.kind != thinkingBlock {
			return wire.Malformed(delta, fmt.Errorf("block %d is not a begun thinking block", index))
		}
		b.signature.WriteString(text.Word())
	case kind.Is("input_json_delta") && b != nil && b.kind == unknownBlock: // of a tool of the server
	case kind.Is("input_json_delta"):
		if b == nil || b.kind != callBlock {
			return wire.Malformed(delta, fmt.Errorf("block %d is not a begun call", index))
		}
		return r.arguments(b, text)
	case kind.Is("citations_delta"):
	default:
		r.notes.Add("delta", kind.Word())
	}
	return nil
}

// end handles the stop of a block.
func (r *reply) end(at wire.Value) error {
	index, err := readIndex(at)
	if err != nil {
		return err
	}
	return r.endBlock(index)
}

// endBlock ends a block, if it has begun. A thinking block gets its seal. Whether a call is
// complete is known only with the stop reason.
func (r *reply) endBlock(index int) error {
	b := r.blocks[index]
	if b == nil {
		return nil
	}
	delete(r.blocks, index)
	switch b.kind {
	case thinkingBlock:
		if b.signature.Len() > 0 {
			r.out.Emit(llm.Seal{Provider: Provider, Signature: b.signature.String()})
		}
	case callBlock:
		return r.endCall(b)
	}
	return nil
}

// endCall ends a call. A call without arguments gets "{}". Arguments that are not JSON are an
// error, unless the token limit truncated them. The server sends this reason only later.
func (r *reply) endCall(b *block) error {
	if rest := b.stitch.End(); rest != "" {
		b.arguments.WriteString(rest)
		r.out.Emit(llm.CallDelta{Index: b.call, Arguments: rest})
	}
	text := b.arguments.String()
	if strings.TrimSpace(text) == "" {
		r.out.Emit(llm.CallDelta{Index: b.call, Arguments: "{}"})
		return nil
	}
	if r.broken == "" && !json.Valid([]byte(text)) {
		r.broken = wire.Begin(text)
	}
	return nil
}

// endAll ends the blocks that have not ended, and checks the calls.
func (r *reply) endAll() error {
	for _, index := range slices.Sorted(maps.Keys(r.blocks)) {
		if err := r.endBlock(index); err != nil {
			return err
		}
	}
	if r.broken != "" && r.finish != llm.FinishLength {
		return &llm.Error{Code: llm.CodeMalformed, Retry: true,
			Message: "the arguments of a call never became JSON: " + r.broken}
	}
	return nil
}
