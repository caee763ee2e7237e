package openai

import (
	"errors"
	"fmt"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// Events are read in place: a member is found by scanning the members before it, and only the text
// that is passed on is copied.

// chatEvent is one event of a stream, or a whole completion.
type chatEvent struct {
	choice chatChoice // the choice with index 0; the others are ignored
	found  bool       // whether there is such a choice
	usage  wire.Value // null in most events; grows from event to event if a server repeats it
}

// chatChoice is one of the replies in an event.
type chatChoice struct {
	// delta is the next part of the message; message is the whole message. Streams have delta and
	// completions have message. A few servers end a stream with message.
	delta, message wire.Value
	// text is the next part of a text completion, or the whole text.
	text wire.Value
	// reason is null until the end.
	reason wire.Value
	err    wire.Value
	// usage is here if a server ends the choice with its counts.
	usage wire.Value
}

// readEvent reads an event, or returns the error that the event reports.
func readEvent(data []byte) (chatEvent, error) {
	v, err := wire.Parse(data)
	if err != nil {
		return chatEvent{}, err
	}
	if !v.IsObject() {
		return chatEvent{}, wire.Malformed(v, errors.New("an event is not an object"))
	}
	var e chatEvent
	var choices, failure wire.Value
	marked := false // as an error
	for c := v.Members(); c.Next(); {
		switch string(c.Name) {
		case "choices":
			choices = c.Value
		case "usage":
			e.usage = c.Value
		case "error": // an object or a text
			failure = c.Value
		case "object", "type":
			// If a server writes the members of an error directly into the event, this member says
			// "error". Gateways use it for other values.
			marked = marked || c.Value.Is("error")
		}
	}
	if err := e.choose(choices); err != nil {
		return e, err
	}
	switch {
	case wire.Failing(string(failure)):
		return e, wire.Reported(v)
	case wire.Failing(string(e.choice.err)):
		return e, wire.Reported(e.choice.err)
	case marked, e.choice.reason.Is("error"):
		return e, wire.Reported(v)
	}
	return e, nil
}

// maxList is the greatest number of elements of a list in an event.
const maxList = 1 << 12

// errList returns the error of a list with more elements. A retry would not help.
func errList(list wire.Value) error {
	return &llm.Error{Code: llm.CodeTooLarge, Message: "cannot read " + wire.Begin(list),
		Err: errors.New("a list in it has too many elements")}
}

// choose finds the choice with index 0. A choice without an index has index 0.
func (e *chatEvent) choose(choices wire.Value) error {
	if !choices.Null() && choices[0] != '[' {
		return wire.Malformed(choices, errors.New("the choices are not a list"))
	}
	n := 0
	for c := choices.Elements(); c.Next(); {
		if n++; n > maxList {
			return errList(choices)
		}
		if e.found {
			continue
		}
		var choice chatChoice
		var index wire.Value
		c.Value.Pick(wire.As("index", &index), wire.As("delta", &choice.delta), wire.As("message", &choice.message),
			wire.As("text", &choice.text), wire.As("finish_reason", &choice.reason), wire.As("error", &choice.err),
			wire.As("usage", &choice.usage))
		if n, _ := index.Count(); n == 0 {
			e.choice, e.found = choice, true
		}
	}
	return nil
}

// chatMessage is a message or a part of one.
type chatMessage struct {
	// content is a text, null, or a list of parts.
	content wire.Value
	// refusal is sent by OpenAI instead of the content when the model declines. To a player it is
	// the model's text.
	refusal wire.Value
	// Servers use two names for the same value. Servers that send both send the same text twice.
	thinking, reasoning wire.Value
	details             wire.Value // the thinking as a list, with its signatures
	calls               wire.Value
	// function is the one call of a message of servers that have no tool_calls: OpenAI used it until
	// 2023.
	function wire.Value
}

// readMessage reads the members of a message.
func readMessage(v wire.Value) (chatMessage, error) {
	var m chatMessage
	if !v.IsObject() {
		return m, wire.Malformed(v, errors.New("a message is not an object"))
	}
	v.Pick(wire.As("content", &m.content), wire.As("refusal", &m.refusal), wire.As("reasoning_content", &m.thinking),
		wire.As("reasoning", &m.reasoning), wire.As("reasoning_details", &m.details), wire.As("tool_calls", &m.calls),
		wire.As("function_call", &m.function))
	if m.thinking.Null() || m.thinking.Is("") {
		m.thinking = m.reasoning
	}
	return m, nil
}

// maxParts is the greatest depth of nested parts. Servers use two levels. Each level is read again,
// so the cost is this many times the length.
const maxParts = 4

// content passes on a content: a text, or a list of typed parts. Parts of unknown kinds are
// omitted. Thinking parts go to the reasoning; depth is the remaining nesting depth.
func (r *reply) content(v wire.Value, thinking bool, depth int) error {
	say := r.out.Text
	if thinking {
		say = r.out.Reasoning
	}
	if v.Null() || v[0] != '[' {
		return say(v)
	}
	if depth == 0 {
		return wire.Malformed(v, fmt.Errorf("parts are nested more than %d levels deep", maxParts))
	}
	n := 0
	for c := v.Elements(); c.Next() && !r.out.Stopped(); {
		if n++; n > maxList {
			return errList(v)
		}
		switch kind := c.Value.Get("type"); {
		case kind.Is("text"):
			if err := say(c.Value.Get("text")); err != nil {
				return err
			}
		case kind.Is("thinking"):
			if err := r.content(c.Value.Get("thinking"), true, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}
