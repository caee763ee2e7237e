package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// Config says which server to talk to, and how. Only Key and a model, here or in the
// request, are needed.
type Config struct {
	// BaseURL is the server's address, with or without /v1/messages behind it. Empty
	// means https://api.anthropic.com.
	BaseURL string
	// Key is sent as x-api-key. Empty: no such header, for gateways with other means.
	Key string
	// Model is used by requests that name none.
	Model string
	// MaxTokens is the limit of replies to requests that set none, for the server
	// insists on one. 0 means 4096.
	MaxTokens int
	// Budgets are thinking tokens by the word of Options.ReasoningEffort, for models
	// that take a number: {"low": 1024, "high": 16000}. An effort that is not named
	// here goes to the server as a word, with adaptive thinking.
	Budgets map[string]int
	// HTTPClient is the client to use, for proxies, limits and tests. nil means one
	// without a time limit: replies take minutes, contexts end them. The client is
	// copied; its CheckRedirect is not used.
	HTTPClient *http.Client
	// Header is added to every request and wins over the headers set here, such as
	// {"Anthropic-Beta": {…}}.
	Header http.Header
	// Body is added to the JSON of every request; see the package comment.
	Body map[string]json.RawMessage
	// SDK are options of the SDK that come behind all others and win over them. Those of its
	// packages bedrock and vertex, bedrock.WithConfig and vertex.WithCredentials, ask the
	// models of Amazon Bedrock and of Google's Vertex AI: Key is left out then, and the model
	// is named as it is there. HTTPClient is what they sign requests in front of; one that is
	// given as an option of the SDK is used as it is, and may follow redirects.
	SDK []option.RequestOption
	// Limits bound what a reply may hold and how long the server may be silent;
	// see [llm.Limits] for the defaults and the errors.
	Limits llm.Limits
	// MaxStream is the longest response that is read, in bytes after decompression.
	// 0 means 512 MiB, a negative number no limit. A longer one is an [*llm.Error]
	// with CodeTooLarge. A single event may hold 16 MiB.
	MaxStream int64
}

// The values that stand for empty fields of [Config].
const (
	defaultURL       = "https://api.anthropic.com"
	defaultMaxTokens = 4096
)

// Client is an [llm.Model] behind the Messages API. It is immutable and safe for
// concurrent use.
type Client struct {
	s    func() *settings
	chat llm.Model
}

// settings are a client's. A client holds them as a function, so that no way of
// printing it, or what it stands in, shows what is in them.
type settings struct {
	config   Config // with its defaults filled in
	messages sdk.MessageService
	door     wire.Door
}

var _ llm.Model = (*Client)(nil)

// New checks the configuration and returns a client. It sends nothing and reads no
// variable of the environment. The error lists all that is wrong with the
// configuration.
func New(config Config) (*Client, error) {
	config.BaseURL = cmp.Or(config.BaseURL, defaultURL)
	config.MaxTokens = cmp.Or(config.MaxTokens, defaultMaxTokens)
	access := config.access()
	problems := access.Problems()
	address, err := access.Address(defaultURL)
	if err != nil {
		problems = append([]error{err}, problems...)
	}
	if config.MaxTokens < 0 {
		problems = append(problems, errors.New("anthropic: MaxTokens is negative; leave it out for 4096"))
	}
	if len(problems) > 0 {
		return nil, access.Secrets().Redact(errors.Join(problems...))
	}
	// The SDK adds the path by itself.
	address.Path = strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(address.Path, "/"), "/messages"), "/v1")
	query := address.Query()
	address.RawQuery, address.RawPath, address.Fragment = "", "", ""
	// The caller may go on changing what the configuration points to.
	config.Body = maps.Clone(config.Body)
	config.Budgets = maps.Clone(config.Budgets)
	config.Header = config.Header.Clone()
	config.SDK = slices.Clone(config.SDK)

	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithoutOpenTelemetry(),
		option.WithBaseURL(address.String()),
		option.WithHTTPClient(wire.NoRedirects(config.HTTPClient)),
		option.WithMiddleware(wire.PutAway), // in front of what else stands on the way
		option.WithMaxRetries(0),            // wrap.Retry does that, and knows what was shown
		option.WithHeader("Accept", "text/event-stream"),
	}
	if config.Key != "" {
		options = append(options, option.WithAPIKey(config.Key))
	}
	for name, values := range query {
		for _, value := range values {
			options = append(options, option.WithQueryAdd(name, value))
		}
	}
	for name, values := range config.Header {
		options = append(options, option.WithHeaderDel(name))
		for _, value := range values {
			options = append(options, option.WithHeaderAdd(name, value))
		}
	}
	s := &settings{
		config:   config,
		messages: sdk.NewClient(append(options, config.SDK...)...).Messages,
		door:     wire.Door{Secrets: access.Secrets(), MaxStream: config.MaxStream, Idle: config.Limits.Idle},
	}
	return &Client{
		s:    func() *settings { return s },
		chat: llm.Limit(llm.ModelFunc(s.generate), config.Limits),
	}, nil
}

// access is what the configuration says about the way to the server.
func (c Config) access() wire.Access {
	return wire.Access{Package: "anthropic", BaseURL: c.BaseURL, Key: c.Key, Model: c.Model, Header: c.Header, Body: c.Body}
}

// Generate sends the request and streams the reply; see [llm.Model] for the contract
// and the package comment for the rules.
func (c *Client) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return c.chat.Generate(ctx, req)
}
