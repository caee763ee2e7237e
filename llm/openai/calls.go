package openai

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/talewright/talewright/llm"
)

// chatCall is a tool call or a part of one.
type chatCall struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// callTable tells the calls of a reply apart. Servers number them, or give them
// ids, or neither, or number all of them 0.
type callTable struct {
	slots []*callSlot // in the order of their first part
}

// callSlot is one call so far.
type callSlot struct {
	index     int  // place that we report
	wire      *int // index that the server gave
	id, name  string
	stitch    stitcher
	arguments strings.Builder // needed to tell where a call without marks ends
}

// add finds the call that a part belongs to and returns the part as a delta.
func (t *callTable) add(part chatCall) (llm.CallDelta, error) {
	arguments, err := readArguments(part.Function.Arguments)
	if err != nil {
		return llm.CallDelta{}, err
	}
	slot := t.find(part)
	if slot == nil {
		// The index may be one that an earlier call had: see find.
		slot = &callSlot{index: t.place(part.Index), wire: part.Index}
		t.slots = append(t.slots, slot)
	}
	delta := llm.CallDelta{Index: slot.index, Arguments: slot.stitch.push(arguments)}
	slot.arguments.WriteString(delta.Arguments)
	// Id and name are told once, though servers may repeat or delay them.
	if slot.id == "" {
		delta.ID, slot.id = part.ID, part.ID
	}
	if slot.name == "" {
		delta.Name, slot.name = part.Function.Name, part.Function.Name
	}
	return delta, nil
}

// end returns deltas for arguments that end within a character.
func (t *callTable) end() []llm.CallDelta {
	var out []llm.CallDelta
	for _, slot := range t.slots {
		out = append(out, llm.CallDelta{Index: slot.index, Arguments: slot.stitch.end()})
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
	var latest *callSlot
	for _, slot := range t.slots {
		if part.ID != "" && slot.id == part.ID {
			return slot
		}
		if part.Index == nil || slot.wire != nil && *slot.wire == *part.Index {
			latest = slot
		}
	}
	if latest == nil || part.Function.Name == "" {
		return latest
	}
	switch {
	case part.ID != "" && latest.id != "":
		return nil
	case latest.name == "":
		return latest
	case latest.name != part.Function.Name, json.Valid([]byte(latest.arguments.String())):
		return nil
	}
	return latest
}

// place is the index to report for a new call: the server's if it is free,
// otherwise the next one.
func (t *callTable) place(wire *int) int {
	next, free := 0, true
	for _, slot := range t.slots {
		next = max(next, slot.index+1)
		free = free && (wire == nil || slot.index != *wire)
	}
	if wire == nil || *wire < 0 || *wire > maxCalls || !free {
		return next
	}
	return *wire
}

// maxCalls bounds the indices that are taken from a server.
const maxCalls = 1 << 16

// readArguments returns the JSON text of the arguments, which come as a text or,
// from some servers, as an object.
func readArguments(raw json.RawMessage) ([]byte, error) {
	switch {
	case !present(raw):
		return nil, nil
	case raw[0] == '{':
		return raw, nil
	}
	text, err := unquote(raw)
	if err != nil {
		return nil, malformed(string(raw),
			errors.New("the arguments of a call are neither a string nor an object"))
	}
	return text, nil
}
