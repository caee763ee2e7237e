package rules

import (
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/rules/internal/report"
)

// TestRefusalsAreTranslated: every refusal for a model, and every text about directives, has a
// Chinese translation.
func TestRefusalsAreTranslated(t *testing.T) {
	t.Parallel()
	testkit.Complete(t, report.Table, "deny", "Say", "Of", "fail")
}
