package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/wrap"
)

// Config says which server to talk to, and how. Only BaseURL and a model, here
// or in the request, are needed.
type Config struct {
	// BaseURL is the server's address, with or without a trailing slash and
	// with or without the path: http://localhost:11434,
	// https://openrouter.ai/api/v1/ and https://host/v1/chat/completions are
	// all fine. A bare host means the path /v1. A query is kept.
	BaseURL string
	// Key is sent as a bearer token. Empty: no Authorization header, as local
	// servers like it.
	Key string
	// Model is used by requests that name none.
	Model string
	// HTTPClient is the client to use, for proxies, limits and tests. nil means
	// one without a time limit: replies take minutes, contexts end them. The
	// client is copied; its CheckRedirect is not used.
	HTTPClient *http.Client
	// Header is added to every request and wins over the headers set here.
	Header http.Header
	// Body is added to the JSON of every request; see the package comment.
	Body map[string]json.RawMessage

	// SplitThinking, if not nil, takes blocks between tags out of the text. The
	// zero value of the splitter looks for <think>.
	SplitThinking *wrap.ThinkSplitter
	// Reasoning is the member under which the server wants back what it has thought before
	// it made calls, in the next request of the same turn: reasoning_content for DeepSeek
	// and others, [ReasoningDetails] for OpenRouter. Empty: thinking is not sent back.
	Reasoning string
	// PrefillMarks tell the server that a last message of the assistant is to be continued,
	// where it wants to be told.
	PrefillMarks PrefillMarks
	// NoStreamOptions leaves stream_options out, for servers that refuse it.
	// Then most of them report no usage.
	NoStreamOptions bool
	// Names are the server's names for options, by ours, the members of the JSON of
	// [llm.Options]: {"max_tokens": "max_completion_tokens"}. An empty name leaves the
	// option out, for servers that refuse it. Options that are not named here go
	// under our names.
	Names map[string]string
	// Tools says how tools are offered. The zero value finds out.
	Tools ToolMode
	// JSON is how the server takes Options.Format. The zero value sends the schema.
	JSON JSONMode
	// Limits bound what a reply may hold and how long the server may be silent;
	// see [llm.Limits] for the defaults and the errors.
	Limits llm.Limits
	// MaxStream is the longest response that is read, in bytes after
	// decompression, comments and blank lines included. 0 means 512 MiB, a
	// negative number no limit. A longer one is an [*llm.Error] with
	// CodeTooLarge. A single event may hold 16 MiB.
	MaxStream int64
	// Ollama, if not nil, speaks the native protocol of Ollama to the server; see [Ollama].
	Ollama *Ollama
	// EstimateTokens guesses the length of a request, to notice a prompt that
	// the server cut. nil means a rough count: a token per CJK character and
	// per four others.
	EstimateTokens func(llm.Request) int
}

// ToolMode is how a server is offered tools.
type ToolMode int

// The ways to offer tools. What "in the text" means stands at [wrap.TextTools].
const (
	ToolsAuto   ToolMode = iota // natively; in the text once the server says that it has none
	ToolsNative                 // natively; a server without tools is an error with CodeNoTools
	ToolsInText                 // in the text
)

// JSONMode is how a server is asked for JSON.
type JSONMode int

// The ways in which servers take a format.
const (
	JSONSchema JSONMode = iota // response_format with the schema
	JSONObject                 // response_format json_object; the schema is not sent
	JSONNone                   // not at all
)

// Client is an [llm.Model] behind an OpenAI-compatible server. It is immutable
// and safe for concurrent use.
type Client struct {
	s    func() *settings
	chat llm.Model
}

// settings are a client's. A client holds them as a function, so that no way of
// printing it, or what it stands in, shows what is in them.
type settings struct {
	endpoint string       // address of the chat completions
	header   http.Header  // of every request
	http     *http.Client // follows no redirect
	config   Config       // with its defaults filled in
	door     wire.Door    // how replies come in
}

var _ llm.Model = (*Client)(nil)

