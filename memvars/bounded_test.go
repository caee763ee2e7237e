package memvars_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
)

// TestBoundedWork reads long messages that would make a simple parser read them again and again. It
// uses no clock: with such a parser the test would time out (MV-26).
func TestBoundedWork(t *testing.T) {
	t.Parallel()
	d := standard(t)
	o := memvars.Options{Dialects: []memvars.Dialect{mvu.Dialect(mvu.Options{})}}
	sys, problems := memvars.Compile(o)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, piece := range []string{
		"memory('{", "memory('a", "x memory('a ", "memory('a','", "memory(“", "memory(“a” ", "<think>", "<think ", "</think>",
		"/*", "/* ", "*/", "set_status(", "set_status(a,[", "set_status(a,{'", "set_status(a,{\"b\":", "\n memory('x",
		"set_status('a','{\"", "set_status(a, /*", "*.x(", "\\_", "_.set(", "_.set('", "_.set(\"a\",(", "<JsonPatch>",
		"<JsonPatch>[", "<JsonPatch></JsonPatch>", "_.set('a', [[", "memory('a', '{' , ", "“", "{", "(", "'", "\" ",
		"memory('a','{\"x\":1,\" /*", "memory('a', {a:1, /*", "- // ", "\n- ", "set_status(a.a.",
	} {
		text := strings.Repeat(piece, 100_000/len(piece))
		after, res := sys.Apply(d, text, memvars.AI)
		if len(res.Changes) == 0 && !after.Same(d) {
			t.Errorf("%q made a new version", piece)
		}
	}
}
