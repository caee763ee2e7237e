package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
)

// The response reaches the caller of Capture, and the SDK gets an empty stream.
func TestTake(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "/here", http.StatusFound)
			return
		}
		io.WriteString(w, "a reply")
	}))
	defer server.Close()
	client := TakingClient(NoRedirects(nil))
	sdk := func(path string) func(context.Context) error {
		return func(ctx context.Context) error {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
			if err != nil {
				return err
			}
			response, err := client.Do(request)
			if err != nil {
				return err
			}
			defer response.Body.Close()
			if body, err := io.ReadAll(response.Body); len(body) > 0 || err != nil || response.StatusCode != http.StatusOK {
				t.Errorf("the SDK reads %q, %v, status %d", body, err, response.StatusCode)
			}
			return nil
		}
	}
	for path, want := range map[string]int{"/here": http.StatusOK, "/away": http.StatusFound} {
		response, err := Capture(t.Context(), sdk(path))
		if err != nil || response.StatusCode != want {
			t.Fatalf("%s: %v, %v", path, response, err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if path == "/here" && string(body) != "a reply" {
			t.Errorf("the body is %q", body)
		}
	}
	if _, err := client.Get(server.URL); err == nil {
		t.Error("a request of the SDK's own went out")
	}
}

// An SDK that sends nothing, and a server that does not exist.
func TestTakeFailures(t *testing.T) {
	objection := errors.New("a temperature of 7")
	for _, test := range []struct {
		reason string
		send   func(context.Context) error
		code   llm.ErrorCode
	}{
		{"the SDK objects", func(context.Context) error { return objection }, llm.CodeInvalidRequest},
		{"the SDK does nothing", func(context.Context) error { return nil }, llm.CodeInvalidRequest},
		{"nobody listens", func(ctx context.Context) error {
			request, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://user:secret@127.0.0.1:1/path?key=secret", nil)
			_, err := TakingClient(NoRedirects(nil)).Do(request)
			return err
		}, llm.CodeNetwork},
	} {
		_, err := Capture(t.Context(), test.send)
		failure, ok := errors.AsType[*llm.Error](err)
		if !ok || failure.Code != test.code || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want code %s", test.reason, err, test.code)
		}
	}
}
