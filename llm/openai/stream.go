package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// decode reads the body of a successful response: an event stream, or a JSON
// completion in its place. It keeps the contract of [llm.Model] for sequences.
// The function estimate gives our count of the prompt; it is asked only if the
// server reports its own.
func decode(body io.Reader, estimate func() int) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		r := &reply{yield: yield, estimate: estimate}
		in := wire.NewEvents(body)
		first, err := in.First()
		switch {
		case err == io.EOF:
			r.fail(llm.Incomplete("the body is empty"))
		case err != nil:
			r.fail(wire.Broken(err))
		case first == '{' || first == '[':
			r.completion(in.Rest())
		case first == '<':
			r.fail(in.WebPage())
		default:
			r.events(in)
		}
	}
}

// reply is the state of one streamed reply. Its methods hand chunks to yield and
// take care that nothing follows the end, or the consumer's no.
type reply struct {
	yield    func(llm.Chunk, error) bool
	estimate func() int
	stopped  bool // the consumer has enough
	streamed bool // a delta came

	text, reasoning wire.Stitcher
	calls           callTable
	usage           *llm.Usage       // the last report; handed out at the end
	unreadable      error            // why the last report is none
	finish          llm.FinishReason // empty until the end mark came
}

// events reads an event stream to its end.
func (r *reply) events(in *wire.Events) {
	seen := false
	for !r.stopped {
		event, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			// Behind a finish_reason a lost connection loses nothing.
			r.end(wire.Broken(err))
			return
		}
		data := bytes.TrimSpace(event.Data)
		switch {
		case len(data) == 0:
			continue
		case string(data) == "[DONE]":
			r.end(llm.Incomplete("the stream was closed without a finish_reason"))
			return
		}
		seen = true
		if err := r.event(event.Type, data); err != nil {
			// Half a JSON text at the end of the body is a cut reply. In the
			// middle of it, it is a server that writes nonsense.
			if errors.Is(err, io.ErrUnexpectedEOF) && !in.Ended() {
				err = wire.Malformed(string(data), errors.New("the JSON text ends too early"))
			}
			r.fail(err)
			return
		}
	}
	if !seen {
		r.end(llm.Incomplete("the body holds no event"))
		return
	}
	r.end(llm.Incomplete("the stream ended without a finish_reason"))
}

// event handles the data of one event. An error that wraps io.ErrUnexpectedEOF
// means that the data is the beginning of a JSON text.
func (r *reply) event(kind string, data []byte) error {
	if kind == "error" {
		return wire.Reported(data)
	}
	var in chatEvent
	if err := decodeJSON(data, &in); err != nil {
		return err
	}
	if err := in.failure(data); err != nil {
		return err
	}
	return r.take(in)
}

// completion reads a whole JSON reply. Complete JSON is a complete reply, with
// or without a finish_reason.
func (r *reply) completion(body io.Reader) {
	data, err := io.ReadAll(io.LimitReader(body, wire.MaxEvent+1))
	switch {
	case err != nil:
		r.fail(wire.Broken(err))
		return
	case len(data) > wire.MaxEvent:
		r.fail(tooLong("the reply"))
		return
	}
	if data[0] == '[' { // an error in a list, as some gateways write it
		r.fail(wire.Reported(data))
		return
	}
	var in chatEvent
	if err := decodeJSON(data, &in); err != nil {
		r.fail(err)
		return
	}
	if err := in.failure(data); err != nil {
		r.fail(err)
		return
	}
	if err := r.take(in); err != nil {
		r.fail(err)
		return
	}
	if first, ok := in.first(); ok && r.finish == "" && (first.Message != nil || present(first.Text)) {
		r.finish = llm.FinishStop
	}
	r.end(wire.Malformed(string(data), errors.New("there is no message in it")))
}

// take hands out what one event holds.
func (r *reply) take(in chatEvent) error {
	r.count(in.Usage)
	choice, ok := in.first()
	if !ok {
		return nil
	}
	r.count(choice.Usage)
	part := choice.Delta
	if part == nil && present(choice.Text) {
		part = &chatMessage{Content: choice.Text}
	}
	if part != nil {
		r.streamed = true
	} else if !r.streamed {
		part = choice.Message // after deltas, a repetition of them
	}
	if part != nil {
		if err := r.message(part); err != nil {
			return err
		}
	}
	if choice.FinishReason != "" {
		r.finish = finishReason(string(choice.FinishReason))
	}
	return nil
}

