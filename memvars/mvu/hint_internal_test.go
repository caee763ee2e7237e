package mvu

import "testing"

// TestEachHintIsTranslated: the Chinese table has each hint of the source, and nothing else.
func TestEachHintIsTranslated(t *testing.T) {
	t.Parallel()
	for code, english := range hints {
		if hint(code, "zh") == english {
			t.Errorf("%s: %q is not translated", code, english)
		}
	}
	if len(chinese()) != len(hints) {
		t.Errorf("%d translations for %d hints", len(chinese()), len(hints))
	}
}
