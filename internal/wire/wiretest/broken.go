package wiretest

import (
	"bytes"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
)

// brokenStreams is the number of damaged streams that [Broken] tests.
const brokenStreams = 300

// Broken damages a valid stream of events in many ways: it truncates it, removes, doubles and
// exchanges its events, and changes bytes. The reply must keep the contract of [llm.Model], however
// the stream is cut into packets. A stream that was only truncated must give a prefix of the
// original text, and must succeed only with the whole text.
func Broken(t *testing.T, events []string, decode func(io.Reader) iter.Seq2[llm.Chunk, error]) {
	t.Helper()
	sound, err := Drain(t, decode(strings.NewReader(strings.Join(events, ""))))
	if err != nil || sound.Message.Text == "" {
		t.Fatalf("the sound stream: %+v, %v", sound, err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range brokenStreams {
		list := slices.Clone(events)
		for range r.IntN(3) {
			i, j := r.IntN(len(list)), r.IntN(len(list))
			switch r.IntN(3) {
			case 0:
				list[i] = ""
			case 1:
				list[i] += list[j]
			case 2:
				list[i], list[j] = list[j], list[i]
			}
		}
		body := []byte(strings.Join(list, ""))
		for range r.IntN(4) {
			if len(body) > 0 {
				body[r.IntN(len(body))] = "{}[]\",:\\\n\r\x00\xffx0"[r.IntN(14)]
			}
		}
		Packets(t, body[:r.IntN(len(body)+1)], decode)

		whole := strings.Join(events, "")
		cut, err := Drain(t, decode(bytes.NewReader([]byte(whole)[:r.IntN(len(whole))])))
		if !strings.HasPrefix(sound.Message.Text, strings.TrimRight(cut.Message.Text, "\uFFFD")) || err == nil && cut.Message.Text != sound.Message.Text {
			t.Fatalf("a stream that was cut says %q, %v", cut.Message.Text, err)
		}
	}
}
