package memvars_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// TestCommandsNestAsDeepAsDocuments: commands of both languages fill a document up to
// [tree.MaxDepth] and are refused beyond it, so that the written document can be loaded (MV-26).
func TestCommandsNestAsDeepAsDocuments(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]memvars.Code{tree.MaxDepth: "", tree.MaxDepth + 1: memvars.BadPath} {
		around := n - 3 // objects between the member o of the module and the written one
		doc := load(t, []byte(`{"stat_data":{"o":`+strings.Repeat(`{"a":`, around)+"{}"+strings.Repeat("}", around)+`},"assa_data":{}}`))
		for _, text := range []string{
			"memory('free" + strings.Repeat(".a", around) + "', 'k', 1);",
			"_.insert('o" + strings.Repeat(".a", around) + "', 'k', 1);",
		} {
			after, res := sys.Apply(doc, text, memvars.AI)
			got := res.Calls[0]
			if got.Code != want || want != "" && (!after.Same(doc) || got.Hint == "") || want == "" && after.Same(doc) {
				t.Errorf("%d levels, %.20s: %+v", n, text, got)
			}
			if back := again(t, after); !back.Equal(after) {
				t.Errorf("%d levels, %.20s: another document is read back", n, text)
			}
		}
	}
}
