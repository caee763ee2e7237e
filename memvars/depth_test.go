package memvars_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
)

// TestCommandsNestLessThanDocuments: commands of both languages stop at 900 levels, which leaves
// room for what a host keeps the document in (MV-26).
func TestCommandsNestLessThanDocuments(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]memvars.Code{850: "", 950: memvars.BadPath} {
		doc := load(t, []byte(`{"stat_data":{"o":`+strings.Repeat(`{"a":`, n-3)+"{}"+strings.Repeat("}", n-3)+`},"assa_data":{}}`))
		for _, text := range []string{
			"memory('free" + strings.Repeat(".a", n-3) + "', 'k', 1);",
			"_.insert('o" + strings.Repeat(".a", n-3) + "', 'k', 1);",
		} {
			after, res := sys.Apply(doc, text, memvars.AI)
			if got := res.Calls[0]; got.Code != want || want != "" && (!after.Same(doc) || got.Hint == "") {
				t.Errorf("%d levels, %.20s: %+v", n, text, got)
			}
		}
	}
}
