package rules

import (
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/rules/internal/report"
)

// TestRefusalsAreTranslated: whatever a model is refused, or reads about its directives, has a
// Chinese sentence.
func TestRefusalsAreTranslated(t *testing.T) {
	t.Parallel()
	testkit.Complete(t, report.Table, "deny", "Say", "Of", "fail")
}
