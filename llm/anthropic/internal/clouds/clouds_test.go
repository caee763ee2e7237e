// Package clouds_test tests llm/anthropic with the clouds that offer its models: Amazon Bedrock and
// Vertex AI of Google, with the options of the SDK for them. It is a separate module, so that no
// other module has its dependencies.
package clouds_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go/bedrock"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/vertex"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/anthropic"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

const (
	model = "anthropic.claude-sonnet-4-5-20250929-v1:0"
	token = "ya29.token-of-the-cloud"
	keyID = "AKIDEXAMPLE4711"
)

// amazon returns the options for Bedrock, googles the options for Vertex AI.
func amazon(t *testing.T) option.RequestOption {
	t.Setenv("AWS_BEARER_TOKEN_BEDROCK", "")
	return bedrock.WithConfig(aws.Config{Region: "eu-west-1", Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: keyID, SecretAccessKey: "secret-of-amazon-4711", SessionToken: "session-of-amazon-4711"}, nil
	})})
}

func googles(t *testing.T) option.RequestOption {
	return vertex.WithCredentials(t.Context(), "europe-west1", "inn", &google.Credentials{TokenSource: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: token})})
}

// elsewhere sends requests for a cloud to a server of the test.
type elsewhere struct {
	address *url.URL
	base    http.RoundTripper
}

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Meant-For", r.URL.Host)
	r.URL.Scheme, r.URL.Host = e.address.Scheme, e.address.Host
	return e.base.RoundTrip(r)
}

// open returns a client whose cloud is the handler.
func open(t *testing.T, cloud option.RequestOption, handler http.Handler) (*anthropic.Client, *wiretest.Tape) {
	t.Helper()
	return within(t, cloud, llm.Limits{}, handler)
}

// within is open with limits.
func within(t *testing.T, cloud option.RequestOption, limits llm.Limits, handler http.Handler) (*anthropic.Client, *wiretest.Tape) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	tape := wiretest.Record(server)
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	client, err := anthropic.New(anthropic.Config{
		Model: model, HTTPClient: &http.Client{Transport: elsewhere{address, base}}, SDK: []option.RequestOption{cloud}, Limits: limits,
	})
	if err != nil {
		t.Fatal(err)
	}
	return client, tape
}

// framed converts the events of a handler to Amazon's stream format.
func framed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(&framer{w}, r) })
}

type framer struct{ http.ResponseWriter }

func (f *framer) Unwrap() http.ResponseWriter { return f.ResponseWriter }

func (f *framer) Write(p []byte) (int, error) {
	if f.Header().Get("Content-Type") == "text/event-stream" {
		f.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
	}
	_, data, ok := bytes.Cut(p, []byte("data: "))
	if !ok {
		return f.ResponseWriter.Write(p) // a failure
	}
	payload, err := json.Marshal(map[string]string{"bytes": base64.StdEncoding.EncodeToString(bytes.TrimSpace(data))})
	if err != nil {
		return 0, err
	}
	return len(p), frame(f.ResponseWriter, "event", "event-type", "chunk", payload)
}

// frame writes one frame in Amazon's format.
func frame(w io.Writer, kind, name, value string, payload []byte) error {
	return eventstream.NewEncoder().Encode(w, eventstream.Message{Payload: payload, Headers: eventstream.Headers{
		{Name: ":message-type", Value: eventstream.StringValue(kind)}, {Name: ":" + name, Value: eventstream.StringValue(value)},
	}})
}

// LL-04, LL-14: the contract test with both clouds.
func TestContract(t *testing.T) {
	t.Run("bedrock", func(t *testing.T) {
		llmtest.TestModel(t, func(t *testing.T, script ...llmtest.Reply) llm.Model {
			client, _ := open(t, amazon(t), framed(wiretest.Messages(script)))
			return client
		})
	})
	t.Run("vertex", func(t *testing.T) {
		llmtest.TestModel(t, func(t *testing.T, script ...llmtest.Reply) llm.Model {
			client, _ := open(t, googles(t), wiretest.Messages(script))
			return client
		})
	})
}

// LL-04: a campaign of 20 turns with both clouds.
func TestCampaign(t *testing.T) {
	t.Run("bedrock", func(t *testing.T) {
		wiretest.Play(t, prompt.ShapeAnthropic, anthropic.Provider, wiretest.Signature, func(t *testing.T, script []llmtest.Reply) (llm.Model, *wiretest.Tape) {
			return open(t, amazon(t), framed(wiretest.Messages(script)))
		})
	})
	t.Run("vertex", func(t *testing.T) {
		wiretest.Play(t, prompt.ShapeAnthropic, anthropic.Provider, wiretest.Signature, func(t *testing.T, script []llmtest.Reply) (llm.Model, *wiretest.Tape) {
			return open(t, googles(t), wiretest.Messages(script))
		})
	})
}

