package wire

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// Events are complete, without comments and blank lines, wherever the packets end.
func TestEvents(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ reason, body, want string }{
		{"lines", "data: a\ndata: b\n\ndata: c\n", "|a\nb;|c;"},
		{"no end", "data: a\nevent: e", "e|a;"},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n", "|a;|b;"},
		{"CR", "data: a\r\rdata: b\r", "|a;|b;"},
		{"all three", "data: a\r\ndata: b\rdata: c\n\n", "|a\nb\nc;"},
		{"blank lines", "\n\r\n\r\rdata: a\n\n\n\n\ndata: b\n\n", "|a;|b;"},
		{"comments", ": x\n:\n\ndata: a\n:y\ndata: b\n\n: z", "|a\nb;"},
		{"one blank belongs to the name", "data:  a\ndata:b\n\n", "| a\nb;"},
		{"a name alone", "data\n\n", "|;"},
		{"no data", "event: ping\n\nid: 7\nretry: 1\n\ndata: a\n\n", "|a;"},
		{"the last name counts", "event: a\nevent: b\ndata: x\n\nevent: b\ndata: y\n\ndata: z\n\n", "b|x;b|y;|z;"},
		{"long", "data: " + strings.Repeat("x", 1<<17) + "\ndata: y\n", "|" + strings.Repeat("x", 1<<17) + "\ny;"},
		{"long comment", ":" + strings.Repeat("x", 1<<17) + "\ndata: y\n", "|y;"},
		{"JSON without a field name", "data: a\n\n{\"error\": \"x\"}\n\ndata: b\n\n[{\n  \"error\": 1\n}]", "|a;|{\"error\": \"x\"};|b;|[{\n  \"error\": 1\n}];"},
		{"broken JSON without a field name", "data: a\n\n{\"error\":\n\n[DONE]\n\n[{\"error\":", "|a;"},
		{"empty", "", ""},
	} {
		for _, body := range []io.Reader{
			strings.NewReader(test.body), iotest.OneByteReader(strings.NewReader(test.body)),
		} {
			events := NewEvents(body)
			got, err := drainEvents(events)
			if err != io.EOF || got != test.want || !events.Ended() {
				t.Errorf("%s: %.60q, want %.60q, %v", test.reason, got, test.want, err)
			}
		}
	}
	failing := io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(io.ErrClosedPipe))
	events := NewEvents(failing)
	got, err := drainEvents(events)
	if err != io.ErrClosedPipe || got != "|a;" || events.Ended() {
		t.Errorf("failing reader: %q, %v, ended %t; only whole events count", got, err, events.Ended())
	}
}

func drainEvents(events *Events) (string, error) {
	var out strings.Builder
	for {
		event, err := events.Next()
		if err != nil {
			return out.String(), err
		}
		out.WriteString(event.Type + "|" + string(event.Data) + ";")
	}
}

// Endless comments are not a too long event; an endless event is.
func TestEventTooLong(t *testing.T) {
	t.Parallel()
	line := ": " + strings.Repeat("x", 1<<16) + "\n"
	comments := strings.Repeat(line, MaxEvent/len(line)+2)
	if got, err := drainEvents(NewEvents(strings.NewReader(comments + "data: a\n\n"))); err != io.EOF || got != "|a;" {
		t.Errorf("behind many comments: %.60q, %v", got, err)
	}
	if _, err := drainEvents(NewEvents(strings.NewReader("data: " + comments[2:]))); err != nil && err != io.EOF {
		t.Log("a line of comments ends the event:", err)
	}
	endless := strings.NewReader("data: " + strings.Repeat("x", MaxEvent+1))
	if _, err := drainEvents(NewEvents(endless)); err != ErrEventTooLong {
		t.Errorf("an event of more than %d bytes: %v", MaxEvent, err)
	}
}

// The kind of a body is detected without consuming it.
func TestFirst(t *testing.T) {
	t.Parallel()
	events := NewEvents(strings.NewReader("\xEF\xBB\xBF \r\n{\"a\":1}"))
	if got, err := events.First(); got != '{' || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if rest, err := events.Whole(); string(rest) != `{"a":1}` || err != nil {
		t.Errorf("%q, %v", rest, err)
	}
	if _, err := NewEvents(strings.NewReader(" \n")).First(); err != io.EOF {
		t.Errorf("a blank body: %v", err)
	}
}

// FuzzEvents: the events do not depend on the packets, contain no line ends except between data
// lines, and are not longer than the body.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"data: a\ndata: b\n\nevent: x\ndata\n\n", ": c\r\n\r\ndata:a\r\rdata: b", "\xEF\xBB\xBFdata: a\n\n", "event: a\n\nid: 1\nretry\n\n", "data: \r\n:\ndata:  \n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		whole, err := drainEvents(NewEvents(strings.NewReader(body)))
		piecewise, again := drainEvents(NewEvents(iotest.OneByteReader(strings.NewReader(body))))
		if whole != piecewise || err != io.EOF || again != io.EOF {
			t.Errorf("%q and %q, %v and %v", whole, piecewise, err, again)
		}
		if strings.Contains(whole, "\r") || len(whole) > 2*len(body) {
			t.Errorf("%q of %q", whole, body)
		}
	})
}

// TestEach: the common behaviour of reply readers at the end of a stream.
func TestEach(t *testing.T) {
	t.Parallel()
	closed := errors.New("closed")
	for _, c := range []struct {
		name, body string
		done       error
		taken      string
		lost, err  string
	}{
		{"a stream that ends", "data: a\n\ndata: b\n\n", nil, "a b", "", ""},
		{"blank events and the mark of gateways are passed over", "data:  \n\ndata: [DONE]\n\ndata: b\n\n", nil, "b", "", ""},
		{"where it is an end mark nothing is read behind it", "data: a\n\ndata: [DONE]\n\ndata: b\n\n", closed, "a", "closed", ""},
		{"nothing at all", ": a comment\n\n", nil, "", "the body has no event", ""},
		{"a text cut short at the end of the body", "data: {", nil, "", "", "cut: unexpected EOF"},
		{"a text cut short before more", "data: {\n\ndata: b\n\n", nil, "", "", "the JSON text ends too early"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var taken []string
			lost, err := NewEvents(strings.NewReader(c.body)).Each(func() bool { return false }, c.done, func(e Event) error {
				if string(e.Data) == "{" {
					return fmt.Errorf("cut: %w", io.ErrUnexpectedEOF)
				}
				taken = append(taken, string(e.Data))
				return nil
			})
			for _, end := range []struct {
				got  error
				want string
			}{{lost, c.lost}, {err, c.err}} {
				if end.want == "" && end.got != nil || end.want != "" && (end.got == nil || !strings.Contains(end.got.Error(), end.want)) {
					t.Errorf("ends with %v and %v, want %q and %q", lost, err, c.lost, c.err)
				}
			}
			if got := strings.Join(taken, " "); got != c.taken {
				t.Errorf("takes %q, want %q", got, c.taken)
			}
		})
	}
}
