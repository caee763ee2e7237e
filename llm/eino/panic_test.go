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
