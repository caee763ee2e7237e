package openai

import (
	"errors"
	"io"
	"iter"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// decode reads the body of a successful response: an event stream, or a JSON completion. It keeps
// the contract of [llm.Model] for sequences. Thinking is sent back in member; see
// [Config.Reasoning]. The function estimate returns our count of the prompt. It is called only if
// the server reports its own count.
func decode(body io.Reader, member string, estimate func() int) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		r := &reply{out: wire.Emitter{Yield: yield}, thinking: thinking{member: member}, estimate: estimate}
		in := wire.NewEvents(body)
		first, err := in.Open()
		switch {
		case err != nil:
			r.fail(err)
		case first == '{' || first == '[':
			r.completion(in)
		default:
			r.events(in)
		}
	}
}

// reply is the state of one streamed reply.
type reply struct {
	out      wire.Emitter
	estimate func() int
	streamed bool // a delta arrived
	thinking thinking

	calls  callTable
	usage  []byte           // the last report; passed on at the end
	finish llm.FinishReason // empty until the end mark arrives
}

func (r *reply) events(in *wire.Events) {
	closed := llm.Incomplete("the stream was closed without a finish_reason")
	lost, err := in.Each(r.out.Stopped, closed, func(e wire.Event) error {
		err := r.event(e.Type, e.Data)
		if r.finish != "" {
			in.Complete()
		}
		return err
	})
	switch {
	case err != nil:
		r.fail(err)
	case lost != nil: // after a finish_reason, a read error is ignored
		r.end(lost)
	default:
		r.end(llm.Incomplete("the stream ended without a finish_reason"))
	}
}

// event handles the data of one event. An error that wraps io.ErrUnexpectedEOF
// means that the data is the beginning of a JSON text.
func (r *reply) event(kind string, data []byte) error {
	if kind == "error" || data[0] == '[' { // gateways send an error in a list
		return wire.Reported(data)
	}
	in, err := readEvent(data)
	if err != nil {
		return err
	}
	return r.take(in)
}

// completion reads a whole JSON reply. Complete JSON is a complete reply, with
// or without a finish_reason.
func (r *reply) completion(in *wire.Events) {
	data, err := in.Whole()
	if err != nil {
		r.fail(err)
		return
	}
	if data[0] == '[' { // an error in a list, as some gateways send it
		r.fail(wire.Reported(data))
		return
	}
	event, err := readEvent(data)
	if err == nil {
		err = r.take(event)
	}
	if err != nil {
		r.fail(err)
		return
	}
	if r.finish == "" && (event.choice.message.IsObject() || !event.choice.text.Null()) {
		r.finish = llm.FinishStop
	}
	r.end(wire.Malformed(data, errors.New("there is no message in it")))
}

// take passes on the content of one event.
func (r *reply) take(in chatEvent) error {
	r.count(in.usage)
	if !in.found {
		return nil
	}
	choice := in.choice
	r.count(choice.usage)
	var err error
	switch {
	case !choice.delta.Null():
		r.streamed = true
		err = r.message(choice.delta)
	case !choice.text.Null():
		r.streamed = true
		err = r.out.Text(choice.text)
	case !choice.message.Null() && !r.streamed: // after deltas, message repeats them
		err = r.message(choice.message)
	}
	if err != nil {
		return err
	}
	if word := choice.reason.Word(); word != "" {
		r.finish = finishReason(word)
	}
	return nil
}

// count stores a usage report; the last one counts.
func (r *reply) count(usage wire.Value) {
	if !usage.Null() {
		r.usage = append(r.usage[:0], usage...)
	}
}

// message passes on a delta or a whole message; both have the same members.
func (r *reply) message(v wire.Value) error {
	m, err := readMessage(v)
	if err != nil {
		return err
	}
	r.thinking.came = r.thinking.came || !m.thinking.Null() && !m.thinking.Is("")
	r.thinking.add(m.details)
	if err := r.out.Reasoning(m.thinking); err != nil {
		return err
	}
	if err := r.content(m.content, false, maxParts); err != nil {
		return err
	}
	if err := r.out.Text(m.refusal); err != nil {
		return err
	}
	if !m.calls.Null() && m.calls[0] != '[' {
		return wire.Malformed(m.calls, errors.New("the tool calls are not a list"))
	}
	n := 0
	for c := m.calls.Elements(); c.Next() && !r.out.Stopped(); {
		if n++; n > maxList {
			return errList(m.calls)
		}
		if err := r.call(readCall(c.Value)); err != nil {
			return err
		}
	}
	if call := readFunction(m.function); n == 0 && !call.isEmpty() { // some servers send both
		return r.call(call)
	}
	return nil
}

// call passes on a call or a part of one.
func (r *reply) call(part chatCall) error {
	return r.calls.add(part, r.emitCall)
}

// emitCall passes on a delta of a call.
func (r *reply) emitCall(delta llm.CallDelta) { r.out.Emit(delta) }

// end ends the reply: successfully if its end mark arrived, otherwise with err.
func (r *reply) end(err error) {
	if r.finish == "" {
		r.fail(err)
		return
	}
	if seal := r.thinking.seal(); seal != nil && len(r.calls.slots) > 0 {
		r.out.Flush()
		r.out.Emit(seal)
	}
	r.flush()
	// Some servers end a reply with calls in the same way as a reply with text.
	if r.finish == llm.FinishStop && len(r.calls.slots) > 0 {
		r.finish = llm.FinishToolCalls
	}
	r.out.Done(r.finish)
}

// fail ends the reply with an error, after the chunks that had arrived.
func (r *reply) fail(err error) {
	r.flush()
	r.out.Fail(err)
}

// flush passes on the data that was kept for the end: incomplete characters, as replacement
// characters, then the usage and its warnings.
func (r *reply) flush() {
	r.out.Flush()
	r.calls.end(r.emitCall)
	usage, err := readUsage(r.usage)
	if err != nil { // only the counts are lost
		r.out.Emit(llm.Warning{Code: usageUnreadable, Detail: err.Error()})
	}
	if usage == nil || r.out.Stopped() {
		return
	}
	r.out.Emit(llm.UsageReport{Usage: *usage})
	if warning, ok := promptCut(usage.PromptTokens, r.estimate()); ok {
		r.out.Emit(warning)
	}
}

// finishReason converts the finish reasons of servers.
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