// New checks the configuration and returns a client. It sends nothing. The
// error lists all that is wrong with the configuration.
func New(config Config) (*Client, error) {
	access := config.access()
	problems := access.Problems()
	endpoint, err := endpointOf(access)
	if err != nil {
		problems = append([]error{err}, problems...)
	}
	if slices.Contains(ownMembers, config.Reasoning) {
		problems = append(problems, errReasoning)
	}
	if len(problems) > 0 {
		return nil, access.Secrets().Redact(errors.Join(problems...))
	}
	// The caller may go on changing what the configuration points to.
	config.Body = maps.Clone(config.Body)
	config.Names = maps.Clone(config.Names)
	config.PrefillMarks = config.PrefillMarks.clone()
	if config.SplitThinking != nil {
		config.SplitThinking = new(*config.SplitThinking)
	}
	if config.Ollama != nil {
		config.Ollama = new(*config.Ollama)
	}
	if config.EstimateTokens == nil {
		config.EstimateTokens = estimateTokens
	}
	s := &settings{
		endpoint: endpoint,
		header:   headerOf(config),
		http:     wire.NoRedirects(config.HTTPClient),
		config:   config,
		door:     wire.Door{Secrets: access.Secrets(), MaxStream: config.MaxStream, Idle: config.Limits.Idle},
	}
	return newClient(s), nil
}

// access is what the configuration says about the way to the server.
func (c Config) access() wire.Access {
	return wire.Access{Package: "openai", BaseURL: c.BaseURL, Key: c.Key, Model: c.Model, Header: c.Header, Body: c.Body}
}

// endpointOf completes a base URL to the address of the chat completions.
func endpointOf(access wire.Access) (string, error) {
	u, err := access.Address("http://localhost:11434/v1")
	if err != nil {
		return "", err
	}
	path := strings.TrimRight(u.Path, "/")
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
	case path == "":
		path = "/v1/chat/completions"
	default:
		path += "/chat/completions"
	}
	u.Path, u.RawPath, u.Fragment = path, "", ""
	return u.String(), nil
}

// headerOf builds the headers that all requests share. Those of the
// configuration come last and win.
func headerOf(config Config) http.Header {
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "text/event-stream")
	if config.Key != "" {
		header.Set("Authorization", "Bearer "+config.Key)
	}
	for name, values := range config.Header {
		header[http.CanonicalHeaderKey(name)] = slices.Clone(values)
	}
	return header
}

// newClient puts around the plain chat what the configuration asks for.
func newClient(s *settings) *Client {
	speak := s.chat
	if s.config.Ollama != nil {
		speak = s.ollama
	}
	chat := s.wrap(llm.ModelFunc(speak))
	return &Client{s: func() *settings { return s }, chat: chat}
}

// wrap puts the limits, the thinking and the tools of the configuration around a
// model.
func (s *settings) wrap(m llm.Model) llm.Model {
	m = llm.Limit(m, s.config.Limits)
	if s.config.SplitThinking != nil {
		m = wrap.SplitThinking(m, *s.config.SplitThinking)
	}
	switch s.config.Tools {
	case ToolsAuto:
		m = wrap.TextTools(m, wrap.TextToolsAuto)
	case ToolsInText:
		m = wrap.TextTools(m, wrap.TextToolsAlways)
	}
	return m
}

// Generate sends the request and streams the reply; see [llm.Model] for the
// contract and the package comment for the rules.
func (c *Client) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return c.chat.Generate(ctx, req)
}

// chat sends a request to the chat completions.
func (s *settings) chat(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	req.Model = cmp.Or(req.Model, s.config.Model)
	return s.stream(ctx, req, s.endpoint, func() ([]byte, error) { return encodeRequest(req, s.config) })
}

// stream posts a body and reads the reply.
func (s *settings) stream(ctx context.Context, req llm.Request, address string, encode func() ([]byte, error)) iter.Seq2[llm.Chunk, error] {
	estimate := func() int { return s.config.EstimateTokens(req) }
	return s.door.Stream(ctx,
		func() (*http.Response, error) { return s.send(ctx, address, encode) },
		func(body io.Reader) iter.Seq2[llm.Chunk, error] { return decode(body, s.config.Reasoning, estimate) })
}

// send posts a body. The caller closes the body of the response.
func (s *settings) send(ctx context.Context, address string, encode func() ([]byte, error)) (*http.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	body, err := encode()
	if err != nil {
		return nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: err}
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: err}
	}
	post.Header = s.header.Clone()
	return wire.Do(s.http, post)
}

// sibling is the address of another door of the server, next to the chat.
func (s *settings) sibling(door string) string {
	u, err := url.Parse(s.endpoint)
	if err != nil {
		return s.endpoint // New has parsed it
	}
	u.Path = strings.TrimSuffix(u.Path, "chat/completions") + door
	return u.String()
}
