package llm_test

import (
	"errors"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
)

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

// LL-01: the sum of the chunks.
func TestCollect(t *testing.T) {
	t.Parallel()
	broken := &llm.Error{Code: llm.CodeServer}
	usage := func(n int) llm.UsageReport {
		return llm.UsageReport{Usage: llm.Usage{PromptTokens: n, Extra: extra("cost", "1")}}
	}
	for _, test := range []struct {
		name string
		seq  iter.Seq2[llm.Chunk, error]
		want llm.Response
		err  error
	}{
		{name: "empty", seq: sequence(nil, stop), want: llm.Response{Finish: llm.FinishStop}},
		{
			name: "text and reasoning apart",
			seq: sequence(nil, llm.ReasoningDelta{Text: "r"}, llm.TextDelta{Text: "a"},
				llm.ReasoningDelta{Text: "s"}, llm.TextDelta{Text: "b"}, stop),
			want: llm.Response{
				Message: llm.Message{Text: "ab", Reasoning: "rs"}, Finish: llm.FinishStop,
			},
		},
		{
			name: "seals close the reasoning before them",
			seq: sequence(nil, llm.ReasoningDelta{Text: "r"}, llm.ReasoningDelta{Text: "s"},
				llm.Seal{Provider: "p", Signature: "1"}, llm.Seal{Provider: "p", Redacted: "2"},
				llm.TextDelta{Text: "a"}, llm.ReasoningDelta{Text: "t"}, llm.Seal{Provider: "p", Signature: "3"},
				llm.ReasoningDelta{Text: "u"}, stop),
			want: llm.Response{
				Message: llm.Message{Text: "a", Reasoning: "rstu", Thoughts: []llm.Thought{
					{Provider: "p", Text: "rs", Signature: "1"}, {Provider: "p", Redacted: "2"}, {Provider: "p", Text: "t", Signature: "3"},
				}},
				Finish: llm.FinishStop,
			},
		},
		{
			name: "calls by index, first name and id stay",
			seq: sequence(nil,
				llm.CallDelta{Index: 5, ID: "y", Name: "g", Arguments: "{"},
				llm.CallDelta{Index: 2, Name: "f"},
				llm.CallDelta{Index: 5, ID: "late", Name: "late", Arguments: "}"},
				llm.CallDelta{Index: 2, ID: "x", Arguments: "[]"},
				llm.Done{Reason: llm.FinishToolCalls}),
			want: llm.Response{
				Message: llm.Message{ToolCalls: []llm.ToolCall{
					{ID: "x", Name: "f", Arguments: "[]"}, {ID: "y", Name: "g", Arguments: "{}"},
				}},
				Finish: llm.FinishToolCalls,
			},
		},
		{
			name: "last usage, all warnings",
			seq: sequence(nil, usage(1), llm.Warning{Code: "a"}, nil, usage(2),
				llm.Warning{Code: "b"}, stop),
			want: llm.Response{
				Usage:    &llm.Usage{PromptTokens: 2, Extra: extra("cost", "1")},
				Warnings: []llm.Warning{{Code: "a"}, {Code: "b"}}, Finish: llm.FinishStop,
			},
		},
		{
			name: "an error gives what had come",
			seq:  sequence(broken, llm.TextDelta{Text: "half"}),
			want: llm.Response{Message: llm.Message{Text: "half"}}, err: broken,
		},
		{
			name: "no end mark is no success",
			seq:  sequence(nil, llm.TextDelta{Text: "half"}),
			want: llm.Response{Message: llm.Message{Text: "half"}}, err: io.ErrUnexpectedEOF,
		},
	} {
		test.want.Message.Role = llm.Assistant
		got, err := llm.Collect(test.seq)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if !errors.Is(err, test.err) {
			t.Errorf("%s: error %v, want %v", test.name, err, test.err)
		}
	}
}

// A response is a copy: later chunks do not change it, and its owner's changes do not affect the
// collector.
func TestCollectorCopies(t *testing.T) {
	t.Parallel()
	var c llm.Collector
	report := llm.UsageReport{Usage: llm.Usage{Extra: extra("cost", "1")}}
	for _, chunk := range []llm.Chunk{
		llm.TextDelta{Text: "a"}, llm.CallDelta{Name: "f"}, llm.Warning{Code: "w"}, report,
	} {
		_ = c.Add(chunk)
	}
	first := c.Response()
	first.Warnings[0].Code, first.Usage.Extra["cost"][0] = "changed", '9'
	first.Message.ToolCalls[0].Name = "changed"
	report.Usage.Extra["cost"][0] = '8'
	c.Add(llm.TextDelta{Text: "b"})
	second := c.Response()
	if first.Message.Text != "a" || second.Message.Text != "ab" || second.Warnings[0].Code != "w" ||
		second.Message.ToolCalls[0].Name != "f" || string(second.Usage.Extra["cost"]) != "1" {
		t.Errorf("first %+v, second %+v", first, second)
	}
}

// BenchmarkCollect sums up a typical reply: 500 pieces.
func BenchmarkCollect(b *testing.B) {
	chunks := make([]llm.Chunk, 0, 501)
	for range 500 {
		chunks = append(chunks, llm.TextDelta{Text: " word"})
	}
	chunks = append(chunks, stop)
	b.ReportAllocs()
	for b.Loop() {
		got, err := llm.Collect(sequence(nil, chunks...))
		if err != nil || len(got.Message.Text) != 2500 {
			b.Fatal(len(got.Message.Text), err)
		}
	}
}

func TestOnce(t *testing.T) {
	t.Parallel()
	seq := llm.Once(sequence(nil, llm.TextDelta{Text: "a"}, stop))
	if got, err := llm.Collect(seq); err != nil || got.Message.Text != "a" {
		t.Errorf("first range: %+v, %v", got, err)
	}
	_, err := llm.Collect(seq)
	failure, ok := errors.AsType[*llm.Error](err)
	if !ok || failure.Code != llm.CodeInvalidRequest || !strings.Contains(err.Error(), "twice") {
		t.Errorf("second range: %v", err)
	}
}
