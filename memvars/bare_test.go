package memvars_test

import (
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestCommentsInBareJSON shows that brackets and apostrophes within comments do
// not end a bare object (MV-26).
func TestCommentsInBareJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reason, value, want string
	}{
		{"a bracket in a line comment", "{'k': 1, // 备注}\n 'n': 2}", `{"k":1,"n":2}`},
		{"an apostrophe after a comma in a block comment", `{"k": 1, /* it's, 'x */ "n": 2}`,
			`{"k":1,"n":2}`},
		{"a bracket in a block comment", `[1, /* ] */ 2]`, `[1,2]`},
		{"slashes within a string are no comment", `{"u": "http://x/}", 'n': 2}`,
			`{"u":"http://x/}","n":2}`},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			t.Parallel()
			doc := load(t, []byte(`{"assa_data":{"世":{}}}`))
			sys, problems := memvars.Compile(memvars.Options{})
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			doc, result := sys.Apply(doc, "memory('世', 'c', "+tt.value+");", memvars.AI)
			got := doc.Lookup(tree.Path{"assa_data", "世", "c"}).String()
			if len(result.Calls) != 1 || got != tt.want {
				t.Errorf("%s, want %s: %+v", got, tt.want, result.Calls)
			}
		})
	}
}
