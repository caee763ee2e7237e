package question

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// This file defines the request to the model of a campaign. It has the messages of a turn, each
// with its kind, the tools, and the form that a provider needs. Logs, tests and observers read a
// [Request]. A model of package llm gets [Request.LLM].
//
// All types are plain values. Share them only for reading.

// MessageKind says what a message of a request is for. Providers see only roles; kinds say what the
// engine means.
type MessageKind string

// The kinds.
const (
	KindSystemBlock   MessageKind = "system_block"
	KindHistory       MessageKind = "history"
	KindPlayerInput   MessageKind = "player_input"
	KindToolCalls     MessageKind = "assistant_tool_calls"
	KindToolResults   MessageKind = "tool_results"
	KindRejected      MessageKind = "assistant_rejected"
	KindToolFeedback  MessageKind = "tool_feedback"
	KindConflictDebug MessageKind = "conflict_debug"
	KindNarrate       MessageKind = "narrate_instruction"
	KindUpdate        MessageKind = "update_instruction"
	// KindText is a whole prompt in one text, see Content.Prompt.Instruct.
	KindText MessageKind = "text"
)

// Request is a request to the model. Each request of a turn begins with all messages of the request
// before it, byte for byte. A prompt in one text is the exception: it is written again each time.
type Request struct {
	Messages []Message      `json:"messages"`
	Tools    []llm.ToolSpec `json:"tools,omitempty"`
	// Stop lists texts that end the reply. It is for a prompt in one text.
	Stop []string `json:"stop,omitempty"`
	// Prefill is the beginning of the reply that a preset asks for.
	Prefill string `json:"prefill,omitempty"`
	// RefusesPrefill reports that the model does not accept a prefill. The beginning is then
	// requested in words.
	RefusesPrefill bool `json:"refuses_prefill,omitempty"`
	// CacheMarks are indexes of messages after which a mark for the provider's cache is useful.
	// CacheMark is the content of the mark.
	CacheMarks []int                      `json:"cache_marks,omitempty"`
	CacheMark  map[string]json.RawMessage `json:"cache_mark,omitempty"`
	// Shape has the rules by which [Request.LLM] shapes the messages. Without a profile the
	// messages stay as they are.
	Shape prompt.ShapeRules `json:"shape,omitzero"`
}

// Message is a message with its meaning.
type Message struct {
	Kind MessageKind `json:"kind"`
	// Block names the block of the prompt, for a system block.
	Block   string      `json:"block,omitempty"`
	Message llm.Message `json:"message"`
}

// LLM returns the request for package llm: shaped for its provider, with the beginning of the reply
// as the last message.
func (r Request) LLM() llm.Request {
	out := llm.Request{Messages: make([]llm.Message, len(r.Messages)), Tools: r.Tools}
	for i, m := range r.Messages {
		out.Messages[i] = m.Message
	}
	out.Options.Stop = slices.Clone(r.Stop)
	asked := out.Messages
	if r.Shape.Profile != "" || r.RefusesPrefill && r.Prefill != "" {
		rules := r.Shape
		rules.Profile = cmp.Or(rules.Profile, prompt.ShapeOpenAI) // this profile changes nothing else
		rules.Tools, rules.Prefill, rules.AcceptsPrefill = len(r.Tools) > 0, r.Prefill, !r.RefusesPrefill
		out.Messages = prompt.Shape(out.Messages, rules).Flat()
	} else if r.Prefill != "" {
		out.Messages = append(out.Messages, llm.Message{Role: llm.Assistant, Text: r.Prefill})
	}
	if len(r.CacheMark) > 0 {
		r.mark(out.Messages, asked)
	}
	return out
}

// mark sets the marks for the cache. A shape may have joined messages. Then the mark is on the last
// message that contains nothing of the messages after the marked one.
func (r Request) mark(messages, asked []llm.Message) {
	for _, at := range r.CacheMarks {
		if r.Shape.Profile != "" {
			head := prompt.Shape(asked[:at+1], r.Shape).Flat()
			at = min(len(head), len(messages)) - 1
			if at >= 0 && head[at].Text != messages[at].Text {
				at--
			}
		}
		if at >= 0 {
			m := &messages[at]
			m.Extra = maps.Clone(m.Extra)
			if m.Extra == nil {
				m.Extra = map[string]json.RawMessage{}
			}
			maps.Copy(m.Extra, r.CacheMark)
		}
	}
}