// count keeps a usage report. One that cannot be read loses nothing but itself.
func (r *reply) count(raw json.RawMessage) {
	usage, err := readUsage(raw)
	switch {
	case err != nil:
		r.unreadable = err
	case usage != nil:
		r.usage, r.unreadable = usage, nil
	}
}

// message hands out a delta, or a whole message, which has the same members.
func (r *reply) message(m *chatMessage) error {
	reasoning, err := m.reasoning()
	if err != nil {
		return err
	}
	text, thinking, err := readContent(m.Content)
	if err != nil {
		return err
	}
	refusal, err := readText(m.Refusal)
	if err != nil {
		return err
	}
	r.say(llm.ReasoningDelta{Text: r.reasoning.Push(append(reasoning, thinking...))})
	r.say(llm.TextDelta{Text: r.text.Push(append(text, refusal...))})
	for _, call := range m.ToolCalls {
		if r.stopped {
			return nil
		}
		delta, err := r.calls.add(call)
		if err != nil {
			return err
		}
		r.say(delta)
	}
	return nil
}

// say hands out a chunk unless it is empty.
func (r *reply) say(chunk llm.Chunk) {
	switch chunk {
	case llm.TextDelta{}, llm.ReasoningDelta{}:
		return
	}
	if call, ok := chunk.(llm.CallDelta); ok && call == (llm.CallDelta{Index: call.Index}) {
		return
	}
	r.stopped = r.stopped || !r.yield(chunk, nil)
}

// end closes the reply: well if its end mark came, otherwise with err.
func (r *reply) end(err error) {
	if r.finish == "" {
		r.fail(err)
		return
	}
	r.flush()
	if r.stopped {
		return
	}
	reason := r.finish
	// Some servers end a reply of calls like one of text.
	if reason == llm.FinishStop && len(r.calls.slots) > 0 {
		reason = llm.FinishToolCalls
	}
	r.yield(llm.Done{Reason: reason}, nil)
}

// fail closes the reply with an error, after what had come.
func (r *reply) fail(err error) {
	r.flush()
	if !r.stopped {
		r.yield(nil, err)
	}
}

// flush hands out what was kept for the end: halves of characters, as
// replacement characters, then the usage and what it makes suspicious.
func (r *reply) flush() {
	r.say(llm.ReasoningDelta{Text: r.reasoning.End()})
	r.say(llm.TextDelta{Text: r.text.End()})
	for _, delta := range r.calls.end() {
		r.say(delta)
	}
	if r.unreadable != nil {
		r.say(llm.Warning{Code: UsageUnreadable, Detail: r.unreadable.Error()})
	}
	if r.usage == nil || r.stopped {
		return
	}
	r.stopped = !r.yield(llm.UsageReport{Usage: *r.usage}, nil)
	if warning, ok := promptCut(r.usage.PromptTokens, r.estimate()); ok && !r.stopped {
		r.stopped = !r.yield(warning, nil)
	}
}

// finishReason translates the words that servers use.
func finishReason(word string) llm.FinishReason {
	switch word {
	case "eos", "eos_token", "end_turn", "stop_sequence":
		return llm.FinishStop
	case "max_tokens", "max_length":
		return llm.FinishLength
	case "function_call", "tool_use":
		return llm.FinishToolCalls
	}
	return llm.FinishReason(word)
}

// decodeJSON is json.Unmarshal with this package's errors: a JSON text that is
// cut off is incomplete, another mistake malformed.
func decodeJSON(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errList):
		return &llm.Error{Code: llm.CodeTooLarge, Message: "cannot read " + wire.Begin(string(data)), Err: err}
	}
	// A Decoder tells an early end from a mistake; Unmarshal does not.
	var whole json.RawMessage
	early := json.NewDecoder(bytes.NewReader(data)).Decode(&whole)
	if early == io.ErrUnexpectedEOF || early == io.EOF {
		return llm.Incomplete("the reply breaks off in " + wire.Begin(string(data)))
	}
	return wire.Malformed(string(data), err)
}

// tooLong is the error for data beyond what is read. It would not be shorter the next
// time.
func tooLong(what string) error {
	return &llm.Error{
		Code:    llm.CodeTooLarge,
		Message: fmt.Sprintf("%s is longer than %d bytes", what, wire.MaxEvent),
	}
}
