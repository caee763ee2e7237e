package anthropic

import (
	"errors"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// body reads the body of a response.
func (r *reply) body(in *wire.Events) {
	first, err := in.Open()
	switch {
	case err != nil:
		r.out.Fail(err)
	case first == '{':
		r.whole(in)
	default:
		r.events(in)
	}
}

// reply is the state of one streamed reply.
type reply struct {
	out    wire.Emitter
	blocks map[int]*block // open blocks by the server's index
	calls  int            // number of calls so far
	count  wire.Counts
	notes  wire.Notes
	finish llm.FinishReason // empty until a stop_reason arrives
	ended  bool             // message_stop arrived
	broken string           // the beginning of arguments that are not JSON

	storesContent bool           // the reply may pause
	storedBytes   int            // of all parts
	content       []*storedBlock // in the order in which the blocks began
	paused        bool           // the reply continues in a new response
	pauses        int            // number before this response
	earlierUsage  llm.Usage      // of the earlier responses
}

func (r *reply) events(in *wire.Events) {
	lost, err := in.Each(func() bool { return r.ended || r.out.Stopped() }, nil, r.event)
	switch {
	case err != nil:
		r.fail(err)
	case lost != nil:
		r.fail(lost)
	case !r.ended:
		r.fail(llm.Incomplete("the stream ended without a message_stop"))
	default:
		r.done()
	}
}

// event handles one event. An error that wraps io.ErrUnexpectedEOF means that its data is the
// beginning of a JSON text.
func (r *reply) event(event wire.Event) error {
	v, err := wire.Parse(event.Data)
	if err != nil {
		return err
	}
	var kind, index, content, delta, message, usage, failure wire.Value
	v.Pick(wire.As("type", &kind), wire.As("index", &index), wire.As("content_block", &content), wire.As("delta", &delta),
		wire.As("message", &message), wire.As("usage", &usage), wire.As("error", &failure))
	if wire.Failing(string(failure)) {
		return wire.Reported(v)
	}
	if kind.Null() {
		kind = wire.Value(`"` + event.Type + `"`)
	}
	switch {
	case event.Type == "error", kind.Is("error"):
		return wire.Reported(v)
	case kind.Is("content_block_delta"):
		return r.delta(index, delta)
	case kind.Is("content_block_start"):
		return r.begin(index, content)
	case kind.Is("content_block_stop"):
		return r.end(index)
	case kind.Is("message_start"):
		r.count.Add(message.Get("usage"), counted...)
	case kind.Is("message_delta"):
		r.stopFor(delta.Get("stop_reason"))
		r.count.Add(usage, counted...)
	case kind.Is("message_stop"):
		r.ended = true
	case kind.Is("ping"):
	default:
		r.notes.Add("event", kind.Word())
	}
	return nil
}

// whole reads a JSON message. A complete message is a complete reply.
func (r *reply) whole(in *wire.Events) {
	data, err := in.Whole()
	if err == nil {
		err = r.message(data)
	}
	if err != nil {
		r.fail(err)
		return
	}
	r.done()
}

// message handles all blocks of a message as if each had arrived in one piece.
func (r *reply) message(data []byte) error {
	v, err := wire.Parse(data)
	switch {
	case err != nil:
		return err
	case v.Get("type").Is("error"), wire.Failing(string(v.Get("error"))):
		return wire.Reported(v)
	case !v.Get("type").Is("message"):
		return wire.Malformed(v, errors.New("there is no message in it"))
	}
	index := wire.Value("0")
	for c := v.Get("content").Elements(); c.Next() && !r.out.Stopped(); {
		if err := r.begin(index, c.Value); err != nil {
			return err
		}
		if err := r.end(index); err != nil {
			return err
		}
	}
	r.stopFor(v.Get("stop_reason"))
	r.count.Add(v.Get("usage"), counted...)
	return nil
}

// stopFor stores the model's stop reason.
func (r *reply) stopFor(reason wire.Value) {
	if word := reason.Word(); word != "" {
		r.finish = finishReason(word)
	}
}

// finishReason converts the stop reasons of the server. A pause above the limit is passed on
// unchanged.
func finishReason(word string) llm.FinishReason {
	switch word {
	case "end_turn", "stop_sequence":
		return llm.FinishStop
	case "max_tokens", "model_context_window_exceeded":
		return llm.FinishLength
	case "tool_use":
		return llm.FinishToolCalls
	case "refusal":
		return llm.FinishContentFilter
	}
	return llm.FinishReason(word)
}

// done ends the reply: successfully if it has a stop reason.
func (r *reply) done() {
	if r.finish == "" {
		r.fail(llm.Incomplete("the message was closed without a stop_reason"))
		return
	}
	if err := r.endAll(); err != nil {
		r.fail(err)
		return
	}
	if r.pause() {
		return
	}
	r.flush()
	r.out.Done(r.finish)
}

// fail ends the reply with an error, after the chunks that had arrived.
func (r *reply) fail(err error) {
	r.flush()
	r.out.Fail(err)
}

// flush passes on the chunks that were kept for the end.
func (r *reply) flush() {
	r.out.Flush()
	for _, warning := range r.notes.Warnings() {
		r.out.Emit(warning)
	}
	report := r.count.Report(r.sum)
	if report == nil && r.pauses > 0 {
		report = llm.UsageReport{Usage: r.earlierUsage}
	}
	if report != nil {
		r.out.Emit(report)
	}
}

// counted lists the members of a usage that are token counts. The server sends the counts of the
// prompt at the beginning and the others at the end, and repeats them.
var counted = []string{"input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"}

// sum adds the counts. The server's input_tokens does not include cached tokens.
func sum(count map[string]int) llm.Usage {
	read, written := count["cache_read_input_tokens"], count["cache_creation_input_tokens"]
	return llm.Usage{
		PromptTokens:     count["input_tokens"] + read + written,
		CompletionTokens: count["output_tokens"],
		CachedTokens:     read,
		CacheWriteTokens: written,
	}
}
