package wire

import (
	"context"
	"errors"
	"net/http"

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

// Do sends a request. The error is an [*llm.Error] with CodeNetwork.
func Do(client *http.Client, request *http.Request) (*http.Response, error) {
	response, err := client.Do(request)
	if err != nil {
		return nil, unreached(err, request.URL.String())
	}
	return response, nil
}

// taken is the key of the context under which a response is put away.
type taken struct{}

// slot is where it is put.
type slot struct {
	response *http.Response
	err      error
}

// TakingClient returns a client for an SDK whose requests go through base, without
// redirects. The response to a request that [Take] has begun does not reach the SDK:
// it gets an empty event stream in its place.
//
// SDKs build and sign a request well. But they read errors without a bound, follow
// redirects, and take a broken stream for an empty reply.
func TakingClient(base *http.Client) *http.Client {
	inner := NoRedirects(base)
	return &http.Client{
		Transport: transport(func(request *http.Request) (*http.Response, error) {
			into, ok := request.Context().Value(taken{}).(*slot)
			if !ok {
				return nil, errors.New("a request that nobody has asked for")
			}
			into.response, into.err = Do(inner, request)
			if into.err != nil {
				return nil, into.err
			}
			return &http.Response{
				Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
				Header:  http.Header{"Content-Type": {"text/event-stream"}},
				Body:    http.NoBody,
				Request: request,
			}, nil
		}),
	}
}

// transport lets a function serve as an http.RoundTripper.
type transport func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f transport) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// Take calls send, which lets an SDK send one request with the context that it is
// given and the client of [TakingClient], and returns the response. The caller closes
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
