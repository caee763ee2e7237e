package memvars

import (
	"testing"

	"github.com/talewright/talewright/internal/testkit"
)

// TestEachHintIsTranslated: the Chinese table has each hint of the source.
func TestEachHintIsTranslated(t *testing.T) {
	t.Parallel()
	testkit.Complete(t, chinese(), "hintf", "setHint")
	for code, hint := range codeHints {
		if chinese()[hint] == "" {
			t.Errorf("%s: %q is not translated", code, hint)
		}
	}
	for kind, noun := range kindNouns {
		if chinese()[noun] == "" {
			t.Errorf("%s: %q is not translated", kind, noun)
		}
	}
}
