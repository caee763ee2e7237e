package directive

import (
	"testing"

	"github.com/talewright/talewright/internal/wording/wordingtest"
)

// Whatever a model is told about its directives can be told in Chinese.
func TestErrorsAreTranslated(t *testing.T) {
	t.Parallel()
	wordingtest.Complete(t, chinese, "fail", "Say", "Of")
}
