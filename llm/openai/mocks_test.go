package openai_test

import (
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// LL-16: a server that others wrote speaks the dialect.
func TestAimock(t *testing.T) {
	wiretest.Aimock(t, func(t *testing.T, address string) llm.Model {
		return newClient(t, openai.Config{BaseURL: address + "/v1", Key: "test-key"})
	})
}

// LL-16: another one, that numbers no calls and ends them with "stop".
func TestMockAPI(t *testing.T) {
	wiretest.MockAPI(t, "test-key", func(t *testing.T, address string) llm.Model {
		return newClient(t, openai.Config{BaseURL: address + "/v1", Key: "test-key"})
	})
}
