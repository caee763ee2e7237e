package wiretest

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestPaced: a read returns one event at most, and all reads together return the stream.
func TestPaced(t *testing.T) {
	t.Parallel()
	const stream = "data: one\n\ndata: two\n\ndata: [DONE]\n\n"
	request, err := http.NewRequest(http.MethodPost, "http://localhost", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := Paced(stream, "\n\n").RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	var got []string
	for buf := make([]byte, 1<<10); ; {
		n, err := reply.Body.Read(buf)
		if n > 0 {
			got = append(got, string(buf[:n]))
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != 3 || strings.Join(got, "") != stream || reply.StatusCode != http.StatusOK {
		t.Errorf("%q", got)
	}
}
