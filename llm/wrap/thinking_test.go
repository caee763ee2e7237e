package wrap_test

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
)

// split passes pieces to a splitter and joins the results.
func split(s wrap.ThinkSplitter, pieces ...string) (text, reasoning string) {
	var c llm.Collector
	for _, piece := range pieces {
		for _, chunk := range s.Split(piece) {
			_ = c.Add(chunk)
		}
	}
	for _, chunk := range s.End() {
		_ = c.Add(chunk)
	}
	return c.Response().Message.Text, c.Response().Message.Reasoning
}

// LL-05: think blocks in the text.
func TestThinkSplitter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, in        string
		splitter        wrap.ThinkSplitter
		text, reasoning string
	}{
		{name: "no block", in: "Hi, <b>you</b>.", text: "Hi, <b>you</b>."},
		{name: "block", in: "<think>\nhm\n</think>\n\nHi.", text: "Hi.", reasoning: "hm\n"},
		{name: "empty block", in: "<think>\n\n</think>\n\nHi.", text: "Hi."},
		{name: "in the middle", in: "A <think>x</think> B", text: "A B", reasoning: "x"},
		{name: "two blocks", in: "<think>x</think>A<think>y</think>B", text: "AB", reasoning: "xy"},
		{name: "never closed", in: "<think>hm, </thin", reasoning: "hm, </thin"},
		{name: "closed only", in: "A</think>B", text: "A</think>B"},
		{name: "opened twice", in: "<think>a<think>b</think>c", text: "c", reasoning: "a<think>b"},
		{name: "nearly a tag", in: "<<thin <think >", text: "<<thin <think >"},
		{name: "angle before the tag", in: "<<think>x</think>", text: "<", reasoning: "x"},
		{name: "begins of tags at the end", in: "A <thi", text: "A <thi"},
		{
			name: "begins inside", in: "\nhm</think>\nHi.", splitter: wrap.ThinkSplitter{Inside: true},
			text: "Hi.", reasoning: "hm",
		},
		{
			name: "other tags", in: "【思】想【答】好", splitter: wrap.ThinkSplitter{Open: "【思】", Close: "【答】"},
			text: "好", reasoning: "想",
		},
		{name: "only white space", in: " \n", text: " \n"},
	} {
		for _, pieces := range [][]string{{test.in}, strings.Split(test.in, "")} {
			text, reasoning := split(test.splitter, pieces...)
			if text != test.text || reasoning != test.reasoning {
				t.Errorf("%s, in %d pieces: text %q, reasoning %q; want %q, %q",
					test.name, len(pieces), text, reasoning, test.text, test.reasoning)
			}
		}
	}
}

// However the text is split, the result is the same as for the whole text. Every piece is valid
// UTF-8, and only the beginning of a tag is buffered.
func TestThinkSplitterAnyCut(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	parts := []string{"<think>", "</think>", "<", "</", "think", ">", " ", "\n", "a", "龙", "🐉"}
	for range 3000 {
		var in strings.Builder
		for range random.IntN(14) {
			in.WriteString(parts[random.IntN(len(parts))])
		}
		wantText, wantReasoning := split(wrap.ThinkSplitter{}, in.String())
		var pieces []string
		rest := []rune(in.String())
		for len(rest) > 0 {
			n := 1 + random.IntN(len(rest))
			pieces = append(pieces, string(rest[:n]))
			rest = rest[n:]
		}
		text, reasoning := split(wrap.ThinkSplitter{}, pieces...)
		if text != wantText || reasoning != wantReasoning {
			t.Fatalf("%q gives %q, %q; whole it gives %q, %q",
				pieces, text, reasoning, wantText, wantReasoning)
		}
		if !utf8.ValidString(text) || !utf8.ValidString(reasoning) {
			t.Fatalf("%q gives invalid UTF-8", pieces)
		}
	}
}

// FuzzThinkSplitter compares a text cut at one place with the whole.
func FuzzThinkSplitter(f *testing.F) {
	f.Add("<think>hm</think>\n\nHi", uint(5), false)
	f.Add("a</think>b", uint(3), true)
	f.Fuzz(func(t *testing.T, in string, cut uint, inside bool) {
		s := wrap.ThinkSplitter{Inside: inside}
		at := int(cut % uint(len(in)+1))
		text, reasoning := split(s, in)
		cutText, cutReasoning := split(s, in[:at], in[at:])
		if text != cutText || reasoning != cutReasoning {
			t.Errorf("%q cut at %d: %q, %q; whole: %q, %q", in, at, cutText, cutReasoning, text, reasoning)
		}
	})
}

// Around a model, other chunks pass unchanged, and held text is passed on before any end.
func TestSplitThinking(t *testing.T) {
	t.Parallel()
	call := llm.CallDelta{Name: "f", Arguments: "<think>"}
	broken := &llm.Error{Code: llm.CodeServer}
	stream := llm.Chunks{
		llm.ReasoningDelta{Text: "own <think>"}, llm.TextDelta{Text: "A<thi"}, call,
		llm.TextDelta{Text: "nk>x</think>B <th"}, stop,
	}
	want := llm.Chunks{
		llm.ReasoningDelta{Text: "own <think>"}, llm.TextDelta{Text: "A"}, call,
		llm.ReasoningDelta{Text: "x"}, llm.TextDelta{Text: "B "}, llm.TextDelta{Text: "<th"},
	}
	// Two replies of one model: the second does not continue the state of the first.
	model := wrap.SplitThinking(llmtest.NewScripted(
		llmtest.Reply{Chunks: stream}, llmtest.Reply{Chunks: stream, Err: broken},
		llmtest.Text("<think>abandoned</think>x"),
	), wrap.ThinkSplitter{})
	for _, ending := range []error{nil, broken} {
		var got llm.Chunks
		var last error
		for chunk, err := range model.Generate(context.Background(), llm.Request{}) {
			if last = err; err == nil && chunk != llm.Chunk(stop) {
				got = append(got, chunk)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || !errors.Is(last, ending) {
			t.Errorf("error %v (-want +got):\n%s", last, diff)
		}
	}
	for chunk, err := range model.Generate(context.Background(), llm.Request{}) {
		if chunk != llm.Chunk(llm.ReasoningDelta{Text: "abandoned"}) || err != nil {
			t.Errorf("chunk %v, %v", chunk, err)
		}
		break
	}
}

// BenchmarkThinkSplitter separates the thinking in a typical reply.
func BenchmarkThinkSplitter(b *testing.B) {
	in := "<think>" + strings.Repeat("hm, a < b. ", 200) + "</think>\n" + strings.Repeat("I see. ", 200)
	pieces := strings.SplitAfter(in, " ")
	b.ReportAllocs()
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		text, reasoning := split(wrap.ThinkSplitter{}, pieces...)
		if len(text) != 1400 || len(reasoning) != 2200 {
			b.Fatal(len(text), len(reasoning))
		}
	}
}

// sequence yields chunks and then, unless it is nil, an error.
func sequence(err error, chunks ...llm.Chunk) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for _, chunk := range chunks {
			if !yield(chunk, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

var stop = llm.Done{Reason: llm.FinishStop}
