package wiretest

import (
	"context"
	"io"
	"net/http"
	"time"
)

// StaysOpen returns a transport that answers every request with these pieces of a stream, with a
// pause between two pieces. After the last piece it leaves the body open until the reader closes it
// or the request ends. In a bubble of testing/synctest the pauses take no time.
func StaysOpen(pause time.Duration, pieces ...string) http.RoundTripper {
	return staysOpen{pause, pieces}
}

type staysOpen struct {
	pause  time.Duration
	pieces []string
}

// RoundTrip implements http.RoundTripper.
func (s staysOpen) RoundTrip(r *http.Request) (*http.Response, error) {
	body, stream := io.Pipe()
	context.AfterFunc(r.Context(), func() { stream.CloseWithError(r.Context().Err()) })
	go func() {
		for i, piece := range s.pieces {
			if i > 0 {
				select {
				case <-time.After(s.pause):
				case <-r.Context().Done():
					return
				}
			}
			if _, err := io.WriteString(stream, piece); err != nil {
				return
			}
		}
	}()
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body, Request: r,
	}, nil
}
