package memvars

import (
	"math"
	"strconv"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// TestSumsOfDerivedFields: derived fields compute as the other three languages do. The table lists
// the differences.
func TestSumsOfDerivedFields(t *testing.T) {
	t.Parallel()
	for _, s := range testkit.Sums() {
		got := math.NaN()
		if e, err := parseFormula(s.Text); err == nil {
			if n, err := e.Eval(func(string, tree.Path) (tree.Number, bool) { return "", false }); err == nil {
				got, _ = strconv.ParseFloat(string(n), 64)
			}
		}
		if got != s.Derived && !(math.IsNaN(got) && math.IsNaN(s.Derived)) {
			t.Errorf("%s = %v, want %v", s.Text, got, s.Derived)
		}
	}
}
