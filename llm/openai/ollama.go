package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// Ollama makes a client use the native protocol of Ollama, /api/chat, instead of the chat
// completions. Only there can the context length be chosen. A server with the default length
// truncates longer prompts without a message.
//
// Options have Ollama's names; [Config.Names] and Config.JSON are ignored. A Format is sent
// unchanged, and ReasoningEffort becomes think ("none" is false). Ollama refuses low, medium and high
// for most models that think; these think unless it is "none". Options.ToolChoice is not sent,
// because Ollama does not have it, but "none" removes the tools. The Extra of options and
// [Config.Body] are added to the request, not to its "options". Images are sent as bytes; images
// with a URL are refused.
type Ollama struct {
	// NumCtx is the length of the context in tokens; 0 means the server's default.
	NumCtx int
	// KeepAlive is how long the model stays in memory: a time such as "10m", or a number of seconds
	// such as "600". A negative value means for ever; empty means the server's default.
	KeepAlive string
}

// problem returns the error of a configuration that every request would be refused for.
func (o *Ollama) problem() error {
	if o == nil || o.KeepAlive == "" {
		return nil
	}
	text, isText := o.keepAlive().(string)
	if _, err := time.ParseDuration(text); isText && err != nil {
		return fmt.Errorf("openai: Ollama.KeepAlive is %q; give a time such as \"10m\", a number of seconds, or \"-1\" for ever", o.KeepAlive)
	}
	return nil
}

// keepAlive returns KeepAlive in the form for a request: the server accepts seconds only as a
// number.
func (o *Ollama) keepAlive() any {
	if seconds, err := strconv.Atoi(o.KeepAlive); err == nil {
		return seconds
	}
	return o.KeepAlive
}

// native returns the address of the native chat.
func (s *settings) native() string {
	u := s.endpoint
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/chat/completions"), "/v1") + "/api/chat"
	return u.String()
}

// ollamaThinking is the member with the thinking of a message. It is sent back with the calls of
// the same turn.
const ollamaThinking = "thinking"

func (s *settings) ollama(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	req.Model = cmp.Or(req.Model, s.config.Model)
	estimate := func() int { return s.config.EstimateTokens(req) }
	return s.replies.Chunks(ctx,
		func() (*http.Response, error) {
			return s.send(ctx, s.native(), func() ([]byte, error) { return encodeOllama(req, s.config) })
		},
		func(body io.Reader) iter.Seq2[llm.Chunk, error] { return decodeOllama(body, estimate) })
}

// encodeOllama encodes the body of a request.
func encodeOllama(req llm.Request, config Config) ([]byte, error) {
	body, err := newBody(req, config)
	if err != nil {
		return nil, err
	}
	body["stream"] = true
	messages := make([]members, len(req.Messages))
	var problems []error
	for i, m := range req.Messages {
		var err error
		if messages[i], err = encodeOllamaMessage(m); err != nil {
			problems = append(problems, fmt.Errorf("messages[%d]: %w", i, err))
		}
	}
	body["messages"] = messages
	if len(req.Tools) > 0 && req.Options.ToolChoice != "none" {
		tools := make([]members, len(req.Tools))
		for i, t := range req.Tools {
			if len(t.Parameters) > 0 && !json.Valid(t.Parameters) {
				problems = append(problems, fmt.Errorf("the parameters of tool %q are not JSON", t.Name))
			}
			tools[i] = encodeTool(t)
		}
		body["tools"] = tools
	}
	switch f := req.Options.Format; {
	case f == nil:
	case len(f.Schema) == 0:
		body["format"] = "json"
	case !json.Valid(f.Schema):
		problems = append(problems, errors.New("the schema of Options.Format is not JSON"))
	default:
		body["format"] = f.Schema
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	addOllamaOptions(body, req.Options, *config.Ollama)
	return json.Marshal(body)
}

func addOllamaOptions(body members, o llm.Options, native Ollama) {
	switch o.ReasoningEffort {
	case "":
	case "none":
		body["think"] = false
	default:
		body["think"] = o.ReasoningEffort
	}
	if native.KeepAlive != "" {
		body["keep_alive"] = native.keepAlive()
	}
	given := members{}
	o.ReasoningEffort, o.ToolChoice = "", ""
	addOptions(given, o)
	for ours, theirs := range map[string]string{"max_tokens": "num_predict", "repetition_penalty": "repeat_penalty"} {
		if v, ok := given[ours]; ok {
			delete(given, ours)
			given[theirs] = v
		}
	}
	if native.NumCtx > 0 {
		given["num_ctx"] = native.NumCtx
	}
	if len(given) > 0 {
		body["options"] = given
	}
}

func encodeOllamaMessage(m llm.Message) (members, error) {
	out := members{}
	addExtra(out, m.Extra)
	addThoughts(out, m, ollamaThinking)
	out["role"], out["content"] = m.Role, m.Text
	if m.Role == llm.Tool && m.Name != "" {
		out["tool_name"] = m.Name
	}
	var images []string
	for j, image := range m.Images {
		if len(image.Data) == 0 {
			return nil, fmt.Errorf("images[%d]: Ollama takes the bytes of an image, not its address", j)
		}
		images = append(images, base64.StdEncoding.EncodeToString(image.Data))
	}
	if len(images) > 0 {
		out["images"] = images
	}
	var calls []members
	for _, c := range m.ToolCalls {
		calls = append(calls, members{"function": members{"name": c.Name, "arguments": json.RawMessage(argumentsOf(c))}})
	}
	if len(calls) > 0 {
		out["tool_calls"] = calls
	}
	return out, nil
}

// decodeOllama reads a body of lines, each a JSON object. It keeps the contract of
// [llm.Model] for sequences.
func decodeOllama(body io.Reader, estimate func() int) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		r := &ollamaReply{out: wire.Emitter{Yield: yield}, thinking: thinking{member: ollamaThinking}, estimate: estimate}
		in := bufio.NewReaderSize(body, 32<<10)
		for !r.out.Stopped() {
			line, err := readLine(in)
			if text := bytes.TrimSpace(line); len(text) > 0 && (err == nil || err == io.EOF) {
				if failure := r.line(text); failure != nil {
					if errors.Is(failure, io.ErrUnexpectedEOF) && err == nil {
						failure = wire.Malformed(text, errors.New("the JSON text ends too early"))
					}
					r.out.Fail(failure)
					return
				}
			}
			switch {
			case r.done:
				r.end()
				return
			case err == io.EOF:
				r.out.Fail(llm.Incomplete("the stream ended before the line that is done"))
				return
			case err != nil:
				r.out.Fail(wire.Broken(err))
				return
			}
		}
	}
}

