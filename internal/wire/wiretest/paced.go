package wiretest

import (
	"io"
	"net/http"
	"strings"
)

// Paced returns a transport that answers every request with the same stream, one event for each
// read. So a reader of a reply performs the work between the last byte of an event and its chunk
// once for each event. Each event ends with end.
func Paced(stream, end string) http.RoundTripper {
	return paced(strings.SplitAfter(stream, end))
}

type paced []string

// RoundTrip implements http.RoundTripper.
func (p paced) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: &pacedBody{left: p}, Request: r,
	}, nil
}

type pacedBody struct {
	left []string
	at   int // position in the first of them
}

// Read implements io.Reader.
func (b *pacedBody) Read(p []byte) (int, error) {
	for len(b.left) > 0 && b.at == len(b.left[0]) {
		b.left, b.at = b.left[1:], 0
	}
	if len(b.left) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.left[0][b.at:])
	b.at += n
	return n, nil
}

// Close implements io.Closer.
func (b *pacedBody) Close() error { return nil }
