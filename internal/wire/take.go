package wire

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"

	"github.com/talewright/talewright/llm"
)

// NoRedirects returns a copy of base, nil for the default, that follows no redirect:
// net/http would take along headers that hold a key to wherever a server points.
func NoRedirects(base *http.Client) *http.Client {
	var client http.Client
	if base != nil {
		client = *base
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
	return &client
}

// Do sends a request, under the name of its call if that has one. The error is an
// [*llm.Error] with CodeNetwork.
func Do(client *http.Client, request *http.Request) (*http.Response, error) {
	return deliver(request, client.Do)
}

// deliver is Do for what stands around a client.
func deliver(request *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	address := request.URL.String()
	request, err := named(request)
	if err != nil {
		return nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: err}
	}
	response, err := next(request)
	if err == nil {
		return response, nil
	}
	if _, sent := errors.AsType[*url.Error](err); !sent {
		return nil, &llm.Error{Code: llm.CodeAuth, Message: "the request was not sent", Err: err}
	}
	return nil, unreached(err, address)
}

// named returns a request with a header for the name of its call: the same whenever the same
// is asked under that name, so that a server that knows the header answers once. A request
// without a name stays as it is.
func named(request *http.Request) (*http.Request, error) {
	name := llm.CallKey(request.Context())
	if name == "" || request.Body == nil {
		return request, nil
	}
	body, err := io.ReadAll(request.Body) // GetBody may share its place with the body
	if err != nil {
		return nil, err
	}
	if err := request.Body.Close(); err != nil {
		return nil, err
	}
	// The name may be no text for a header; and what is asked in another way is another call.
	sum := sha256.Sum256(slices.Concat([]byte(name), []byte{0}, body))
	out := request.Clone(request.Context())
	out.Header.Set("Idempotency-Key", hex.EncodeToString(sum[:16]))
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	out.Body, err = out.GetBody()
	return out, err
}

// taken is the key of the context under which a response is put away.
type taken struct{}

// slot is where it is put.
type slot struct {
	response *http.Response
	err      error
}

// TakingClient returns a client for an SDK whose requests go through inner, which follows
// no redirects; see [PutAway].
func TakingClient(inner *http.Client) *http.Client {
	return &http.Client{Transport: transport(func(request *http.Request) (*http.Response, error) {
		return PutAway(request, inner.Do)
	})}
}

// PutAway sends a request of an SDK through next. The response to one that [Take] has begun
// does not reach the SDK: it gets an empty event stream in its place. Another is refused.
//
// SDKs build and sign a request well. But they read errors without a bound, follow
// redirects, and take a broken stream for an empty reply.
func PutAway(request *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	into, ok := request.Context().Value(taken{}).(*slot)
	if !ok {
		return nil, errors.New("a request that nobody has asked for")
	}
	into.response, into.err = deliver(request, next)
	if into.err != nil {
		return nil, into.err
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:  http.Header{"Content-Type": {"text/event-stream"}},
		Body:    http.NoBody,
		Request: request,
	}, nil
}

// transport lets a function serve as an http.RoundTripper.
type transport func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f transport) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// Take calls send, which lets an SDK send one request with the context that it is
// given and [PutAway], and returns the response. The caller closes
// its body. An SDK that sends nothing had objections: they are an [*llm.Error] with
// CodeInvalidRequest.
func Take(ctx context.Context, send func(context.Context) error) (*http.Response, error) {
	var into slot
	err := send(context.WithValue(ctx, taken{}, &into))
	switch {
	case into.response != nil:
		return into.response, nil
	case into.err != nil:
		return nil, into.err
	case err == nil:
		err = errors.New("nothing was sent")
	}
	return nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: err}
}
