package wire

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
)

// TestGrowth tests that readers of server data have linear cost.
func TestGrowth(t *testing.T) {
	repeat, nest := testkit.Repeat, testkit.Nest
	in := func(a testkit.Atom, head, tail string) testkit.Atom {
		a.Head, a.Tail = head+a.Head, a.Tail+tail
		return a
	}
	testkit.Growth(t, testkit.Reader{
		Name: "events", Size: 64 << 10,
		Read: func(text string) {
			events := NewEvents(struct{ io.Reader }{strings.NewReader(text)})
			for {
				if _, err := events.Next(); err != nil {
					return
				}
			}
		},
		Atoms: []testkit.Atom{
			repeat(": x\n"), repeat("\n"), repeat("\r"), repeat("\r\n"), repeat(" "), repeat("data\n"), repeat("data: x\n"),
			repeat("data: x\n\n"), repeat("event: a\ndata: x\n\nevent: b\ndata\n\n"), repeat("event: x\n"), repeat("x"), repeat(":"),
			in(repeat("x"), "data: ", "\n\n"),
		},
	}, testkit.Reader{
		Name: "values", Size: 64 << 10,
		Read: func(text string) {
			v, err := Parse([]byte(text))
			if err != nil {
				return
			}
			for c := v.Members(); c.Next(); {
				_, _ = c.Value.Count()
			}
			for c := v.Elements(); c.Next(); {
				_ = c.Value.Get("a")
			}
		},
		Atoms: []testkit.Atom{
			in(repeat(`"a":1,`), "{", `"b":1}`), in(repeat(`{"b":1},`), "[", "1]"), nest("[", "", "]"), nest(`{"a":`, "1", "}"),
			in(repeat(`\"`), `["`, `"]`), in(repeat(`\\`), `["`, `"]`), in(repeat("9"), "[", "]"), in(repeat(" "), "[", "]"), repeat("[{"),
		},
	}, testkit.Reader{
		Name: "texts", Size: 64 << 10,
		Read: func(text string) {
			var s RuneJoiner
			for i := 0; i < len(text); i += 3 {
				s.Push([]byte(text[i:min(i+3, len(text))]))
			}
			_ = s.End()
		},
		Atoms: []testkit.Atom{repeat("a"), repeat("\xed"), repeat("\xed\xa0\xbd"), repeat("\xf0\x9f"), repeat("\xff")},
	}, testkit.Reader{
		Name: "bodies of errors", Size: 4 << 10,
		Read: func(text string) {
			_ = Refusal(&http.Response{StatusCode: 500, Header: http.Header{"Retry-After": {text}}, Body: io.NopCloser(strings.NewReader(text))})
			_ = Reported([]byte(text))
		},
		Atoms: []testkit.Atom{
			repeat("x"), repeat("x "), repeat(" "), repeat("\xff"), nest("[", `{"message":"x"}`, "]"), nest(`{"error":`, `"x"`, "}"),
			in(repeat("a "), `{"message":"`, `"}`), in(repeat(`"m":1,`), "{", `"b":1}`), repeat("context_length"),
			in(repeat("-"), `{"code":"`, `"}`), repeat("9"),
		},
	}, testkit.Reader{
		Name: "hiding of secrets", Size: 16 << 10,
		Read: func(text string) {
			Access{Key: "sk-sk-sk-sk-sk-", Header: http.Header{"Cookie": {"aaaaaaaaaaaa=bbbbbbbbbbbb"}}}.Secrets().Hide(text)
		},
		Atoms: []testkit.Atom{repeat("sk-"), repeat("a"), repeat("b"), repeat("sk-sk-sk-sk-sk- "), repeat("sk-sk-s")},
	}, testkit.Reader{
		Name: "secrets of a configuration", Size: 2 << 10,
		Read:  func(text string) { _ = Access{Header: http.Header{"Cookie": {text}}}.Secrets() },
		Atoms: []testkit.Atom{repeat("a"), repeat(" "), repeat("="), repeat(";"), repeat(`"`)},
	})
}
