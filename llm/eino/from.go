package eino

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// Options configure the use of an Eino model. The zero value works.
type Options struct {
	// EndWithoutReason accepts the end of a stream as the end of the reply, for models that never
	// send a finish reason.
	EndWithoutReason bool
	// Translate converts options that Eino does not have to options of a specific model.
	Translate func(llm.Options) []model.Option
	// Classify converts an error of a specific model. If Classify is nil or returns nil, the
	// default classification is used.
	Classify func(error) *llm.Error
	// Limits limit the size of a reply and the waits for its chunks; see [llm.Limits] for the
	// defaults and the errors.
	Limits llm.Limits
}

// partLeftOut is the code of the [llm.Warning] about a part of a reply that [llm.Response] cannot
// represent.
const partLeftOut = "part_left_out"

// From returns a talewright model that uses an Eino model. It is safe for concurrent use if m is.
//
// The context that m receives ends when the reply ends or the consumer stops. A model that ignores
// its context keeps a goroutine until it returns.
func From(m model.BaseChatModel, o Options) llm.Model {
	f := from{m, o}
	return llm.Limit(llm.ModelFunc(f.generate), o.Limits)
}

type from struct {
	model model.BaseChatModel
	o     Options
}

func (f from) generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return llm.Once(func(yield func(llm.Chunk, error) bool) {
		if ctx.Err() != nil {
			yield(nil, ctx.Err())
			return
		}
		messages, options, err := encode(req)
		if err != nil {
			yield(nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: err})
			return
		}
		if f.o.Translate != nil {
			options = append(options, f.o.Translate(req.Options)...)
		}
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		r := reader{sink: yield, o: f.o}
		for part := range f.parts(inner, messages, options) {
			switch {
			case part.panicked != nil:
				panic(part.panicked) // on the goroutine of the caller, who can recover
			case ctx.Err() != nil:
				yield(nil, ctx.Err())
				return
			case part.err != nil:
				r.end(part.err)
				return
			case !r.read(part.message):
				return
			}
		}
		yield(nil, ctx.Err()) // the parts end without an error only if the context ends
	})
}

// part is one result of Recv.
type part struct {
	message  *schema.Message
	err      error
	panicked error // a panic of the model
}

// parts reads the stream on a goroutine, because Stream and Recv may ignore the context. The last
// part has an error, unless the context ends first.
func (f from) parts(ctx context.Context, messages []*schema.Message, options []model.Option) iter.Seq[part] {
	return func(yield func(part) bool) {
		box := mailbox{ready: make(chan struct{}, 1), room: make(chan struct{}, 1)}
		go func() {
			defer func() {
				if what := recover(); what != nil {
					box.put(ctx, part{panicked: panicError(what)})
				}
			}()
			stream, err := f.model.Stream(ctx, messages, options...)
			if err != nil {
				box.put(ctx, part{err: err})
				return
			}
			defer stream.Close()
			for {
				message, err := stream.Recv()
				if !box.put(ctx, part{message: message, err: err}) || err != nil {
					return
				}
			}
		}()
		var list []part
		for {
			if list = box.take(ctx, list); len(list) == 0 {
				return
			}
			for _, p := range list {
				if !yield(p) || p.err != nil {
					return
				}
			}
		}
	}
}

// panicError returns an error for a recovered panic, with the stack. On a goroutine of this package
// nobody else can recover.
func panicError(what any) error {
	return fmt.Errorf("eino: the model panicked: %v\n%s", what, debug.Stack())
}

// mailbox passes parts from the reading goroutine to the consumer, several at a time: a channel of
// single parts costs more than reading them. BenchmarkReply measures it.
type mailbox struct {
	mu          sync.Mutex
	parts       []part
	ready, room chan struct{} // signals: a part was added, parts were removed
}

// mailboxSize is the greatest number of parts that are read but not consumed.
const mailboxSize = 64

// put adds a part, waits while the mailbox is full, and reports whether the consumer wants more.
func (b *mailbox) put(ctx context.Context, p part) bool {
	b.mu.Lock()
	b.parts = append(b.parts, p)
	n := len(b.parts)
	b.mu.Unlock()
	if n == 1 {
		select {
		case b.ready <- struct{}{}:
		default:
		}
	}
	if n < mailboxSize {
		return ctx.Err() == nil
	}
	select {
	case <-b.room:
		return true
	case <-ctx.Done():
		return false
	}
}

// take waits for parts and returns all of them, or none when the context has ended. The memory of
// the parts that it returned before (spent) is reused.
func (b *mailbox) take(ctx context.Context, spent []part) []part {
	clear(spent)
	for {
		b.mu.Lock()
		list := b.parts
		if len(list) > 0 {
			b.parts = spent[:0]
		}
		b.mu.Unlock()
		if len(list) >= mailboxSize {
			b.room <- struct{}{} // put waits for this signal
		}
		if len(list) > 0 {
			return list
		}
		select {
		case <-b.ready:
		case <-ctx.Done():
			return nil
		}
	}
}

// reader converts messages to chunks.
type reader struct {
	sink            func(llm.Chunk, error) bool
	o               Options
	stopped         bool
	text, reasoning wire.RuneJoiner
	byIndex         map[int]int // from the Index of a call to its position
	calls           []callReader
	thinking        bool // reasoning arrived
	sealed          bool // a seal of a talewright model arrived
	finish          llm.FinishReason
	warned          bool
}

// callReader is the state of one call.
type callReader struct {
	id        string
	arguments wire.RuneJoiner
}

