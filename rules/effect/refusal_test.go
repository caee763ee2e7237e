package effect_test

import (
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/rules/internal/report"
)

// Every refusal to a model has a Chinese translation.
func TestRefusalsAreTranslated(t *testing.T) {
	t.Parallel()
	testkit.Complete(t, report.Table, "deny", "wrongOperand", "wrongVariable", "badValue")
}
