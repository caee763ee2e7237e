package question

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// The request part holds what the model of a campaign is asked: the messages of a turn with what
// each of them is for, the tools, and how a provider wants them. A [Request] is what the log, tests
// and observers look at; [Request.LLM] is what a model of package llm takes.
//
// All of it is plain values. Share them only for reading.

// MessageKind says what a message of a request is for. Roles are what a provider
// sees; kinds are what the engine means.
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
	// KindText is a whole prompt as one text, see Content.Instruct.
	KindText MessageKind = "text"
)

// Request is what the model is asked. Each request of a turn begins with all the
// messages of the one before, byte for byte; a prompt that is one text is written anew.
type Request struct {
	Messages []Message      `json:"messages"`
	Tools    []llm.ToolSpec `json:"tools,omitempty"`
	// Stop are texts that end the reply, of a prompt that is one text.
	Stop []string `json:"stop,omitempty"`
	// Prefill is the beginning of the reply that a preset asks for.
	Prefill string `json:"prefill,omitempty"`
	// RefusesPrefill says that the model is asked for that begin in words.
	RefusesPrefill bool `json:"refuses_prefill,omitempty"`
	// CacheMarks are the messages behind which a mark for the provider's cache pays,
	// CacheMark is what the mark is.
	CacheMarks []int                      `json:"cache_marks,omitempty"`
	CacheMark  map[string]json.RawMessage `json:"cache_mark,omitempty"`
	// Shape are the rules that [Request.LLM] brings the messages into; without a
	// profile they stay as they are.
	Shape prompt.ShapeRules `json:"shape,omitzero"`
}

// Message is a message with its meaning.
type Message struct {
	Kind MessageKind `json:"kind"`
	// Block names the part of the prompt that a system block is.
	Block   string      `json:"block,omitempty"`
	Message llm.Message `json:"message"`
}

// LLM returns the request in the form that a model takes: shaped for its provider, the
// beginning of the reply last.
func (r Request) LLM() llm.Request {
	out := llm.Request{Messages: make([]llm.Message, len(r.Messages)), Tools: r.Tools}
	for i, m := range r.Messages {
		out.Messages[i] = m.Message
	}
	out.Options.Stop = slices.Clone(r.Stop)
	asked := out.Messages
	if r.Shape.Profile != "" || r.RefusesPrefill && r.Prefill != "" {
		rules := r.Shape
		rules.Profile = cmp.Or(rules.Profile, prompt.ShapeOpenAI) // which changes nothing else
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

// mark sets the marks for the cache. A shape may have joined messages: the mark is
// then on the last one that holds nothing of what follows.
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
