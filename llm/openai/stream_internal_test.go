package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/talewright/talewright/llm"
)

func noEstimate() int { return 0 }

// drain decodes a body and checks what holds for every body.
func drain(t testing.TB, body io.Reader) (llm.Response, error) {
	t.Helper()
	var sum llm.Collector
	var failure error
	for chunk, err := range decode(body, noEstimate) {
		switch {
		case failure != nil || sum.Complete():
			t.Fatalf("after the end came %v, %v", chunk, err)
		case err != nil:
			failure = err
			if _, ok := errors.AsType[*llm.Error](err); !ok || chunk != nil {
				t.Fatalf("error %v (%T) with chunk %v", err, err, chunk)
			}
			continue
		}
		for _, text := range texts(chunk) {
			if !utf8.ValidString(text) {
				t.Fatalf("chunk %q is not valid UTF-8", text)
			}
		}
		if err := sum.Add(chunk); err != nil {
			return sum.Response(), err
		}
	}
	if failure == nil && !sum.Complete() {
		t.Fatal("the reply ended without Done and without an error")
	}
	return sum.Response(), failure
}

func texts(chunk llm.Chunk) []string {
	switch chunk := chunk.(type) {
	case llm.TextDelta:
		return []string{chunk.Text}
	case llm.ReasoningDelta:
		return []string{chunk.Text}
	case llm.CallDelta:
		return []string{chunk.ID, chunk.Name, chunk.Arguments}
	}
	return nil
}

// FuzzDecode feeds bodies of all kinds, whole and byte by byte: the reply is the
// same, and keeps the contract.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"",
		": PROCESSING\r\n\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"}}]}\n\ndata: [DONE]\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":\"a\xe9\"},\"finish_reason\":\"stop\"}]}",
		"event: error\ndata: {\"message\":\"m\",\"code\":503}\n\n",
		`{"choices":[{"message":{"content":"x","tool_calls":[{"function":{"name":"f","arguments":{}}}]}}]}`,
		`[{"error":{"code":404}}]`,
		"<html>",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":" +
			"{\"name\":\"f\",\"arguments\":\"{\"}},{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"g\"}}]}}]}\n\n",
		"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":4096,\"completion_tokens\":1}}\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":\"t\"}]}}]}\r\rdata: 1",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		whole, err := drain(t, bytes.NewReader(body))
		piecewise, again := drain(t, iotest.OneByteReader(bytes.NewReader(body)))
		if a, b := fmt.Sprintf("%v", err), fmt.Sprintf("%v", again); a != b {
			t.Errorf("the error depends on the packets: %s / %s", a, b)
		}
		a, errA := json.Marshal(whole)
		b, errB := json.Marshal(piecewise)
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("the reply depends on the packets:\n%s %v\n%s %v", a, errA, b, errB)
		}
	})
}

// The stitcher gives the same text wherever it was cut, and what encoding/json
// gives for the whole, as far as the text is sound.
func TestStitcherAnyCut(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("aé龙🐉𝄞\n\uFFFD\U0010FFFF")
	for range 3000 {
		var text strings.Builder
		var body []byte // UTF-8 and surrogates, mixed
		for range random.IntN(12) {
			r := alphabet[random.IntN(len(alphabet))]
			text.WriteRune(r)
			if high, low := utf16.EncodeRune(r); r > 0xFFFF && random.IntN(2) == 0 {
				body = appendUnit(appendUnit(body, high), low)
			} else {
				body = utf8.AppendRune(body, r)
			}
		}
		var s stitcher
		var got strings.Builder
		for rest := body; len(rest) > 0; {
			n := 1 + random.IntN(len(rest))
			piece := s.push(rest[:n])
			if !utf8.ValidString(piece) {
				t.Fatalf("the piece %q of %q is not valid", piece, body)
			}
			got.WriteString(piece)
			rest = rest[n:]
		}
		got.WriteString(s.end())
		if got.String() != text.String() {
			t.Fatalf("%q was put together as %q, want %q", body, got.String(), text.String())
		}
	}
}

