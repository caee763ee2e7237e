package effect_test

import (
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/rules/internal/report"
)

// Whatever a model is refused can be told in Chinese.
func TestRefusalsAreTranslated(t *testing.T) {
	t.Parallel()
	testkit.Complete(t, report.Table, "deny", "wrongOperand", "wrongVariable", "badValue")
}
