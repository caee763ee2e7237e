package openai

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/internal/wire"
)

// chatEvent is one event of a stream, or a whole completion.
type chatEvent struct {
	// Choices is empty in an event that only carries usage.
	Choices list[chatChoice] `json:"choices"`
	// Usage is null in most events, and grows from event to event where a
	// server repeats it.
	Usage json.RawMessage `json:"usage"`
	// Error is an object, or a text.
	Error json.RawMessage `json:"error"`
	// Object or Type is "error" where a server puts the members of an error
	// directly into the event. They are raw because gateways put other things
	// there, which must not make the event unreadable.
	Object json.RawMessage `json:"object"`
	Type   json.RawMessage `json:"type"`
}

// chatChoice is one of several replies that a server was asked for.
type chatChoice struct {
	// Index is absent, and so 0, where a server knows one reply only.
	Index number `json:"index"`
	// Delta is the next part of the message, Message the whole of it. Streams
	// have the first, completions the second, and a few servers close a stream
	// with the second.
	Delta   *chatMessage `json:"delta"`
	Message *chatMessage `json:"message"`
	// Text is the next part of a text completion, or the whole of it.
	Text json.RawMessage `json:"text"`
	// FinishReason is null until the end.
	FinishReason label           `json:"finish_reason"`
	Error        json.RawMessage `json:"error"`
	// Usage stands here where a server closes the choice with its counts.
	Usage json.RawMessage `json:"usage"`
}

// chatMessage is a message or a part of one. Texts stay raw, because
// encoding/json would spoil cut characters.
type chatMessage struct {
	// Content is a text, null, or a list of parts.
	Content json.RawMessage `json:"content"`
	// Refusal is what OpenAI sends in place of Content when the model declines.
	// To a player it is the same: what the model says.
	Refusal json.RawMessage `json:"refusal"`
	// ReasoningContent and Reasoning are two names for one thing.
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ToolCalls        list[chatCall]  `json:"tool_calls"`
}

// first returns the choice with index 0, the only one that counts.
func (e chatEvent) first() (chatChoice, bool) {
	for _, choice := range e.Choices {
		if choice.Index.value == 0 {
			return choice, true
		}
	}
	return chatChoice{}, false
}

// failure returns the error that the event reports, or nil. data is the event.
func (e chatEvent) failure(data []byte) error {
	choice, _ := e.first()
	switch {
	case failing(e.Error):
		return wire.Reported(data)
	case failing(choice.Error):
		return wire.Reported(choice.Error)
	case isText(e.Object, "error"), isText(e.Type, "error"), choice.FinishReason == "error":
		return wire.Reported(data)
	}
	return nil
}

// reasoning returns the thinking text under either of its two names. Servers
// that give both repeat themselves.
func (m *chatMessage) reasoning() ([]byte, error) {
	text, err := readText(m.ReasoningContent)
	if err != nil || len(text) > 0 {
		return text, err
	}
	return readText(m.Reasoning)
}

// present reports whether a member is there and not null.
func present(raw json.RawMessage) bool { return !wire.Value(raw).Null() }

// failing reports whether an error member holds an error.
func failing(raw json.RawMessage) bool { return wire.Failing(string(raw)) }

// isText reports whether raw is the JSON string want.
func isText(raw json.RawMessage, want string) bool {
	var text string
	return json.Unmarshal(raw, &text) == nil && text == want
}

// readText returns the bytes of a text member; null and absent are empty.
func readText(raw json.RawMessage) ([]byte, error) {
	if !present(raw) {
		return nil, nil
	}
	text, err := wire.Unquote(raw)
	if err != nil {
		return nil, wire.Malformed(string(raw), errors.New("the text is neither a string nor null"))
	}
	return text, nil
}

// maxParts is how deep parts may stand within parts. Servers use two levels; each
// one is read anew, so that the cost is this many times the length.
const maxParts = 4

// chatPart is an element of a content that is a list.
type chatPart struct {
	Type     label           `json:"type"`
	Text     json.RawMessage `json:"text"`
	Thinking json.RawMessage `json:"thinking"`
}

// readContent returns text and thinking of a content member: a text, or a list
// of typed parts of which other kinds are left out.
func readContent(raw json.RawMessage) (text, thinking []byte, err error) {
	return readParts(raw, maxParts)
}

// readParts is readContent for a content within others; depth is how much deeper
// it may go.
func readParts(raw json.RawMessage, depth int) (text, thinking []byte, err error) {
	if len(raw) == 0 || raw[0] != '[' {
		text, err = readText(raw)
		return text, nil, err
	}
	if depth == 0 {
		return nil, nil, wire.Malformed(string(raw), fmt.Errorf("parts stand within parts, more than %d deep", maxParts))
	}
	var parts list[chatPart]
	if err := decodeJSON(raw, &parts); err != nil {
		return nil, nil, err
	}
	for _, part := range parts {
		switch part.Type {
		case "text":
			piece, err := readText(part.Text)
			if err != nil {
				return nil, nil, err
			}
			text = append(text, piece...)
		case "thinking":
			piece, inner, err := readParts(part.Thinking, depth-1)
			if err != nil {
				return nil, nil, err
			}
			thinking = append(append(thinking, piece...), inner...)
		}
	}
	return text, thinking, nil
}
