package condition_test

import (
	"testing"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/memvars/tree"
)

// Sums stay within the numbers that JSON readers accept.
func TestSumStaysFinite(t *testing.T) {
	t.Parallel()
	huge := tree.Num("1.7e308")
	free, bounded := act.Field{Add: true}, act.Field{Add: true, Max: new(5.0)}
	_, fail := condition.Changed(free, "gold", huge, huge)
	if fail == nil || fail.Code != act.CodeInvalidValue {
		t.Errorf("twice the largest number: %v", fail)
	}
	v, fail := condition.Changed(bounded, "gold", huge, tree.Int(1))
	if fail != nil || !v.Equal(tree.Int(5)) {
		t.Errorf("within bounds: %s, %v", v, fail)
	}
}
