package effect

import (
	"testing"

	"github.com/talewright/talewright/internal/wording/wordingtest"
	"github.com/talewright/talewright/rules/internal/chinese"
)

// Whatever a model is refused can be told in Chinese.
func TestRefusalsAreTranslated(t *testing.T) {
	t.Parallel()
	wordingtest.Complete(t, chinese.Table, "deny", "wrongOperand", "wrongVariable", "badValue")
}