// readLine reads a line of at most [wire.MaxEvent] bytes.
func readLine(in *bufio.Reader) ([]byte, error) {
	var long []byte
	for {
		piece, err := in.ReadSlice('\n')
		if err != bufio.ErrBufferFull {
			if long == nil {
				return piece, err
			}
			return append(long, piece...), err
		}
		if long = append(long, piece...); len(long) > wire.MaxEvent {
			return nil, wire.ErrEventTooLong
		}
	}
}

// ollamaReply is the state of one streamed reply.
type ollamaReply struct {
	out      wire.Emitter
	estimate func() int
	calls    int
	thinking thinking
	count    wire.Counts
	finish   llm.FinishReason
	done     bool
}

// line passes on the content of one line.
func (r *ollamaReply) line(text []byte) error {
	if text[0] == '<' {
		return llm.Incomplete("the body is a web page: " + wire.Begin(text))
	}
	v, err := wire.Parse(text)
	switch {
	case err != nil:
		return err
	case !v.IsObject():
		return wire.Malformed(v, errors.New("a line is not an object"))
	}
	var message, failure, done, reason wire.Value
	v.Pick(wire.As("message", &message), wire.As("error", &failure), wire.As("done", &done), wire.As("done_reason", &reason))
	if wire.Failing(string(failure)) {
		return wire.Reported(v)
	}
	if err := r.message(message); err != nil {
		return err
	}
	if string(done) == "true" {
		r.done = true
		r.finish = finishReason(cmp.Or(reason.Word(), string(llm.FinishStop)))
		r.count.Add(v, "prompt_eval_count", "eval_count")
	}
	return nil
}

// message passes on the next part of the message.
func (r *ollamaReply) message(m wire.Value) error {
	var thought, text, calls wire.Value
	m.Pick(wire.As(ollamaThinking, &thought), wire.As("content", &text), wire.As("tool_calls", &calls))
	r.thinking.came = r.thinking.came || !thought.Null() && !thought.Is("")
	if err := r.out.Reasoning(thought); err != nil {
		return err
	}
	if err := r.out.Text(text); err != nil {
		return err
	}
	n := 0
	for c := calls.Elements(); c.Next() && !r.out.Stopped(); {
		if n++; n > maxList {
			return errList(m)
		}
		if err := r.call(c.Value); err != nil {
			return err
		}
	}
	return nil
}

// call passes on a call, which arrives as a whole.
func (r *ollamaReply) call(v wire.Value) error {
	function := v.Get("function")
	arguments := function.Get("arguments")
	switch {
	case arguments.Null():
		arguments = wire.Value("{}")
	case arguments[0] == '"':
		text, err := wire.Unquote(arguments)
		if err != nil {
			return err
		}
		arguments = wire.Value(strings.ToValidUTF8(string(text), "\uFFFD"))
	}
	r.calls++
	r.out.Emit(llm.CallDelta{Index: r.calls - 1, ID: cmp.Or(v.Get("id").Word(), fmt.Sprintf("call_%03d", r.calls)),
		Name: function.Get("name").Word(), Arguments: strings.ToValidUTF8(string(arguments), "\uFFFD")})
	return nil
}

// end ends a complete reply.
func (r *ollamaReply) end() {
	r.out.Flush()
	if seal := r.thinking.seal(); seal != nil && r.calls > 0 {
		r.out.Emit(seal)
	}
	prompt := 0
	report := r.count.Report(func(count map[string]int) llm.Usage {
		prompt = count["prompt_eval_count"]
		return llm.Usage{PromptTokens: prompt, CompletionTokens: count["eval_count"]}
	})
	if usage, ok := report.(llm.UsageReport); ok {
		usage.Usage.Extra = nil // durations and other members of the line
		report = usage
	}
	if report != nil {
		r.out.Emit(report)
	}
	if warning, ok := promptCut(prompt, r.estimate()); ok {
		r.out.Emit(warning)
	}
	// The server ends a reply with calls in the same way as a reply with text.
	if r.finish == llm.FinishStop && r.calls > 0 {
		r.finish = llm.FinishToolCalls
	}
	r.out.Done(r.finish)
}
