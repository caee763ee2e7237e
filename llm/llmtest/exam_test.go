package llmtest_test

import (
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
)

func TestScriptedPasses(t *testing.T) {
	llmtest.TestModel(t, func(_ *testing.T, script ...llmtest.Reply) llm.Model {
		return llmtest.NewScripted(script...)
	})
}

func TestRecorderPasses(t *testing.T) {
	llmtest.TestModel(t, func(_ *testing.T, script ...llmtest.Reply) llm.Model {
		return llmtest.NewRecorder(llmtest.NewScripted(script...))
	})
}

func TestMiddlewarePasses(t *testing.T) {
	llmtest.TestModel(t, func(_ *testing.T, script ...llmtest.Reply) llm.Model {
		model := llmtest.NewScripted(script...)
		return wrap.Retry(wrap.SplitThinking(model, wrap.ThinkSplitter{}), wrap.RetryPolicy{Attempts: 1})
	})
}
