package openai

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// chatCall is a tool call or a part of one.
type chatCall struct {
	Index    number `json:"index"`
	ID       label  `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// callTable tells the calls of a reply apart. Servers number them, or give them
// ids, or neither, or number all of them 0. Finding the call of a part costs the
// same however many there are.
type callTable struct {
	slots  []*callSlot // in the order of their first part
	byID   map[string]*callSlot
	byWire map[int]*callSlot // the latest call that was given an index
	taken  map[int]bool      // the places that we report
	next   int               // behind all places
}

// callSlot is one call so far.
type callSlot struct {
	index     int // place that we report
	id, name  string
	stitch    wire.Stitcher
	arguments wholeness // tells where a call without marks ends
}

// add finds the call that a part belongs to and returns the part as a delta.
func (t *callTable) add(part chatCall) (llm.CallDelta, error) {
	arguments, err := readArguments(part.Function.Arguments)
	if err != nil {
		return llm.CallDelta{}, err
	}
	slot := t.find(part)
	if slot == nil {
		slot = t.begin(part.Index)
	}
	delta := llm.CallDelta{Index: slot.index, Arguments: slot.stitch.Push(arguments)}
	slot.arguments.push(delta.Arguments)
	// Id and name are told once, though servers may repeat or delay them.
	if slot.id == "" && part.ID != "" {
		delta.ID, slot.id = string(part.ID), string(part.ID)
		t.byID[slot.id] = slot
	}
	if slot.name == "" {
		delta.Name, slot.name = part.Function.Name, part.Function.Name
	}
	return delta, nil
}

// begin adds a call. The index may be one that an earlier call had: see find.
func (t *callTable) begin(wire number) *callSlot {
	if t.byID == nil {
		t.byID, t.byWire, t.taken = map[string]*callSlot{}, map[int]*callSlot{}, map[int]bool{}
	}
	slot := &callSlot{index: t.place(wire)}
	t.slots = append(t.slots, slot)
	t.taken[slot.index] = true
	t.next = max(t.next, slot.index+1)
	if wire.known {
		t.byWire[wire.value] = slot
	}
	return slot
}

// end returns deltas for arguments that end within a character, and ids for calls
// that were given none: call_001 is the first of a reply.
func (t *callTable) end() []llm.CallDelta {
	var out []llm.CallDelta
	made := 0
	for i, slot := range t.slots {
		delta := llm.CallDelta{Index: slot.index, Arguments: slot.stitch.End()}
		if slot.id == "" {
			made = max(made, i)
			for delta.ID == "" || t.byID[delta.ID] != nil {
				made++
				delta.ID = fmt.Sprintf("call_%03d", made)
			}
			slot.id = delta.ID
		}
		out = append(out, delta)
	}
	return out
}

// find returns the call that a part continues, nil if it begins one:
//
//  1. A known id belongs to its call.
//  2. An index belongs to the latest call that was given it; a part without an
//     index to the latest call of all.
//  3. But a part that carries a name begins a call if its id differs from that
//     call's, or, where ids do not tell, if the names differ or that call's
//     arguments are already whole.
func (t *callTable) find(part chatCall) *callSlot {
	if len(t.slots) == 0 {
		return nil
	}
	if slot := t.byID[string(part.ID)]; slot != nil {
		return slot
	}
	latest := t.slots[len(t.slots)-1]
	if part.Index.known {
		latest = t.byWire[part.Index.value]
	}
	if latest == nil || part.Function.Name == "" {
		return latest
	}
	switch {
	case part.ID != "" && latest.id != "":
		return nil
	case latest.name == "":
		return latest
	case latest.name != part.Function.Name, latest.arguments.whole():
		return nil
	}
	return latest
}

// place is the index to report for a new call: the server's if it is free,
// otherwise the next one.
func (t *callTable) place(wire number) int {
	if !wire.known || wire.value > maxIndex || t.taken[wire.value] {
		return t.next
	}
	return wire.value
}

// maxIndex bounds the indices that are taken from a server. The number of calls is
// bounded by the limits of the client.
const maxIndex = 1 << 16

// readArguments returns the JSON text of the arguments, which come as a text or,
// from some servers, as an object.
func readArguments(raw json.RawMessage) ([]byte, error) {
	switch {
	case !present(raw):
		return nil, nil
	case raw[0] == '{':
		return raw, nil
	}
	text, err := wire.Unquote(raw)
	if err != nil {
		return nil, wire.Malformed(string(raw),
			errors.New("the arguments of a call are neither a string nor an object"))
	}
	return text, nil
}
