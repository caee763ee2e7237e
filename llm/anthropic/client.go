package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// Config configures the server and the client. Only Key and a model, here or in the request, are
// required.
type Config struct {
	// BaseURL is the server's address, with or without /v1/messages at its end. Empty means
	// https://api.anthropic.com.
	BaseURL string
	// Key is sent as x-api-key. Empty: the header is not sent, for gateways with a different
	// authentication.
	Key string
	// Model is the model for requests that name no model.
	Model string
	// MaxTokens is the limit of replies to requests without a limit, because the server requires
	// one. 0 means 4096.
	MaxTokens int
	// Budgets maps words of Options.ReasoningEffort to thinking tokens, for models that take a
	// number: {"low": 1024, "high": 16000}. Other words are sent to the server unchanged, with
	// adaptive thinking.
	Budgets map[string]int
	// HTTPClient is the client to use, for proxies, limits and tests. nil means a client without a
	// time limit: replies take minutes, and contexts end them. The client is copied; its
	// CheckRedirect is not used.
	HTTPClient *http.Client
	// Header is added to every request and takes precedence over the headers of this package, such
	// as {"Anthropic-Beta": {…}}.
	Header http.Header
	// Body is added to the JSON of every request; see the package comment.
	Body map[string]json.RawMessage
	// SDK are options of the SDK that are applied after all others and take precedence. The
	// functions bedrock.WithConfig and vertex.WithCredentials of the SDK select the models of
	// Amazon Bedrock and of Google's Vertex AI. Leave Key empty then, and use the model name of
	// that cloud. They sign a request before HTTPClient sends it. An HTTP client that is given as
	// an option of the SDK is used unchanged, and may follow redirects.
	SDK []option.RequestOption
	// Limits limit the size of a reply and the waits for its chunks; see [llm.Limits] for the
	// defaults and the errors.
	Limits llm.Limits
	// MaxStream is the longest response that is read, in bytes after decompression. 0 means 512
	// MiB, a negative number means no limit. A longer response is an [*llm.Error] with
	// CodeTooLarge. A single event may have 16 MiB.
	MaxStream int64
}

// The defaults for empty fields of [Config].
const (
	defaultURL       = "https://api.anthropic.com"
	defaultMaxTokens = 4096
)

// Client is an [llm.Model] that uses the Messages API. It is immutable and safe for concurrent use.
type Client struct {
	s    func() *settings
	chat llm.Model
}

// settings are the settings of a client. A client holds them as a function, so that printing the
// client, or a value that contains it, never shows them.
type settings struct {
	config   Config // with its defaults filled in
	messages sdk.MessageService
	replies  wire.Stream
}

var _ llm.Model = (*Client)(nil)

// New checks the configuration and returns a client. It sends nothing and reads no environment
// variables. The error lists all mistakes in the configuration.
func New(config Config) (*Client, error) {
	config.BaseURL = cmp.Or(config.BaseURL, defaultURL)
	config.MaxTokens = cmp.Or(config.MaxTokens, defaultMaxTokens)
	access := config.access()
	address, err := access.Address(defaultURL)
	problems := append([]error{err}, access.Problems()...)
	if config.MaxTokens < 0 {
		problems = append(problems, errors.New("anthropic: MaxTokens is negative; leave it out for 4096"))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, access.Secrets().Redact(err)
	}
	// The caller may change the data of the configuration later.
	config.Body = maps.Clone(config.Body)
	config.Budgets = maps.Clone(config.Budgets)
	config.Header = config.Header.Clone()
	config.SDK = slices.Clone(config.SDK)

	s := &settings{
		config: config, messages: sdk.NewClient(config.sdkOptions(*address)...).Messages,
		replies: wire.Stream{Secrets: access.Secrets(), MaxStream: config.MaxStream, Idle: config.Limits.Idle},
	}
	return &Client{
		s:    func() *settings { return s },
		chat: llm.Limit(llm.ModelFunc(s.generate), config.Limits),
	}, nil
}

// sdkOptions returns the options of the SDK's client for a server.
func (c Config) sdkOptions(address url.URL) []option.RequestOption {
	query := address.Query()
	// The SDK adds the path itself.
	address.Path = strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(address.Path, "/"), "/messages"), "/v1")
	address.RawQuery, address.RawPath, address.Fragment = "", "", ""
	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithoutOpenTelemetry(),
		option.WithBaseURL(address.String()),
		option.WithHTTPClient(wire.NoRedirects(c.HTTPClient)),
		option.WithMiddleware(wire.Intercept), // before all other middlewares
		option.WithMaxRetries(0),              // wrap.Retry retries, because it knows what was shown
		option.WithHeader("Accept", "text/event-stream"),
	}
	if c.Key != "" {
		options = append(options, option.WithAPIKey(c.Key))
	}
	for name, values := range query {
		for _, value := range values {
			options = append(options, option.WithQueryAdd(name, value))
		}
	}
	for name, values := range c.Header {
		options = append(options, option.WithHeaderDel(name))
		for _, value := range values {
			options = append(options, option.WithHeaderAdd(name, value))
		}
	}
	return append(options, c.SDK...)
}

// access returns the access settings of the configuration.
func (c Config) access() wire.Access {
	return wire.Access{Package: "anthropic", BaseURL: c.BaseURL, Key: c.Key, Model: c.Model, Header: c.Header, Body: c.Body}
}

// Generate sends the request and streams the reply. See [llm.Model] for the contract and the
// package comment for the rules.
func (c *Client) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return c.chat.Generate(ctx, req)
}