// unquote agrees with encoding/json on every sound literal.
func TestUnquote(t *testing.T) {
	t.Parallel()
	for _, literal := range []string{
		`""`, `"plain"`, `"\"\\\/\b\f\n\r\t"`, `"\u0041\u00e9\u9f99\u9F99"`, `"龙🐉"`, `"\ud83d\udc09"`,
		`"\u0000"`, `"\uFFFF"`,
	} {
		var want string
		if err := json.Unmarshal([]byte(literal), &want); err != nil {
			t.Fatal(err)
		}
		raw, err := unquote([]byte(literal))
		if err != nil {
			t.Fatal(err)
		}
		var s stitcher
		if got := s.push(raw) + s.end(); got != want {
			t.Errorf("%s is %q, want %q", literal, got, want)
		}
	}
	if _, err := unquote([]byte("17")); err == nil {
		t.Error("a number was taken for a text")
	}
}

// eventReader hands out every line that counts, with one blank line behind each
// event and at the end, wherever the packets end.
func TestEventReader(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, body, want string }{
		{"lines", "a\nb\n\nc\n", "a\nb\n\nc\n\n\n"},
		{"no end", "a\nb", "a\nb\n\n"},
		{"CRLF", "a\r\n\r\nb\r\n", "a\n\nb\n\n\n"},
		{"CR", "a\r\rb\r", "a\n\nb\n\n\n"},
		{"all three", "a\r\nb\rc\n\n", "a\nb\nc\n\n\n\n"},
		{"blank lines", "\n\r\n\r\ra\n\n\n\n\nb\n\n", "a\n\nb\n\n\n\n"},
		{"comments", ": x\n:\n\na\n:y\nb\n\n: z", "a\nb\n\n\n\n"},
		{"long", strings.Repeat("x", 1<<17) + "\ny\n", strings.Repeat("x", 1<<17) + "\ny\n\n\n"},
		{"long comment", ":" + strings.Repeat("x", 1<<17) + "\ny\n", "y\n\n\n"},
		{"empty", "", "\n\n"},
	} {
		for _, body := range []io.Reader{
			strings.NewReader(test.body), iotest.OneByteReader(strings.NewReader(test.body)),
		} {
			e := &eventReader{in: bufio.NewReader(body)}
			got, err := io.ReadAll(e)
			if err != nil || string(got) != test.want || !e.ended {
				t.Errorf("%s: %.60q, want %.60q, %v", test.name, got, test.want, err)
			}
		}
	}
	failing := io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(io.ErrClosedPipe))
	e := &eventReader{in: bufio.NewReader(failing)}
	got, err := io.ReadAll(e)
	if err != io.ErrClosedPipe || string(got) != "a\n" || e.ended {
		t.Errorf("failing reader: %q, %v, ended %t; only whole lines count", got, err, e.ended)
	}
}

// A long event that arrives in many small packets is read in linear time: the
// benchmark below shows it, this test that the pieces are right.
func TestLongEventInPackets(t *testing.T) {
	t.Parallel()
	body := longEvent(1 << 20)
	got, err := drain(t, &packets{data: body, size: 1400})
	if err != nil || len(got.Message.Text) != 1<<20 {
		t.Errorf("%d bytes of text, %v", len(got.Message.Text), err)
	}
}

func longEvent(size int) []byte {
	return fmt.Appendf(nil, `data: {"choices":[{"delta":{"content":"%s"},"finish_reason":"stop"}]}`+"\n\n",
		strings.Repeat("x", size))
}

// packets is a reader that never gives more than size bytes at a time.
type packets struct {
	data []byte
	size int
}

func (p *packets) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.data)
	p.data = p.data[n:]
	return n, nil
}

// BenchmarkDecode is a usual reply: 500 tokens, one event each.
func BenchmarkDecode(b *testing.B) {
	var body []byte
	for i := range 500 {
		body = fmt.Appendf(body, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,`+
			`"model":"m","choices":[{"index":0,"delta":{"content":" word%03d"},"finish_reason":null}]}`+"\n\n", i)
	}
	body = append(body, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"...)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		got, err := llm.Collect(decode(bytes.NewReader(body), noEstimate))
		if err != nil || len(got.Message.Text) != 500*len(" word000") {
			b.Fatal(len(got.Message.Text), err)
		}
	}
}

// BenchmarkLongEvent is one event of 2 MB in packets of 1400 bytes. It exists
// because the event parser alone takes quadratic time for it.
func BenchmarkLongEvent(b *testing.B) {
	body := longEvent(2 << 20)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		got, err := llm.Collect(decode(&packets{data: body, size: 1400}, noEstimate))
		if err != nil || len(got.Message.Text) != 2<<20 {
			b.Fatal(len(got.Message.Text), err)
		}
	}
}
