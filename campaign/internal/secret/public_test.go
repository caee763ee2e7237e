package secret_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// TestPublicTextsCostNothing: without secrets, notes of a turn and views of values allocate nothing.
func TestPublicTextsCostNothing(t *testing.T) {
	before, after := stateOf(t, `{"a": "x", "b": ["y"]}`), stateOf(t, `{"a": "z", "b": ["y", "w"]}`)
	value := tree.Object(tree.Member{Key: "a", Value: tree.Array(tree.Text("b"))})
	sight := secret.Of(after, state.Viewer{Character: "mara"})
	for name, do := range map[string]func(){
		"Keep":       func() { secret.Keep(before, after, nil, nil, nothingCopied) },
		"Redact":     func() { sight.Redact(value) },
		"Withhold":   func() { sight.Withhold(value) },
		"RedactText": func() { sight.RedactText("b") },
	} {
		if n := testing.AllocsPerRun(10, do); n > 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
