package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// provider is the provider name in thoughts of this adapter; see [llm.Thought].
const provider = "openai"

// ReasoningDetails is the value of [Config.Reasoning] for servers such as OpenRouter. They send the
// thinking as a list of parts, some of them signed or encrypted, and want that list back.
const ReasoningDetails = "reasoning_details"

// maxDetails is the greatest number of bytes of such parts that is stored; maxList is the greatest
// number of parts. If a reply exceeds one of them, no part of it is sent back.
const maxDetails = 4 << 20

// thinking is the thinking that is sent back with the calls of a reply.
type thinking struct {
	member string // the member in which it is sent back; empty: it is not sent
	came   bool
	parts  []*detail
	kept   int // number of stored bytes
}

// detail is one element of a reasoning_details list. Its text arrives in pieces.
type detail struct {
	members map[string]json.RawMessage
	kind    string
	index   int
	grows   string // the member with the text, if this kind has one
	text    strings.Builder
}

// add stores the next parts of a list.
func (t *thinking) add(list wire.Value) {
	if t.member != ReasoningDetails || list.Null() || t.kept > maxDetails {
		return
	}
	if t.kept += len(list); t.kept > maxDetails {
		t.parts = nil
		return
	}
	for c := list.Elements(); c.Next(); {
		if t.part(c.Value); len(t.parts) > maxList {
			t.parts, t.kept = nil, maxDetails+1
			return
		}
	}
}

// part stores one part, or appends it to the last part if it is the next piece of it.
func (t *thinking) part(v wire.Value) {
	d := &detail{kind: v.Get("type").Word()}
	if json.Unmarshal(v, &d.members) != nil || d.members == nil {
		return // not an object
	}
	d.index, _ = v.Get("index").Count()
	switch d.kind {
	case "reasoning.text":
		d.grows = "text"
	case "reasoning.summary":
		d.grows = "summary"
	}
	var piece string
	if d.grows != "" {
		_ = json.Unmarshal(d.members[d.grows], &piece) // a value that is not a text counts as empty
		delete(d.members, d.grows)
		if n := len(t.parts); n > 0 && t.parts[n-1].kind == d.kind && t.parts[n-1].index == d.index {
			last := t.parts[n-1]
			for name, value := range d.members { // the signature arrives with the last piece
				if !wire.Value(value).Null() {
					last.members[name] = value
				}
			}
			last.text.WriteString(piece)
			return
		}
	}
	d.text.WriteString(piece)
	t.parts = append(t.parts, d)
}

// seal returns the seal for the thinking of a reply with calls, nil if there is nothing to send
// back.
func (t *thinking) seal() llm.Chunk {
	if t.member == "" || !t.came && len(t.parts) == 0 {
		return nil
	}
	out := llm.Seal{Provider: provider}
	var list []map[string]json.RawMessage
	for _, d := range t.parts {
		if d.grows != "" {
			text, err := json.Marshal(d.text.String())
			if err != nil {
				return nil
			}
			d.members[d.grows] = text
		}
		list = append(list, d.members)
	}
	if len(list) > 0 {
		data, err := json.Marshal(list)
		if err != nil {
			return nil
		}
		out.Redacted = strings.ToValidUTF8(string(data), "\uFFFD")
	}
	return out
}

// addThoughts adds the thinking of a message of the model, in the member that the server uses for
// it. Thoughts of other providers are not added.
func addThoughts(out members, m llm.Message, member string) {
	if member == "" || m.Role != llm.Assistant {
		return
	}
	var text strings.Builder
	var details []json.RawMessage
	for _, t := range m.Thoughts {
		if t.Provider != provider {
			continue
		}
		text.WriteString(t.Text)
		var list []json.RawMessage
		if json.Unmarshal([]byte(t.Redacted), &list) == nil { // otherwise the thought is from a different kind of server
			details = append(details, list...)
		}
	}
	switch {
	case member == ReasoningDetails && len(details) > 0:
		out[member] = details
	case member != ReasoningDetails && text.Len() > 0:
		out[member] = text.String()
	}
}

// ownMembers are the members of a message that have a different meaning.
var ownMembers = []string{"role", "content", "name", "tool_calls", "tool_call_id"}

// errReasoning is the error for a member that cannot be used for thinking.
var errReasoning = fmt.Errorf("openai: Reasoning is one of %s, which mean something else; "+
	"give the member in which the server wants the thinking back, such as reasoning_content", strings.Join(ownMembers, ", "))
