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

// NoRedirects returns a copy of base that follows no redirect; a nil base means the default client.
// By default net/http sends headers with a key to any address that a server redirects to.
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

// Do sends a request, with the name of its call if it has one. The error is an [*llm.Error], for a
// failed connection with CodeNetwork.
func Do(client *http.Client, request *http.Request) (*http.Response, error) {
	return deliver(request, client.Do)
}

// deliver is Do with a function instead of a client.
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

// named returns a request with a header for the name of its call. The header is the same whenever
// the same request is sent with that name, so that a server that supports the header answers once.
// A request without a name does not change.
func named(request *http.Request) (*http.Request, error) {
	name := llm.CallKey(request.Context())
	if name == "" || request.Body == nil {
		return request, nil
	}
	body, err := io.ReadAll(request.Body) // GetBody may share its position with the body
	if err != nil {
		return nil, err
	}
	if err := request.Body.Close(); err != nil {
		return nil, err
	}
	// The hash is needed because the name may be invalid in a header. It includes the body because
	// a different request is a different call.
	sum := sha256.Sum256(slices.Concat([]byte(name), []byte{0}, body))
	out := request.Clone(request.Context())
	out.Header.Set("Idempotency-Key", hex.EncodeToString(sum[:16]))
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	out.Body, err = out.GetBody()
	return out, err
}

// taken is the context key of the slot for a response.
type taken struct{}

// slot stores the response.
type slot struct {
	response *http.Response
	err      error
}

// TakingClient returns a client for an SDK that sends requests with inner, which follows no
// redirects; see [Intercept].
func TakingClient(inner *http.Client) *http.Client {
	return &http.Client{Transport: transport(func(request *http.Request) (*http.Response, error) {
		return Intercept(request, inner.Do)
	})}
}

// Intercept sends a request of an SDK with next. If [Capture] started the request, the response does not
// reach the SDK, which gets an empty event stream instead. Any other request is refused.
//
// SDKs build and sign a request well. But they read errors of any size, follow redirects, and
// accept an interrupted stream as an empty reply.
func Intercept(request *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	into, ok := request.Context().Value(taken{}).(*slot)
	if !ok {
		return nil, errors.New("an unexpected request")
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

// transport lets a function be an http.RoundTripper.
type transport func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f transport) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// Capture returns the response to one request of an SDK. It calls send, which must let the SDK send
// the request with the given context and [Intercept]. The caller closes the response's body. If the
// SDK sends nothing, its error becomes an [*llm.Error] with CodeInvalidRequest.
func Capture(ctx context.Context, send func(context.Context) error) (*http.Response, error) {
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
