package gemini_test

import (
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/gemini"
	"github.com/talewright/talewright/llm/llmtest"
)

// LL-04, LL-14: the contract test, with a server that sends the script in the dialect.
func TestContract(t *testing.T) {
	llmtest.TestModel(t, func(t *testing.T, script ...llmtest.Reply) llm.Model {
		return newClient(t, gemini.Config{BaseURL: scriptServer(t, script).URL, Key: "AIza-test"})
	})
}
