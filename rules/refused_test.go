package rules

import (
	"testing"

	"github.com/talewright/talewright/internal/wording/wordingtest"
)

// Whatever a model is refused can be told in Chinese.
func TestRefusalsAreTranslated(t *testing.T) {
	t.Parallel()
	wordingtest.Complete(t, chinese, "deny", "Say", "wrongOperand", "wrongVariable", "badValue")
}
