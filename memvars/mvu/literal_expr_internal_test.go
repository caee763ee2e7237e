package mvu

import (
	"math"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
)

// TestSumsOfValues: values compute as the other three languages do. The table lists the differences. The
// compat mode differs in other ways, which the conformance tests have.
func TestSumsOfValues(t *testing.T) {
	t.Parallel()
	for _, s := range testkit.Sums() {
		got := math.NaN()
		if v, ok := evaluate(s.Text, false); ok {
			got, _ = v.AsFloat()
		}
		if got != s.Values && !(math.IsNaN(got) && math.IsNaN(s.Values)) {
			t.Errorf("%s = %v, want %v", s.Text, got, s.Values)
		}
	}
}
