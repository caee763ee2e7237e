package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// Provider is the name under which thoughts of these servers are kept; see
// [llm.Thought].
const Provider = "openai"

// ReasoningDetails is the value of [Config.Reasoning] for servers, such as OpenRouter, that
// give the thinking as a list of parts, some of them signed or encrypted, and want that list
// back.
const ReasoningDetails = "reasoning_details"

// maxDetails is how many bytes of such parts are kept, maxList how many parts. Of a reply
// with more of them none goes back.
const maxDetails = 4 << 20

// thinking is what goes back together with the calls of a reply.
type thinking struct {
	member string // under which it goes back; empty: not at all
	came   bool
	parts  []*detail
	kept   int // bytes
}

// detail is a part of a list of the kind of reasoning_details. Texts come in pieces.
type detail struct {
	members map[string]json.RawMessage
	kind    string
	index   int
	grows   string // the member that is a text, if its kind has one
	text    strings.Builder
}

// add keeps the next parts of a list.
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

// part keeps one part, or adds it to the last one, of which it may be the next piece.
func (t *thinking) part(v wire.Value) {
	d := &detail{kind: v.Get("type").Word()}
	if json.Unmarshal(v, &d.members) != nil || d.members == nil {
		return // no object
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
		_ = json.Unmarshal(d.members[d.grows], &piece) // what is no text has none
		delete(d.members, d.grows)
		if n := len(t.parts); n > 0 && t.parts[n-1].kind == d.kind && t.parts[n-1].index == d.index {
			last := t.parts[n-1]
			for name, value := range d.members { // the signature comes with the last piece
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

// seal is what closes the thinking of a reply of calls; nil if there is nothing to send
// back.
func (t *thinking) seal() llm.Chunk {
	if t.member == "" || !t.came && len(t.parts) == 0 {
		return nil
	}
	out := llm.Seal{Provider: Provider}
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

// addThoughts adds what a message of the model has thought, under the member that the
// server has for it. Thoughts of other providers stay out.
func addThoughts(out members, m llm.Message, member string) {
	if member == "" || m.Role != llm.Assistant {
		return
	}
	var text strings.Builder
	var details []json.RawMessage
	for _, t := range m.Thoughts {
		if t.Provider != Provider {
			continue
		}
		text.WriteString(t.Text)
		var list []json.RawMessage
		if json.Unmarshal([]byte(t.Redacted), &list) == nil { // else: of another kind of server
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

// ownMembers are those of a message that have another meaning than thinking.
var ownMembers = []string{"role", "content", "name", "tool_calls", "tool_call_id"}

// errReasoning is the error for a member under which no thinking can go.
var errReasoning = fmt.Errorf("openai: Reasoning is one of %s, which mean something else; "+
	"give the member in which the server wants the thinking back, such as reasoning_content", strings.Join(ownMembers, ", "))
