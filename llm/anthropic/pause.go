package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// A server that uses its own tools may pause its reply. It wants to receive the content that it has
// written, unchanged, and continues from there. The consumer sees one reply.

// maxPauses is how often a reply continues. maxStored is how many bytes of all its parts are stored,
// because each request sends all of them again. A reply that pauses more often, or is larger, ends
// with the reason pause_turn.
const (
	maxPauses = 8
	maxStored = 4 << 20
)

// mayPause reports whether a request lets the server use its own tools. They have no typed fields,
// so they are in an Extra or in the configuration.
func mayPause(config Config, req llm.Request) bool {
	extras := []map[string]json.RawMessage{config.Body, req.Extra, req.Options.Extra}
	return slices.ContainsFunc(extras, func(extra map[string]json.RawMessage) bool {
		return len(extra["tools"]) > 0 || len(extra["mcp_servers"]) > 0
	})
}

// generate is Generate without the limits.
func (s *settings) generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		r := &reply{storesContent: mayPause(s.config, req)}
		var written []json.RawMessage // the content before the last pause
		stream := s.replies           // its limit is for all parts together
		send := func() (*http.Response, error) {
			params, err := encode(req, s.config)
			if err == nil {
				params, err = withWritten(params, written)
			}
			if err != nil {
				return nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: err}
			}
			return s.send(ctx, params)
		}
		for {
			var size int64
			read := func(body io.Reader) iter.Seq2[llm.Chunk, error] { return r.read(&countingReader{body, &size}) }
			for chunk, err := range stream.Chunks(ctx, send, read) {
				if !yield(chunk, err) || err != nil {
					return
				}
			}
			if !r.paused {
				return
			}
			blocks, err := r.written()
			if err != nil {
				yield(nil, err)
				return
			}
			written = append(written, blocks...)
			stream, r = stream.After(size), r.nextPart()
		}
	}
}

// nextPart returns the state of the part of a reply after a pause.
func (r *reply) nextPart() *reply {
	pauses := r.pauses + 1
	return &reply{
		storesContent: pauses < maxPauses, storedBytes: r.storedBytes, pauses: pauses, calls: r.calls, earlierUsage: r.earlierUsage,
	}
}

// countingReader adds the bytes that it reads to a size.
type countingReader struct {
	in   io.Reader
	size *int64
}

// Read implements io.Reader.
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	*c.size += int64(n)
	return n, err
}

// send sends a request with the SDK and takes the response before the SDK reads it.
func (s *settings) send(ctx context.Context, params sdk.MessageNewParams) (*http.Response, error) {
	return wire.Capture(ctx, func(ctx context.Context) error {
		stream := s.messages.NewStreaming(ctx, params)
		defer stream.Close()
		return stream.Err()
	})
}

// withWritten appends the content that the server wrote before its pause to the end of the chat.
func withWritten(params sdk.MessageNewParams, blocks []json.RawMessage) (sdk.MessageNewParams, error) {
	if len(blocks) == 0 {
		return params, nil
	}
	body, err := members(params)
	if err != nil {
		return params, err
	}
	var messages []json.RawMessage
	if err := json.Unmarshal(body["messages"], &messages); err != nil {
		return params, err
	}
	turn, err := json.Marshal(map[string]any{"role": "assistant", "content": blocks})
	if err != nil {
		return params, err
	}
	if body["messages"], err = json.Marshal(append(messages, turn)); err != nil {
		return params, err
	}
	return withMembers(body)
}

// storedBlock is a block as the server wrote it, to be sent back after a pause.
type storedBlock struct {
	start                 json.RawMessage
	text, thinking, input storedText
	signature             strings.Builder
	citations             []json.RawMessage
}

// storedText is a text that came in pieces.
type storedText struct {
	strings.Builder
	joiner wire.RuneJoiner
}

func (t *storedText) add(literal wire.Value) error {
	piece, err := t.joiner.PushJSON(literal)
	t.WriteString(piece)
	return err
}

