package gemini

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// decode reads the body of a successful response: an event stream, or a list of its events. It
// keeps the contract of [llm.Model] for sequences. The members that were removed from schemas are
// reported as a warning.
func decode(body io.Reader, reduced []string) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		r := &reply{out: wire.Emitter{Yield: yield}}
		if len(reduced) > 0 {
			r.out.Emit(llm.Warning{Code: schemaReduced, Detail: strings.Join(reduced, ", ")})
		}
		in := wire.NewEvents(body)
		first, err := in.Open()
		switch {
		case r.out.Stopped():
		case err != nil:
			r.fail(err)
		case first == '{' || first == '[':
			r.whole(in)
		default:
			r.events(in)
		}
	}
}

// reply is the state of one streamed reply.
type reply struct {
	out    wire.Emitter
	calls  int // number of calls so far
	usage  []byte
	notes  wire.Notes
	finish llm.FinishReason // empty until a finishReason arrives
}

func (r *reply) events(in *wire.Events) {
	lost, err := in.Each(r.out.Stopped, nil, func(e wire.Event) error {
		err := r.event(e.Data)
		if r.finish != "" {
			in.Complete()
		}
		return err
	})
	switch {
	case err != nil:
		r.fail(err)
	case lost != nil: // after a finishReason, a read error is ignored
		r.end(lost)
	default:
		r.end(llm.Incomplete("the stream ended without a finishReason"))
	}
}

// event handles the data of one event. An error that wraps io.ErrUnexpectedEOF means that the data
// is the beginning of a JSON text.
func (r *reply) event(data []byte) error {
	v, err := wire.Parse(data)
	if err != nil {
		return err
	}
	if len(v) > 0 && v[0] == '[' { // an error in a list, in the middle of a stream
		for c := v.Elements(); c.Next(); {
			if err := r.take(c.Value); err != nil {
				return err
			}
		}
		return nil
	}
	return r.take(v)
}

// whole reads a body that is not an event stream: a list of events, or one event.
func (r *reply) whole(in *wire.Events) {
	data, err := in.Whole()
	if err == nil {
		err = r.event(data)
	}
	if err != nil {
		r.fail(err)
		return
	}
	r.end(llm.Incomplete("the body has no finishReason: " + wire.Begin(data)))
}

// take handles the content of one event.
func (r *reply) take(v wire.Value) error {
	if r.out.Stopped() {
		return nil
	}
	if !v.IsObject() {
		return wire.Malformed(v, errors.New("an event is not an object"))
	}
	var candidates, feedback, usage, failure wire.Value
	v.Pick(wire.As("candidates", &candidates), wire.As("promptFeedback", &feedback),
		wire.As("usageMetadata", &usage), wire.As("error", &failure))
	if usage != nil {
		r.usage = append(r.usage[:0], usage...) // the last one counts
	}
	if wire.Failing(string(failure)) {
		return wire.Reported(v)
	}
	if word := feedback.Get("blockReason").Word(); word != "" && !strings.HasSuffix(word, "UNSPECIFIED") {
		return &llm.Error{Code: llm.CodeFiltered, Message: "the server refuses the prompt: " + wire.Begin(word)}
	}
	for c := candidates.Elements(); c.Next(); {
		if index, ok := c.Value.Get("index").Count(); !ok || index == 0 { // only candidate 0 counts
			return r.candidate(c.Value)
		}
	}
	return nil
}

// candidate handles the next part of the reply.
func (r *reply) candidate(v wire.Value) error {
	var content, reason, words wire.Value
	v.Pick(wire.As("content", &content), wire.As("finishReason", &reason), wire.As("finishMessage", &words))
	for c := content.Get("parts").Elements(); c.Next() && !r.out.Stopped(); {
		if err := r.part(c.Value); err != nil {
			return err
		}
	}
	switch word := reason.Word(); word {
	case "", "FINISH_REASON_UNSPECIFIED":
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS":
		return &llm.Error{Code: llm.CodeMalformed, Retry: true,
			Message: "the model's call cannot be used: " + word + " " + wire.Begin(words.Word())}
	default:
		r.finish = finishReason(word)
	}
	return nil
}

// finishReason converts the finish reasons of the server.
func finishReason(word string) llm.FinishReason {
	switch word {
	case "STOP":
		return llm.FinishStop
	case "MAX_TOKENS":
		return llm.FinishLength
	case "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "LANGUAGE",
		"IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR":
		return llm.FinishContentFilter
	}
	return llm.FinishReason(word)
}

// part handles one part of the content.
func (r *reply) part(v wire.Value) error {
	var text, call, signature wire.Value
	thought, other := false, ""
	for c := v.Members(); c.Next(); {
		switch name := string(c.Name); name {
		case "text":
			text = c.Value
		case "thought":
			thought = string(c.Value) == "true"
		case "functionCall":
			call = c.Value
		case "thoughtSignature":
			signature = c.Value
		case "partMetadata", "mediaResolution", "videoMetadata":
		default:
			other = name
		}
	}
	if !call.Null() {
		return r.call(call, signature.Word())
	}
	if other != "" {
		r.notes.Add("part", other)
	}
	if thought {
		if err := r.out.Reasoning(text); err != nil {
			return err
		}
	} else if err := r.out.Text(text); err != nil {
		return err
	}
	if proof := signature.Word(); proof != "" {
		r.out.Emit(llm.Seal{Provider: provider, Signature: proof})
	}
	return nil
}

// call passes on a call, which arrives as a whole.
func (r *reply) call(v wire.Value, signature string) error {
	delta := llm.CallDelta{Index: r.calls, Arguments: "{}", Signature: signature}
	for c := v.Members(); c.Next(); {
		switch string(c.Name) {
		case "id":
			delta.ID = c.Value.Word()
		case "name":
			delta.Name = c.Value.Word()
		case "args":
			if c.Value.Null() {
				continue
			}
			if !c.Value.IsObject() {
				return wire.Malformed(v, errors.New("the arguments of a call are not an object"))
			}
			delta.Arguments = arguments(c.Value)
		}
	}
	if delta.Name == "" {
		return wire.Malformed(v, errors.New("a call names no function"))
	}
	r.calls++
	delta.ID = cmp.Or(delta.ID, fmt.Sprintf("call_%03d", r.calls))
	r.out.Emit(delta)
	return nil
}

// arguments returns the JSON text of the arguments, valid UTF-8.
func arguments(v wire.Value) string { return strings.ToValidUTF8(string(v), "\uFFFD") }

// end ends the reply: successfully if its finishReason arrived, otherwise with err.
func (r *reply) end(err error) {
	if r.finish == "" {
		r.fail(err)
		return
	}
	r.flush()
	// The server ends a reply with calls in the same way as a reply with text.
	if r.finish == llm.FinishStop && r.calls > 0 {
		r.finish = llm.FinishToolCalls
	}
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
	var counts wire.Counts
	counts.Add(r.usage, "promptTokenCount", "candidatesTokenCount", "cachedContentTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount")
	report := counts.Report(func(count map[string]int) llm.Usage {
		return llm.Usage{
			PromptTokens: count["promptTokenCount"] + count["toolUsePromptTokenCount"],
			// The server does not include the thinking in this count.
			CompletionTokens: count["candidatesTokenCount"] + count["thoughtsTokenCount"],
			CachedTokens:     count["cachedContentTokenCount"],
			ReasoningTokens:  count["thoughtsTokenCount"],
		}
	})
	if report != nil {
		r.out.Emit(report)
	}
}
