package openai

import (
	"errors"
	"fmt"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// Events are read where they stand: a member is found by walking over those in front
// of it, and nothing of an event is copied but the text that is handed out.

// chatEvent is one event of a stream, or a whole completion.
type chatEvent struct {
	choice chatChoice // the one with index 0, the only one that counts
	found  bool       // whether there is one
	usage  wire.Value // null in most events, and grows from event to event where a server repeats it
}

// chatChoice is one of several replies that a server was asked for.
type chatChoice struct {
	// Delta is the next part of the message, message the whole of it. Streams have
	// the first, completions the second, and a few servers close a stream with the
	// second.
	delta, message wire.Value
	// Text is the next part of a text completion, or the whole of it.
	text wire.Value
	// Reason is null until the end.
	reason wire.Value
	err    wire.Value
	// Usage stands here where a server closes the choice with its counts.
	usage wire.Value
}

// readEvent reads an event, or returns the error that it reports.
func readEvent(data []byte) (chatEvent, error) {
	v, err := wire.Parse(data)
	if err != nil {
		return chatEvent{}, err
	}
	if !v.IsObject() {
		return chatEvent{}, wire.Malformed(v, errors.New("an event is no object"))
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
		case "error": // an object, or a text
			failure = c.Value
		case "object", "type":
			// Here a server that puts the members of an error directly into the
			// event says so; gateways put other things here.
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

// maxList is how many elements a list in an event may have.
const maxList = 1 << 12

// errList is the error of a list with more elements. It would not be shorter the
// next time.
func errList(list wire.Value) error {
	return &llm.Error{Code: llm.CodeTooLarge, Message: "cannot read " + wire.Begin(list),
		Err: errors.New("a list in it has too many elements")}
}

// choose finds the choice with index 0, which is that of servers that know one only.
func (e *chatEvent) choose(choices wire.Value) error {
	if !choices.Null() && choices[0] != '[' {
		return wire.Malformed(choices, errors.New("the choices are no list"))
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
	// Content is a text, null, or a list of parts.
	content wire.Value
	// Refusal is what OpenAI sends in place of the content when the model declines.
	// To a player it is the same: what the model says.
	refusal wire.Value
	// Servers have two names for one thing. Those that give both repeat themselves.
	thinking, reasoning wire.Value
	details             wire.Value // the thinking as a list, with its signatures
	calls               wire.Value
}

// readMessage finds the members of a message.
func readMessage(v wire.Value) (chatMessage, error) {
	var m chatMessage
	if !v.IsObject() {
		return m, wire.Malformed(v, errors.New("a message is no object"))
	}
	v.Pick(wire.As("content", &m.content), wire.As("refusal", &m.refusal), wire.As("reasoning_content", &m.thinking),
		wire.As("reasoning", &m.reasoning), wire.As("reasoning_details", &m.details), wire.As("tool_calls", &m.calls))
	if m.thinking.Null() || m.thinking.Is("") {
		m.thinking = m.reasoning
	}
	return m, nil
}

// maxParts is how deep parts may stand within parts. Servers use two levels; each
// one is read anew, so that the cost is this many times the length.
const maxParts = 4

// content hands out a content: a text, or a list of typed parts of which other kinds
// are left out. Thinking is such a kind; depth is how much deeper it may go.
func (r *reply) content(v wire.Value, thinking bool, depth int) error {
	say := r.out.Text
	if thinking {
		say = r.out.Reasoning
	}
	if v.Null() || v[0] != '[' {
		return say(v)
	}
	if depth == 0 {
		return wire.Malformed(v, fmt.Errorf("parts stand within parts, more than %d deep", maxParts))
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
