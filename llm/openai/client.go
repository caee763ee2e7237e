package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/talewright/talewright/llm"
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
	SplitThinking *llm.ThinkSplitter
	// NoStreamOptions leaves stream_options out, for servers that refuse it.
	// Then most of them report no usage.
	NoStreamOptions bool
	// MaxTokensField is the name under which Options.MaxTokens is sent. Empty
	// means max_tokens; OpenAI's reasoning models want max_completion_tokens.
	MaxTokensField string
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
	// EstimateTokens guesses the length of a request, to notice a prompt that
	// the server cut. nil means a rough count: a token per CJK character and
	// per four others.
	EstimateTokens func(llm.Request) int
}

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
type Client struct{ s func() *settings }

// settings are a client's. A client holds them as a function, so that no way of
// printing it, or what it stands in, shows what is in them.
type settings struct {
	endpoint string       // address of the chat completions
	header   http.Header  // of every request
	http     *http.Client // follows no redirect
	config   Config       // with its defaults filled in
	secrets  secrets      // what no error may show
}

var _ llm.Model = (*Client)(nil)

// New checks the configuration and returns a client. It sends nothing. The
// error lists all that is wrong with the configuration.
func New(config Config) (*Client, error) {
	var problems []error
	endpoint, err := endpointOf(config.BaseURL)
	if err != nil {
		problems = append(problems, err)
	}
	if strings.ContainsFunc(config.Key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		problems = append(problems, errors.New(
			"openai: Key holds white space or other characters that a header cannot carry"))
	}
	for _, name := range slices.Sorted(maps.Keys(config.Header)) {
		if !validHeader(name, config.Header[name]) {
			problems = append(problems, fmt.Errorf("openai: Header[%q] holds a line break or other "+
				"characters that a header cannot carry", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(config.Body)) {
		if !json.Valid(config.Body[name]) {
			problems = append(problems, fmt.Errorf("openai: Body[%q] is not JSON", name))
		}
	}
	if len(problems) > 0 {
		return nil, secretsOf(config).redact(errors.Join(problems...))
	}
	// The caller may go on changing what the configuration points to.
	config.Body = maps.Clone(config.Body)
	if config.SplitThinking != nil {
		config.SplitThinking = new(*config.SplitThinking)
	}
	switch {
	case config.MaxStream == 0:
		config.MaxStream = defaultStream
	case config.MaxStream < 0:
		config.MaxStream = math.MaxInt64
	}
	if config.EstimateTokens == nil {
		config.EstimateTokens = estimateTokens
	}
	s := &settings{
		endpoint: endpoint,
		header:   headerOf(config),
		http:     httpClientOf(config.HTTPClient),
		config:   config,
		secrets:  secretsOf(config),
	}
	return &Client{func() *settings { return s }}, nil
}

// endpointOf completes a base URL to the address of the chat completions.
func endpointOf(base string) (string, error) {
	if base == "" {
		return "", errors.New("openai: BaseURL is missing; " +
			"give the server's address, such as http://localhost:11434/v1")
	}
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil {
		return "", errors.New("openai: BaseURL is not a URL; " +
			"give the server's address, such as http://localhost:11434/v1")
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", errors.New("openai: BaseURL does not begin with http:// or https:// and a host; " +
			"give the server's address, such as http://localhost:11434/v1")
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

// httpClientOf returns a copy of base that follows no redirect: net/http would
// take along headers of ours that hold a key to wherever a server points.
func httpClientOf(base *http.Client) *http.Client {
	var client http.Client
	if base != nil {
		client = *base
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	return &client
}

// Generate sends the request and streams the reply; see [llm.Model] for the
// contract and the package comment for the rules.
func (c *Client) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	s := c.s()
	model := llm.Limit(llm.ModelFunc(s.generate), s.config.Limits)
	if s.config.SplitThinking != nil {
		model = llm.SplitThinking(model, *s.config.SplitThinking)
	}
	return llm.Once(model.Generate(ctx, req))
}

// generate is Generate without the options that wrap it. Its sequence yields
// the failures of this package; the end of the context goes before all others.
func (c *settings) generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		fail := func(err error) {
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			yield(nil, c.secrets.redact(err))
		}
		response, err := c.send(ctx, req)
		if err != nil {
			fail(err)
			return
		}
		// Closing before the end drops the connection, which is how a server
		// learns that nobody wants the rest.
		defer response.Body.Close()
		if response.StatusCode/100 != 2 {
			fail(refusal(response))
			return
		}
		estimate := func() int { return c.config.EstimateTokens(req) }
		body := &boundedReader{in: response.Body, left: c.config.MaxStream}
		for chunk, err := range decode(body, estimate) {
			// What the network had already delivered does not outlive the context.
			if err != nil || ctx.Err() != nil {
				fail(err)
				return
			}
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

// send posts the request. The caller closes the body of the response.
func (c *settings) send(ctx context.Context, req llm.Request) (*http.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	req.Model = cmp.Or(req.Model, c.config.Model)
	body, err := encodeRequest(req, c.config)
	if err != nil {
		return nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: err}
	}
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: err}
	}
	post.Header = c.header.Clone()
	response, err := c.http.Do(post)
	if err != nil {
		return nil, unreached(err, c.endpoint)
	}
	return response, nil
}
