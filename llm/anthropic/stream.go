package anthropic

import (
	"errors"
	"io"
	"iter"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// The codes of the [llm.Warning] values that stand beside a reply.
const (
	UsageUnreadable = wire.UsageUnreadable // its token counts cannot be read; it is whole
	UnknownPart     = wire.UnknownPart     // it holds events, blocks or deltas that are not known here
)

// decode reads the body of a successful response: an event stream, or a JSON message
// in its place. It keeps the contract of [llm.Model] for sequences.
func decode(body io.Reader) iter.Seq2[llm.Chunk, error] { return new(reply).read(body) }

// body reads what a server has sent.
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
	out    wire.Sink
	blocks map[int]*block // that have begun and not ended, by the server's index
	calls  int            // that have begun
	count  wire.Counts
	notes  wire.Notes
	finish llm.FinishReason // empty until a stop_reason came
	ended  bool             // message_stop came
	broken string           // the beginning of arguments that never became JSON

	keep    bool         // what the server writes: it may pause
	kept    int          // bytes of it
	content []*keptBlock // in the order in which the blocks began
	paused  bool         // the reply goes on in another response
	pauses  int          // before this response
	used    llm.Usage    // in the responses before
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

// event handles one event. An error that wraps io.ErrUnexpectedEOF means that its data
// is the beginning of a JSON text.
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

// whole reads a JSON message. A complete one is a complete reply.
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

// message takes all blocks of a message, as if each had come in one piece.
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

// stopFor keeps the reason for which the model stopped.
func (r *reply) stopFor(reason wire.Value) {
	if word := reason.Word(); word != "" {
		r.finish = finishReason(word)
	}
}

// finishReason translates the server's words. A pause that is one too
// many is passed on as it is.
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

// done closes the reply: well if the model has said why it stopped.
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

// fail closes the reply with an error, after what had come.
func (r *reply) fail(err error) {
	r.flush()
	r.out.Fail(err)
}

// flush hands out what was kept for the end.
func (r *reply) flush() {
	r.out.Flush()
	for _, warning := range r.notes.Warnings() {
		r.out.Say(warning)
	}
	report := r.count.Report(r.sum)
	if report == nil && r.pauses > 0 {
		report = llm.UsageReport{Usage: r.used}
	}
	if report != nil {
		r.out.Say(report)
	}
}

// counted are the members of a usage that are counts of tokens. The server tells those
// of the prompt at the beginning, the others at the end, and repeats itself.
var counted = []string{"input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"}

// sum adds the counts up. The server leaves out of its count of the prompt what a cache
// has to do with.
func sum(count map[string]int) llm.Usage {
	read, written := count["cache_read_input_tokens"], count["cache_creation_input_tokens"]
	return llm.Usage{
		PromptTokens:     count["input_tokens"] + read + written,
		CompletionTokens: count["output_tokens"],
		CachedTokens:     read,
		CacheWriteTokens: written,
	}
}
