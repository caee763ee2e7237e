package rules_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// TestStateLosesNoDeepVariables: a saved game whose variables nest deeper than a document may is
// refused as a whole. A game with variables of a different type is read without them.
func TestStateLosesNoDeepVariables(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, tree.MaxDepth+1) + "1" + strings.Repeat("}", tree.MaxDepth+1)
	var s rules.State
	if err := json.Unmarshal([]byte(`{"turnCount":3,"variables":`+deep+`}`), &s); !errors.Is(err, tree.ErrDepth) {
		t.Errorf("too deep: %v, want tree.ErrDepth", err)
	}
	if err := json.Unmarshal([]byte(`{"turnCount":3,"variables":[1]}`), &s); err != nil || s.Turn != 3 {
		t.Errorf("a list for variables: turn %d, %v", s.Turn, err)
	}
}
