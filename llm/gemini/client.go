package gemini

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
	"google.golang.org/genai"
)

// maxStops is the greatest number of stop texts that the server accepts.
const maxStops = 5

// Config configures the server and the client. Required: Key or Vertex, and a model, here or in the
// request.
type Config struct {
	// BaseURL is the server's address, with or without the version of the protocol at its end.
	// Empty means https://generativelanguage.googleapis.com/v1beta. The default version is v1beta.
	// For [Vertex], empty means the address of its location, and the default version is v1beta1.
	BaseURL string
	// Key is sent as x-goog-api-key.
	Key string
	// Model is the model for requests that name no model.
	Model string
	// Vertex, if not nil, sends requests to Google Cloud's Vertex AI instead of the Gemini API.
	Vertex *Vertex
	// Budgets maps words of Options.ReasoningEffort to thinking tokens, for models that take a
	// number: {"low": 1024, "high": 16000}. Other words are sent to the server unchanged.
	Budgets map[string]int
	// HTTPClient is the client to use, for proxies, limits and tests. nil means a client without a
	// time limit: replies take minutes, and contexts end them. The client is copied; its
	// CheckRedirect is not used.
	HTTPClient *http.Client
	// Header is added to every request.
	Header http.Header
	// Body is added to the JSON of every request; see the package comment.
	Body map[string]json.RawMessage
	// Limits limit the size of a reply and the waits for its chunks; see [llm.Limits] for the
	// defaults and the errors.
	Limits llm.Limits
	// MaxStream is the longest response that is read, in bytes after decompression. 0 means 512
	// MiB, a negative number means no limit. A longer response is an [*llm.Error] with
	// CodeTooLarge. A single event may have 16 MiB.
	MaxStream int64
}

// The defaults for empty parts of [Config.BaseURL].
const (
	defaultURL     = "https://generativelanguage.googleapis.com"
	defaultVersion = "v1beta"
)

// Client is an [llm.Model] that uses the Gemini API. It is immutable and safe for concurrent use.
type Client struct {
	s    func() *settings
	chat llm.Model
}

// settings are the settings of a client. A client holds them as a function, so that printing the
// client, or a value that contains it, never shows them.
type settings struct {
	config  Config
	models  *genai.Models
	replies wire.Stream
}

var _ llm.Model = (*Client)(nil)

// New checks the configuration and returns a client. It sends nothing, and ignores the environment.
// The error lists all mistakes in the configuration.
func New(config Config) (*Client, error) {
	config.BaseURL = cmp.Or(config.BaseURL, config.Vertex.address(), defaultURL)
	access := config.access()
	address, err := access.Address(defaultURL)
	if err == nil && address.RawQuery != "" {
		err = errors.New("gemini: BaseURL has a query, which the SDK would drop; give a key as Key, other things in Header")
	}
	err = errors.Join(slices.Concat([]error{err}, access.Problems(), config.identity())...)
	if err != nil {
		return nil, access.Secrets().Redact(err)
	}
	// The caller may change the data of the configuration later.
	config.Body = maps.Clone(config.Body)
	config.Budgets = maps.Clone(config.Budgets)
	config.Header = config.Header.Clone()
	if config.Vertex != nil {
		config.Vertex = new(*config.Vertex)
	}

	sdk, err := config.newSDK(address)
	if err != nil {
		return nil, access.Secrets().Redact(err)
	}
	s := &settings{
		config:  config,
		models:  sdk.Models,
		replies: wire.Stream{Secrets: access.Secrets(), MaxStream: config.MaxStream, Idle: config.Limits.Idle},
	}
	return &Client{
		s:    func() *settings { return s },
		chat: wire.LimitStops(llm.Limit(llm.ModelFunc(s.generate), config.Limits), maxStops),
	}, nil
}

// newSDK returns the client of the SDK. It follows no redirects and does not retry.
func (c Config) newSDK(address *url.URL) (*genai.Client, error) {
	base, version := splitVersion(address)
	about := genai.ClientConfig{
		APIKey:  c.Key,
		Backend: genai.BackendGeminiAPI,
		HTTPOptions: genai.HTTPOptions{
			BaseURL: base, APIVersion: cmp.Or(version, defaultVersion), Headers: c.Header.Clone(),
			RetryOptions: &genai.HTTPRetryOptions{Attempts: new(int32(1))}, // wrap.Retry retries
		},
	}
	client := wire.NoRedirects(c.HTTPClient)
	if c.Vertex != nil {
		about.HTTPOptions.APIVersion = cmp.Or(version, vertexVersion)
		if err := c.Vertex.into(&about, client); err != nil {
			return nil, err
		}
	}
	about.HTTPClient = wire.TakingClient(client)
	return genai.NewClient(context.Background(), &about)
}

var versionWord = regexp.MustCompile(`^v[0-9][0-9a-z]*$`)

// splitVersion splits the version of the protocol off the end of an address, if it is there.
func splitVersion(u *url.URL) (base, version string) {
	whole := *u
	whole.Fragment, whole.RawPath = "", ""
	whole.Path = strings.TrimRight(whole.Path, "/")
	if last := path.Base(whole.Path); versionWord.MatchString(last) {
		version, whole.Path = last, strings.TrimSuffix(whole.Path, "/"+last)
	}
	return whole.String(), version
}

// access returns the access settings of the configuration.
func (c Config) access() wire.Access {
	return wire.Access{Package: "gemini", BaseURL: c.BaseURL, Key: c.Key, Model: c.Model, Header: c.Header, Body: c.Body}
}

// Generate sends the request and streams the reply. See [llm.Model] for the contract and the
// package comment for the rules.
func (c *Client) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return c.chat.Generate(ctx, req)
}

// generate is Generate without the limits.
func (s *settings) generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	var reduced []string
	return s.replies.Chunks(ctx, func() (*http.Response, error) {
		asked, err := encode(req, s.config)
		if err != nil {
			return nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: err}
		}
		reduced = asked.reduced
		return wire.Capture(ctx, func(ctx context.Context) error {
			for _, err := range s.models.GenerateContentStream(ctx, asked.model, asked.contents, asked.config) {
				if err != nil {
					return err
				}
			}
			return nil
		})
	}, func(body io.Reader) iter.Seq2[llm.Chunk, error] { return decode(body, reduced) })
}
