package anthropic_test

import (
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/anthropic"
)

// LL-16: a third-party server uses the dialect.
func TestAimock(t *testing.T) {
	wiretest.Aimock(t, func(t *testing.T, address string) llm.Model {
		return newClient(t, anthropic.Config{BaseURL: address, Key: "test-key"})
	})
}
