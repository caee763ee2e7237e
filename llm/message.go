package llm

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
)

// Role is the sender of a [Message].
type Role string

// The roles that every adapter supports.
const (
	System    Role = "system"    // instructions and world facts
	User      Role = "user"      // the player, or the host on the player's behalf
	Assistant Role = "assistant" // the model
	Tool      Role = "tool"      // the result of one tool call
)

// Message is one entry of a conversation. It is plain data and may be copied. Treat the slices of a
// message that you received as read-only.
type Message struct {
	Role Role   `json:"role"`
	Name string `json:"name,omitempty"` // speaker, for providers that have this field
	Text string `json:"content"`

	// Images follow the text, in order. Not every model can read images.
	Images []Image `json:"images,omitempty"`
	// ToolCalls are the tool calls in an assistant message, in order.
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	// ToolCallID is the id of the call that a [Tool] message answers.
	ToolCallID string `json:"tool_call_id,omitempty"`
	// Reasoning is the thinking text, if the model reports it. It is never part of Text, and
	// adapters do not send it back.
	Reasoning string `json:"reasoning,omitempty"`
	// Thoughts are the parts of the thinking that the provider wants back in the next request of
	// the same turn, in order. An adapter sends the thoughts of its own provider and omits all
	// others. A later turn does not need them.
	Thoughts []Thought `json:"thoughts,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Thought is a part of the thinking with its signature, or a part in a form that only the provider
// can read.
type Thought struct {
	Provider  string `json:"provider"` // the adapter's name, such as anthropic
	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
	Redacted  string `json:"redacted,omitempty"`
}

// Image is a picture for a model: either its bytes with their MIME type, such as image/png, or a
// URL that the provider can reach.
type Image struct {
	MIME string `json:"mime,omitempty"`
	Data []byte `json:"data,omitempty"`
	URL  string `json:"url,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ToolCall is a tool call that a model requests. Arguments is the JSON text exactly as the model
// wrote it. It may be malformed; the code that executes the call must check it.
type ToolCall struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	// Signature is data that some thinking providers want back together with the call.
	Signature string `json:"signature,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ToolSpec describes a tool that a model may call. Parameters is a JSON Schema.
type ToolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Clone returns a copy that shares no slice or map with m.
func (m Message) Clone() Message {
	m.Images = slices.Clone(m.Images)
	for i, image := range m.Images {
		m.Images[i].Data = bytes.Clone(image.Data)
		m.Images[i].Extra = openjson.Clone(image.Extra)
	}
	m.Thoughts = slices.Clone(m.Thoughts)
	m.ToolCalls = slices.Clone(m.ToolCalls)
	for i, c := range m.ToolCalls {
		m.ToolCalls[i].Extra = openjson.Clone(c.Extra)
	}
	m.Extra = openjson.Clone(m.Extra)
	return m
}

// MarshalJSON writes the known fields first, then the unknown fields.
func (m Message) MarshalJSON() ([]byte, error) { return openjson.Write(m) }

// UnmarshalJSON keeps unknown members in Extra. On an error the receiver does not change.
func (m *Message) UnmarshalJSON(data []byte) error { return openjson.Read(data, m) }

// MarshalJSON writes the known fields first, then the unknown fields.
func (i Image) MarshalJSON() ([]byte, error) { return openjson.Write(i) }

// UnmarshalJSON keeps unknown members in Extra. On an error the receiver does not change.
func (i *Image) UnmarshalJSON(data []byte) error { return openjson.Read(data, i) }

// MarshalJSON writes the known fields first, then the unknown fields.
func (c ToolCall) MarshalJSON() ([]byte, error) { return openjson.Write(c) }

// UnmarshalJSON keeps unknown members in Extra. On an error the receiver does not change.
func (c *ToolCall) UnmarshalJSON(data []byte) error { return openjson.Read(data, c) }

// MarshalJSON writes the known fields first, then the unknown fields.
func (t ToolSpec) MarshalJSON() ([]byte, error) { return openjson.Write(t) }

// UnmarshalJSON keeps unknown members in Extra. On an error the receiver does not change.
func (t *ToolSpec) UnmarshalJSON(data []byte) error { return openjson.Read(data, t) }