// mayStore counts the bytes that are stored, and reports whether v may be stored too.
func (r *reply) mayStore(v wire.Value) bool {
	if !r.storesContent {
		return false
	}
	if r.storedBytes += len(v); r.storedBytes > maxStored {
		r.storesContent, r.content = false, nil
	}
	return r.storesContent
}

// storeStart stores the start of a block.
func (r *reply) storeStart(b *block, content wire.Value) {
	if r.mayStore(content) {
		b.stored = &storedBlock{start: slices.Clone(json.RawMessage(content))}
		r.content = append(r.content, b.stored)
	}
}

// add stores a part of the block.
func (b *storedBlock) add(kind, delta wire.Value) error {
	switch {
	case kind.Is("text_delta"):
		return b.text.add(delta.Get("text"))
	case kind.Is("thinking_delta"):
		return b.thinking.add(delta.Get("thinking"))
	case kind.Is("input_json_delta"):
		return b.input.add(delta.Get("partial_json"))
	case kind.Is("signature_delta"):
		b.signature.WriteString(delta.Get("signature").Word())
	case kind.Is("citations_delta"):
		if c := delta.Get("citation"); c.IsObject() {
			b.citations = append(b.citations, slices.Clone(json.RawMessage(c)))
		}
	}
	return nil
}

// whole returns the block in one piece.
func (b *storedBlock) whole() (json.RawMessage, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(b.start, &m); err != nil || m == nil {
		return nil, wire.Malformed(b.start, errors.New("a block is not an object"))
	}
	for name, rest := range map[string]string{"text": b.text.String(), "thinking": b.thinking.String(), "signature": b.signature.String()} {
		if rest == "" {
			continue
		}
		var begin string
		_ = json.Unmarshal(m[name], &begin) // a value that is not a text counts as empty
		text, err := json.Marshal(begin + rest)
		if err != nil {
			return nil, err
		}
		m[name] = text
	}
	if input := b.input.String(); strings.TrimSpace(input) != "" {
		if !json.Valid([]byte(input)) {
			return nil, &llm.Error{Code: llm.CodeMalformed, Retry: true,
				Message: "the arguments of a call never became JSON: " + wire.Begin(input)}
		}
		m["input"] = json.RawMessage(input)
	}
	if len(b.citations) > 0 {
		var all []json.RawMessage
		_ = json.Unmarshal(m["citations"], &all) // null: there were no citations
		data, err := json.Marshal(append(all, b.citations...))
		if err != nil {
			return nil, err
		}
		m["citations"] = data
	}
	return json.Marshal(m)
}

// written returns the blocks of a paused reply.
func (r *reply) written() (out []json.RawMessage, err error) {
	for _, stored := range r.content {
		block, err := stored.whole()
		if err != nil {
			return nil, err
		}
		out = append(out, block)
	}
	return out, nil
}

// pause ends a part of a reply if the reply is paused and can continue. It reports whether it did.
func (r *reply) pause() bool {
	if r.finish != paused || !r.storesContent || len(r.content) == 0 {
		return false
	}
	r.out.Flush()
	for _, warning := range r.notes.Warnings() {
		r.out.Emit(warning)
	}
	if report, ok := r.count.Report(r.sum).(llm.UsageReport); ok {
		r.earlierUsage = report.Usage
	}
	r.paused = !r.out.Stopped()
	return true
}

// paused is the server's stop reason for a reply that continues when it is sent back.
const paused = "pause_turn"

// sum adds the counts of this part to the counts of the earlier parts, because each part is paid
// for.
func (r *reply) sum(count map[string]int) llm.Usage {
	u := sum(count)
	u.PromptTokens += r.earlierUsage.PromptTokens
	u.CompletionTokens += r.earlierUsage.CompletionTokens
	u.CachedTokens += r.earlierUsage.CachedTokens
	u.CacheWriteTokens += r.earlierUsage.CacheWriteTokens
	return u
}

// read reads the body of a successful response into the reply.
func (r *reply) read(body io.Reader) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		r.out = wire.Emitter{Yield: yield}
		r.body(wire.NewEvents(body))
	}
}
