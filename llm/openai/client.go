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

// Config configures the server and the client. Only BaseURL and a model, here or in the request,
// are required.
type Config struct {
	// BaseURL is the server's address, with or without a trailing slash and with or without the
	// path. http://localhost:11434, https://openrouter.ai/api/v1/ and
	// https://host/v1/chat/completions are all valid. For an address without a path the path is
	// /v1. A query is kept.
	BaseURL string
	// Key is sent as a bearer token. Empty: the Authorization header is not sent, as local servers
	// expect.
	Key string
	// Model is the model for requests that name no model.
	Model string
	// HTTPClient is the client to use, for proxies, limits and tests. nil means a client without a
	// time limit: replies take minutes, and contexts end them. The client is copied; its
	// CheckRedirect is not used.
	HTTPClient *http.Client
	// Header is added to every request and takes precedence over the headers of this package.
	Header http.Header
	// Body is added to the JSON of every request; see the package comment.
	Body map[string]json.RawMessage

	// SplitThinking, if not nil, moves blocks between tags from the text to the reasoning. The zero
	// splitter looks for <think>.
	SplitThinking *wrap.ThinkSplitter
	// Reasoning is the member for the thinking that led to calls: reasoning_content for DeepSeek and
	// others, [ReasoningDetails] for OpenRouter. These servers want it back in the next request of the
	// same turn. Empty: thinking is not sent back.
	Reasoning string
	// PrefillMarks are for servers that continue a last message of the assistant only if it has
	// such marks.
	PrefillMarks PrefillMarks
	// NoStreamOptions omits stream_options, for servers that refuse it. Most of them then report no
	// usage.
	NoStreamOptions bool
	// Names maps our names of options to the server's names. Our names are the JSON members of
	// [llm.Options]: {"max_tokens": "max_completion_tokens"}. An empty name omits the option, for
	// servers that refuse it. Options that are not in the map keep our names.
	Names map[string]string
	// MaxStops is the greatest number of stop texts that the server accepts; OpenAI accepts 4. If a
	// request has more, the client sends the first ones, cuts the text itself and stops reading. Such
	// a reply has no usage report. 0 means no limit, a negative number sends none.
	MaxStops int
	// Tools says how tools are sent. The zero value detects it.
	Tools ToolMode
	// JSON says how Options.Format is sent. The zero value sends the schema.
	JSON JSONMode
	// Limits limit the size of a reply and the waits for its chunks; see [llm.Limits] for the
	// defaults and the errors.
	Limits llm.Limits
	// MaxStream is the longest response that is read, in bytes after decompression, including
	// comments and blank lines. 0 means 512 MiB, a negative number means no limit. A longer
	// response is an [*llm.Error] with CodeTooLarge. A single event may have 16 MiB.
	MaxStream int64
	// Ollama, if not nil, selects the native protocol of Ollama; see [Ollama].
	Ollama *Ollama
	// EstimateTokens estimates the length of a request, to detect a prompt that the server
	// truncated. If it is nil, a rough count is used: one token for each CJK character, and one for
	// four other characters.
	EstimateTokens func(llm.Request) int
}

// ToolMode says how tools are sent to a server.
type ToolMode int

// The ways to send tools. [wrap.TextTools] explains "in the text".
const (
	ToolsAuto   ToolMode = iota // natively; in the text once the server reports that it does not support tools
	ToolsNative                 // natively; a server without tools is an error with CodeNoTools
	ToolsInText                 // in the text
)

// JSONMode says how JSON is requested from a server.
type JSONMode int

// The ways to send a format.
const (
	JSONSchema JSONMode = iota // response_format with the schema; strict if the schema allows it
	JSONObject                 // response_format json_object; the schema is not sent
	JSONNone                   // not at all
)

// Client is an [llm.Model] that uses an OpenAI-compatible server. It is immutable and safe for
// concurrent use.
type Client struct {
	s    func() *settings
	chat llm.Model
}

// settings are the settings of a client. A client holds them as a function, so that printing the
// client, or a value that contains it, never shows them.
type settings struct {
	endpoint url.URL      // address of the chat completions
	header   http.Header  // of every request
	http     *http.Client // follows no redirect
	config   Config       // with its defaults filled in
	replies  wire.Stream  // reads replies
}

var _ llm.Model = (*Client)(nil)

// New checks the configuration and returns a client. It sends nothing. The error lists all mistakes
// in the configuration.
func New(config Config) (*Client, error) {
	access := config.access()
	endpoint, err := endpointOf(access)
	problems := append([]error{err}, access.Problems()...)
	if slices.Contains(ownMembers, config.Reasoning) {
		problems = append(problems, errReasoning)
	}
	if err := errors.Join(append(problems, config.Ollama.problem())...); err != nil {
		return nil, access.Secrets().Redact(err)
	}
	// The caller may change the data of the configuration later.
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
		replies:  wire.Stream{Secrets: access.Secrets(), MaxStream: config.MaxStream, Idle: config.Limits.Idle},
	}
	return newClient(s), nil
}

// access returns the access settings of the configuration.
func (c Config) access() wire.Access {
	return wire.Access{Package: "openai", BaseURL: c.BaseURL, Key: c.Key, Model: c.Model, Header: c.Header, Body: c.Body}
}

// endpointOf extends a base URL to the address of the chat completions.
func endpointOf(access wire.Access) (url.URL, error) {
	u, err := access.Address("http://localhost:11434/v1")
	if err != nil {
		return url.URL{}, err
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
	return *u, nil
}

// headerOf returns the headers that all requests share. The headers of the configuration take
// precedence.
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

// newClient returns a client: the plain chat with the wrappers that the configuration asks for.
func newClient(s *settings) *Client {
	speak := s.chat
	if s.config.Ollama != nil {
		speak = s.ollama
	}
	chat := s.wrap(llm.ModelFunc(speak))
	return &Client{s: func() *settings { return s }, chat: chat}
}

// wrap adds the limits, the splitting of thinking, the cutting at stop texts and the tools of the
// configuration to a model.
func (s *settings) wrap(m llm.Model) llm.Model {
	m = llm.Limit(m, s.config.Limits)
	if s.config.SplitThinking != nil {
		m = wrap.SplitThinking(m, *s.config.SplitThinking)
	}
	m = wire.LimitStops(m, s.config.MaxStops)
	switch s.config.Tools {
	case ToolsAuto:
		m = wrap.TextTools(m, wrap.TextToolsAuto)
	case ToolsInText:
		m = wrap.TextTools(m, wrap.TextToolsAlways)
	}
	return m
}

// Generate sends the request and streams the reply. See [llm.Model] for the contract and the
// package comment for the rules.
func (c *Client) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return c.chat.Generate(ctx, req)
}

// chat sends a request to the chat completions.
func (s *settings) chat(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	req.Model = cmp.Or(req.Model, s.config.Model)
	return s.stream(ctx, req, s.endpoint.String(), func() ([]byte, error) { return encodeRequest(req, s.config) })
}

// stream posts a body and reads the reply.
func (s *settings) stream(ctx context.Context, req llm.Request, address string, encode func() ([]byte, error)) iter.Seq2[llm.Chunk, error] {
	estimate := func() int { return s.config.EstimateTokens(req) }
	return s.replies.Chunks(ctx,
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

// sibling returns the address of a different endpoint of the server, next to the chat.
func (s *settings) sibling(path string) string {
	u := s.endpoint
	u.Path = strings.TrimSuffix(u.Path, "chat/completions") + path
	return u.String()
}