func (r *reader) say(chunk llm.Chunk) {
	r.stopped = r.stopped || !r.sink(chunk, nil)
}

// read processes a message and reports whether more is wanted.
func (r *reader) read(m *schema.Message) bool {
	if m == nil {
		return true
	}
	for _, w := range warningsOf(m.Extra) {
		r.say(w)
	}
	if text := r.reasoning.PushText(m.ReasoningContent); text != "" {
		r.thinking = true
		r.say(llm.ReasoningDelta{Text: text})
	}
	for _, s := range sealsOf(m.Extra) {
		r.sealed = true
		r.say(s)
	}
	text, all := outputText(m)
	if piece := r.text.PushText(text); piece != "" {
		r.say(llm.TextDelta{Text: piece})
	}
	for _, c := range m.ToolCalls {
		r.call(c)
	}
	if !all && !r.warned {
		r.warned = true
		r.say(llm.Warning{Code: partLeftOut, Detail: "the reply has pictures, sounds or other parts"})
	}
	if meta := m.ResponseMeta; meta != nil {
		if meta.Usage != nil {
			r.say(llm.UsageReport{Usage: usageOf(meta.Usage)})
		}
		if reason := finishOf(meta.FinishReason); reason != "" {
			r.finish = reason
		}
	}
	return !r.stopped
}

// call processes a part of a call.
func (r *reader) call(c schema.ToolCall) {
	at, known := 0, false
	if c.Index != nil {
		at, known = r.byIndex[*c.Index]
	}
	if !known {
		at = len(r.calls)
		r.calls = append(r.calls, callReader{})
		if c.Index != nil {
			if r.byIndex == nil {
				r.byIndex = map[int]int{}
			}
			r.byIndex[*c.Index] = at
		}
	}
	call := &r.calls[at]
	call.id = cmp.Or(call.id, c.ID)
	signature, _ := c.Extra[signatureKey].(string)
	r.say(llm.CallDelta{Index: at, ID: c.ID, Name: c.Function.Name,
		Arguments: call.arguments.PushText(c.Function.Arguments), Signature: signature})
}

// end ends the reply with the last error of Recv.
func (r *reader) end(err error) {
	if text := r.reasoning.End(); text != "" {
		r.say(llm.ReasoningDelta{Text: text})
	}
	if text := r.text.End(); text != "" {
		r.say(llm.TextDelta{Text: text})
	}
	for i := range r.calls {
		call := &r.calls[i]
		rest := llm.CallDelta{Index: i, Arguments: call.arguments.End()}
		if call.id == "" {
			rest.ID = fmt.Sprintf("call_%03d", i+1)
		}
		if rest.ID != "" || rest.Arguments != "" {
			r.say(rest)
		}
	}
	if r.finish == "" && r.o.EndWithoutReason {
		r.finish = llm.FinishStop
	}
	if r.finish == llm.FinishStop && len(r.calls) > 0 {
		r.finish = llm.FinishToolCalls
	}
	switch {
	case r.stopped:
	case !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		r.sink(nil, r.failure(err))
	case r.finish != "":
		if r.thinking && !r.sealed && len(r.calls) > 0 {
			r.say(llm.Seal{Provider: provider})
		}
		if !r.stopped {
			r.sink(llm.Done{Reason: r.finish}, nil)
		}
	default:
		r.sink(nil, llm.Incomplete("the stream ended without a finish reason"))
	}
}

// failure converts an error of a model to an error of talewright.
func (r *reader) failure(err error) error {
	if failure, ok := errors.AsType[*llm.Error](err); ok {
		return failure
	}
	if r.o.Classify != nil {
		if failure := r.o.Classify(err); failure != nil {
			return failure
		}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return llm.Incomplete("the stream broke off")
	}
	if failure, ok := errors.AsType[net.Error](err); ok {
		if failure.Timeout() {
			return &llm.Error{Code: llm.CodeTimeout, Retry: true, Err: err}
		}
		return &llm.Error{Code: llm.CodeNetwork, Retry: true, Err: err}
	}
	return &llm.Error{Code: llm.CodeUnknown, Err: err}
}

// finishOf converts the finish reasons of Eino models.
func finishOf(reason string) llm.FinishReason {
	switch strings.ToLower(reason) {
	case "", "null":
		return ""
	case "stop", "end_turn", "stop_sequence":
		return llm.FinishStop
	case "length", "max_tokens", "model_context_window_exceeded":
		return llm.FinishLength
	case "tool_calls", "tool_use", "function_call":
		return llm.FinishToolCalls
	case "content_filter", "refusal", "safety", "recitation", "prohibited_content":
		return llm.FinishContentFilter
	}
	return llm.FinishReason(reason)
}

func usageOf(u *schema.TokenUsage) llm.Usage {
	return llm.Usage{
		PromptTokens: u.PromptTokens, CompletionTokens: u.CompletionTokens,
		CachedTokens:    u.PromptTokenDetails.CachedTokens,
		ReasoningTokens: u.CompletionTokensDetails.ReasoningTokens,
	}
}

// outputText returns the text of a message, and reports whether the message contains only text.
func outputText(m *schema.Message) (text string, all bool) {
	all = m.ResponseMeta == nil || m.ResponseMeta.LogProbs == nil
	if len(m.AssistantGenMultiContent) == 0 {
		return m.Content, all && len(m.MultiContent) == 0
	}
	var b strings.Builder
	for _, p := range m.AssistantGenMultiContent {
		if p.Type == schema.ChatMessagePartTypeText {
			b.WriteString(p.Text)
		} else {
			all = false
		}
	}
	return b.String(), all
}
