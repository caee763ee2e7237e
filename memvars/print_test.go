package memvars_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestResultsPrintAsALine: printed results show values as JSON, without the fields for unknown
// members.
func TestResultsPrintAsALine(t *testing.T) {
	t.Parallel()
	at := tree.Path{"a", "b c"}
	v := tree.Object(tree.Member{Key: "n", Value: tree.Int(1)})
	for want, got := range map[string]any{
		`a.b c: - -> {"n":1} (cmd:0)`:      tree.Change{Path: at, New: v, By: "cmd:0"},
		`a.b c: {"n":1} -> -`:              tree.Change{Path: at, Old: v},
		`2:3 memory rejected bad_key: why`: memvars.CallResult{Line: 2, Col: 3, Op: "memory", Status: memvars.Rejected, Code: memvars.BadKey, Hint: "why"},
		`1:1 delete applied`:               memvars.CallResult{Line: 1, Col: 1, Op: "delete", Status: memvars.Applied},
		`backup a.b c Hills: {"n":1}`:      memvars.Effect{Kind: "backup", Path: at, World: "Hills", Data: v},
		`clock a.b c: it stands`:           memvars.Note{Pass: "clock", Path: at, Text: "it stands"},
	} {
		if printed := fmt.Sprint(got); printed != want {
			t.Errorf("%T prints as %s, want %s", got, printed, want)
		}
	}
}
