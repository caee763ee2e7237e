package request

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/shape"
)

// Kind says what a message of a request is for. Roles are what a provider
// sees; kinds are what the engine means.
type Kind string

// The kinds.
const (
	KindSystemBlock   Kind = "system_block"
	KindHistory       Kind = "history"
	KindPlayerInput   Kind = "player_input"
	KindToolCalls     Kind = "assistant_tool_calls"
	KindToolResults   Kind = "tool_results"
	KindRejected      Kind = "assistant_rejected"
	KindToolFeedback  Kind = "tool_feedback"
	KindConflictDebug Kind = "conflict_debug"
	KindNarrate       Kind = "narrate_instruction"
	// KindText is a whole prompt as one text, see Content.Instruct.
	KindText Kind = "text"
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
	Shape shape.Rules `json:"shape,omitzero"`
}

// Message is a message with its meaning.
type Message struct {
	Kind Kind `json:"kind"`
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
		rules.Profile = cmp.Or(rules.Profile, shape.OpenAI) // which changes nothing else
		rules.Tools, rules.Prefill, rules.AcceptsPrefill = len(r.Tools) > 0, r.Prefill, !r.RefusesPrefill
		out.Messages = shape.Shape(out.Messages, rules).Flat()
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
			head := shape.Shape(asked[:at+1], r.Shape).Flat()
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
