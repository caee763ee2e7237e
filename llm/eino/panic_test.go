package eino_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/eino"
)

// panicking is a model of Eino that panics.
type panicking struct{ model.BaseChatModel }

func (panicking) Stream(context.Context, []*schema.Message, ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	panic("out of ink")
}

// TestModelPanics checks that a panic of a model reaches its caller. On a goroutine of the adapter it
// would end the process.
func TestModelPanics(t *testing.T) {
	t.Parallel()
	func() {
		defer func() {
			err, _ := recover().(error)
			if err == nil || !strings.Contains(err.Error(), "out of ink") || !strings.Contains(err.Error(), "panicking.Stream") {
				t.Errorf("the caller recovered %v", err)
			}
		}()
		for chunk, err := range eino.From(panicking{}, eino.Options{}).Generate(t.Context(), llm.Request{}) {
			t.Errorf("%v, %v", chunk, err)
		}
	}()
	m := llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			yield(llm.TextDelta{Text: "Dust."}, nil)
			panic("out of ink")
		}
	})
	stream, err := eino.To(m).Stream(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if first, err := stream.Recv(); err != nil || first.Content != "Dust." {
		t.Errorf("first %v, %v", first, err)
	}
	if _, err := stream.Recv(); err == nil || !strings.Contains(err.Error(), "out of ink") {
		t.Errorf("then %v", err)
	}
}

// endless is a model of Eino that ignores its context and never ends.
type endless struct {
	model.BaseChatModel
	stopped <-chan struct{} // closed when the consumer has stopped
	sent    chan<- int      // receives the number of messages after that
}

func (m endless) Stream(context.Context, []*schema.Message, ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	out, in := schema.Pipe[*schema.Message](0)
	go func() {
		in.Send(&schema.Message{Content: "word "}, nil)
		<-m.stopped
		n := 0
		for !in.Send(&schema.Message{Content: "word "}, nil) {
			n++
		}
		m.sent <- n
	}()
	return out, nil
}

// TestStreamIsClosed checks that the stream of a model that ignores its context is closed at its next
// message after the consumer stopped.
func TestStreamIsClosed(t *testing.T) {
	t.Parallel()
	stopped, sent := make(chan struct{}), make(chan int)
	for _, err := range eino.From(endless{stopped: stopped, sent: sent}, eino.Options{}).Generate(t.Context(), llm.Request{}) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	close(stopped)
	if n := <-sent; n > 1 {
		t.Errorf("%d messages were read after the end", n)
	}
}
