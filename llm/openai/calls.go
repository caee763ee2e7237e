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
	open   *callSlot         // the last call, while its name may grow; it is not reported yet
}

// maxName is the length in bytes from which a name is reported and does not grow.
const maxName = 256

// callSlot is one call so far.
type callSlot struct {
	id, name  string
	delta     llm.CallDelta // what is not reported yet, and the reported index
	stitch    wire.RuneJoiner
	arguments wholeness // detects the end of a call that has no id and no own index
}

// add finds the call that a part belongs to and reports the part. Some servers split a name, so a
// call is first reported when its arguments begin or a different call has a part.
func (t *callTable) add(part chatCall, emit func(llm.CallDelta)) error {
	slot := t.find(part)
	if t.open != nil && t.open != slot {
		t.open.report(emit)
		t.open = nil
	}
	if slot == nil {
		slot = t.begin(part.index)
		t.open = slot
	}
	piece, err := slot.push(part.arguments)
	if err != nil {
		return err
	}
	slot.arguments.push(piece)
	slot.delta.Arguments = piece
	// Id and name are reported once, even if servers repeat or delay them.
	if slot.id == "" && part.id != "" {
		slot.delta.ID, slot.id = part.id, part.id
		t.byID[slot.id] = slot
	}
	if slot.name == "" || slot == t.open && slot.name != part.name {
		slot.delta.Name += part.name
		slot.name += part.name
	}
	if slot == t.open && piece == "" && len(slot.name) <= maxName {
		return nil
	}
	t.open = nil
	slot.report(emit)
	return nil
}

// report emits the delta of a call.
func (s *callSlot) report(emit func(llm.CallDelta)) {
	emit(s.delta)
	s.delta = llm.CallDelta{Index: s.delta.Index}
}

// begin adds a call. An earlier call may have had the same server index: see find.
func (t *callTable) begin(wire number) *callSlot {
	if t.byID == nil {
		t.byID, t.byWire, t.taken = map[string]*callSlot{}, map[int]*callSlot{}, map[int]bool{}
	}
	at := t.place(wire)
	slot := &callSlot{delta: llm.CallDelta{Index: at}}
	t.slots = append(t.slots, slot)
	t.taken[at] = true
	t.next = max(t.next, at+1)
	if wire.known {
		t.byWire[wire.value] = slot
	}
	return slot
}

// end reports what is left: a call without arguments, arguments that end within a character, and ids
// for calls without an id. call_001 is the first call of a reply.
func (t *callTable) end(emit func(llm.CallDelta)) {
	made := 0
	for i, slot := range t.slots {
		slot.delta.Arguments = slot.stitch.End()
		if slot.id == "" {
			made = max(made, i)
			for slot.id == "" || t.byID[slot.id] != nil {
				made++
				slot.id = fmt.Sprintf("call_%03d", made)
			}
			slot.delta.ID = slot.id
		}
		slot.report(emit)
	}
}

// find returns the call that a part continues, nil if the part begins a call:
//
//  1. A known id identifies its call.
//  2. An index identifies the latest call with this index. A part without an index belongs to the
//     latest call of all.
//  3. But a part with a name begins a new call if its id differs from that call's id. If the ids do
//     not decide, it begins a new call if the names differ or if that call's arguments are already
//     complete. A part without an id continues the name of a call with its index until the
//     arguments of that call begin.
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
	case latest.name == "", latest == t.open && part.id == "" && part.index.known:
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