// LL-04: the addresses and signatures of requests; no key of Anthropic is sent.
func TestRequests(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "key-of-the-environment")
	script := []llmtest.Reply{llmtest.Text("You go on.")}
	for _, c := range []struct {
		cloud                      string
		option                     option.RequestOption
		handler                    http.Handler
		host, path, version, proof string
	}{
		{"bedrock", amazon(t), framed(wiretest.Messages(script)), "bedrock-runtime.eu-west-1.amazonaws.com", "/model/" + url.QueryEscape(model) + "/invoke-with-response-stream", bedrock.DefaultVersion, "AWS4-HMAC-SHA256 Credential=" + keyID},
		{"vertex", googles(t), wiretest.Messages(script), "europe-west1-aiplatform.googleapis.com", "/v1/projects/inn/locations/europe-west1/publishers/anthropic/models/" + model + ":streamRawPredict", vertex.DefaultVersion, "Bearer " + token},
	} {
		var path string
		client, tape := open(t, c.option, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			path = r.RequestURI
			c.handler.ServeHTTP(w, r)
		}))
		ctx := llm.WithCallKey(t.Context(), "mill/2/1")
		got, err := llm.Collect(client.Generate(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hi"}}}))
		if err != nil || got.Message.Text != "You go on." {
			t.Errorf("%s: %+v, %v", c.cloud, got, err)
			continue
		}
		header := tape.Header()
		if path != c.path || header.Get("X-Meant-For") != c.host {
			t.Errorf("%s: asked %s%s", c.cloud, header.Get("X-Meant-For"), path)
		}
		if !strings.HasPrefix(header.Get("Authorization"), c.proof) || header.Get("X-Api-Key") != "" || len(header.Get("Idempotency-Key")) != 32 {
			t.Errorf("%s: the header %v", c.cloud, header)
		}
		var body map[string]any
		if err := json.Unmarshal(tape.Requests()[0], &body); err != nil || body["anthropic_version"] != c.version || body["model"] != nil {
			t.Errorf("%s: the body %s, %v", c.cloud, tape.Requests()[0], err)
		}
	}
}

// LL-07, LL-08: failures in Amazon's frames and in the signing of requests.
func TestHostile(t *testing.T) {
	chunk := func(w io.Writer, event string) {
		if err := frame(w, "event", "event-type", "chunk", []byte(`{"bytes":"`+base64.StdEncoding.EncodeToString([]byte(event))+`"}`)); err != nil {
			t.Error(err)
		}
	}
	half := func(w io.Writer) {
		chunk(w, `{"type":"message_start","message":{"usage":{"input_tokens":9}}}`)
		chunk(w, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Half"}}`)
	}
	for _, c := range []struct {
		reason string
		answer func(w http.ResponseWriter, r *http.Request)
		text   string
		code   llm.ErrorCode
		retry  bool
	}{
		{"frames without an end", func(w http.ResponseWriter, _ *http.Request) { half(w) }, "Half", llm.CodeIncomplete, true},
		{"an exception in the middle", func(w http.ResponseWriter, _ *http.Request) {
			half(w)
			_ = frame(w, "exception", "exception-type", "throttlingException", []byte(`{"message":"too many requests"}`))
		}, "Half", llm.CodeRateLimit, true},
		{"another exception in the middle", func(w http.ResponseWriter, _ *http.Request) {
			half(w)
			_ = frame(w, "exception", "exception-type", "modelStreamErrorException", []byte(`{"message":"oops"}`))
		}, "Half", llm.CodeServer, true},
		{"an exception in place of a reply", func(w http.ResponseWriter, _ *http.Request) {
			_ = frame(w, "exception", "exception-type", "validationException", []byte(`{"message":"no such field"}`))
		}, "", llm.CodeInvalidRequest, false},
		{"half a frame", func(w http.ResponseWriter, _ *http.Request) {
			half(w)
			var rest bytes.Buffer
			chunk(&rest, `{"type":"message_stop"}`)
			w.Write(rest.Bytes()[:rest.Len()/2])
		}, "Half", llm.CodeIncomplete, true},
		{"a frame whose sum is wrong", func(w http.ResponseWriter, _ *http.Request) {
			half(w)
			var rest bytes.Buffer
			chunk(&rest, `{"type":"message_stop"}`)
			bad := rest.Bytes()
			bad[len(bad)-1]++
			w.Write(bad)
		}, "Half", llm.CodeIncomplete, true},
		{"no frames", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>busy</html>") }, "", llm.CodeIncomplete, true},
		{"a refusal that repeats the signature", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			json.NewEncoder(w).Encode(map[string]string{"message": "not allowed: " + r.Header.Get("Authorization") + r.Header.Get("X-Amz-Security-Token")})
		}, "", llm.CodeAuth, false},
	} {
		client, _ := open(t, amazon(t), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
			c.answer(w, r)
		}))
		got, err := llm.Collect(client.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hi"}}}))
		failure, ok := errors.AsType[*llm.Error](err)
		if !ok || failure.Code != c.code || failure.Retry != c.retry || got.Message.Text != c.text {
			t.Errorf("%s: %q, %v; want %q and %s", c.reason, got.Message.Text, err, c.text, c.code)
			continue
		}
		for _, secret := range []string{keyID, "4711", "Signature="} {
			if strings.Contains(err.Error()+failure.Body, secret) {
				t.Errorf("%s: the error shows %s: %v\n%s", c.reason, secret, err, failure.Body)
			}
		}
	}
	refused := bedrock.WithConfig(aws.Config{Region: "eu-west-1", Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{}, errors.New("the session has ended")
	})})
	client, _ := open(t, refused, http.NotFoundHandler())
	_, err := llm.Collect(client.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hi"}}}))
	if failure, ok := errors.AsType[*llm.Error](err); !ok || failure.Code != llm.CodeAuth || failure.Retry || !strings.Contains(err.Error(), "session has ended") {
		t.Errorf("without credentials: %v", err)
	}
}

// LL-09: the SDK reads any number of empty frames. They do not count as chunks.
func TestFramesThatSayNothing(t *testing.T) {
	client, _ := within(t, amazon(t), llm.Limits{First: 50 * time.Millisecond}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
		for r.Context().Err() == nil {
			if frame(w, "event", "event-type", "weather", []byte("{}")) != nil {
				return
			}
		}
	}))
	_, err := llm.Collect(client.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "Hi"}}}))
	if failure, ok := errors.AsType[*llm.Error](err); !ok || failure.Code != llm.CodeTimeout || !failure.Retry {
		t.Errorf("%v, want a timeout", err)
	}
}
