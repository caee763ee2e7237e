package openai

import (
	"errors"
	"fmt"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// chatCall is a tool call or a part of one.
type chatCall struct {
	index     number
	id, name  string
	arguments wire.Value
}

// readCall reads the members of a call.
func readCall(v wire.Value) chatCall {
	var call chatCall
	for c := v.Members(); c.Next(); {
		switch string(c.Name) {
		case "index":
			call.index.value, call.index.known = c.Value.Count()
		case "id":
			call.id = c.Value.Word()
		case "function":
			function := readFunction(c.Value)
			call.name, call.arguments = function.name, function.arguments
		}
	}
	return call
}

// readFunction reads the name and the arguments of a call.
func readFunction(v wire.Value) chatCall {
	return chatCall{name: v.Get("name").Word(), arguments: v.Get("arguments")}
}

// isEmpty reports whether a part has neither a name nor arguments.
func (c chatCall) isEmpty() bool {
	return c.name == "" && (c.arguments.Null() || c.arguments.Is(""))
}

// callTable identifies the calls of a reply. Servers number them, or give them ids, or neither, or
// number all of them 0. The cost of finding the call of a part does not depend on the number of
// calls.
type callTable struct {
	slots  []*callSlot // in the order of their first part
	byID   map[string]*callSlot
	byWire map[int]*callSlot // the latest call with this server index
	taken  map[int]bool      // the indexes that are reported
	next   int               // greater than all reported indexes
}

// callSlot is one call so far.
type callSlot struct {
	index     int // the reported index
	id, name  string
	stitch    wire.RuneJoiner
	arguments wholeness // detects the end of a call that has no id and no own index
}

// add finds the call that a part belongs to and returns the part as a delta.
func (t *callTable) add(part chatCall) (llm.CallDelta, error) {
	slot := t.find(part)
	if slot == nil {
		slot = t.begin(part.index)
	}
	piece, err := slot.push(part.arguments)
	if err != nil {
		return llm.CallDelta{}, err
	}
	delta := llm.CallDelta{Index: slot.index, Arguments: piece}
	slot.arguments.push(delta.Arguments)
	// Id and name are reported once, even if servers repeat or delay them.
	if slot.id == "" && part.id != "" {
		delta.ID, slot.id = part.id, part.id
		t.byID[slot.id] = slot
	}
	if slot.name == "" {
		delta.Name, slot.name = part.name, part.name
	}
	return delta, nil
}

// begin adds a call. An earlier call may have had the same server index: see find.
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

// end returns deltas for arguments that end within a character, and ids for calls without an id:
// call_001 is the first call of a reply.
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

// find returns the call that a part continues, nil if the part begins a call:
//
//  1. A known id identifies its call.
//  2. An index identifies the latest call with this index. A part without an index belongs to the
//     latest call of all.
//  3. But a part with a name begins a new call if its id differs from that call's id. If the ids do
//     not decide, it begins a new call if the names differ or if that call's arguments are already
//     complete.
func (t *callTable) find(part chatCall) *callSlot {
	if len(t.slots) == 0 {
		return nil
	}
	if slot := t.byID[part.id]; slot != nil {
		return slot
	}
	latest := t.slots[len(t.slots)-1]
	if part.index.known {
		latest = t.byWire[part.index.value]
	}
	if latest == nil || part.name == "" {
		return latest
	}
	switch {
	case part.id != "" && latest.id != "":
		return nil
	case latest.name == "":
		return latest
	case latest.name != part.name, latest.arguments.whole():
		return nil
	}
	return latest
}

// place returns the index to report for a new call: the server's index if it is free, otherwise the
// next free one.
func (t *callTable) place(wire number) int {
	if !wire.known || wire.value > maxIndex || t.taken[wire.value] {
		return t.next
	}
	return wire.value
}

// maxIndex is the greatest index that is accepted from a server. The limits of the client limit the
// number of calls.
const maxIndex = 1 << 16

// push adds the next part of the arguments, which is a text or, from some servers, an object. It
// returns the characters that are complete.
func (s *callSlot) push(arguments wire.Value) (string, error) {
	switch {
	case arguments.IsObject():
		return s.stitch.Push(arguments), nil
	case !arguments.Null() && arguments[0] != '"':
		return "", wire.Malformed(arguments,
			errors.New("the arguments of a call are neither a string nor an object"))
	}
	return s.stitch.PushJSON(arguments)
}
