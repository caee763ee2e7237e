package llmtest

import (
	"slices"
	"testing"
)

// Lines are broken exactly where the text has line feeds.
func TestReadable(t *testing.T) {
	t.Parallel()
	got := readable([]byte(`{"a":"x\ny\\n\"\n"}`))
	want := []string{"{", `  "a": "x\n`, `    y\\n\"\n"`, "}"}
	if !slices.Equal(got, want) {
		t.Errorf("lines %q, want %q", got, want)
	}
	if got := readable([]byte("no JSON")); !slices.Equal(got, []string{"no JSON"}) {
		t.Errorf("lines %q", got)
	}
}
