package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
)

// TestValueReadsBack: a plain value reads back unchanged from its JSON. The second column marks the
// usual values that must be recognised.
func TestValueReadsBack(t *testing.T) {
	deep := tree.Text("x")
	for range maxDepth + 1 {
		deep = tree.Array(deep)
	}
	for _, tt := range []struct {
		name string
		v    tree.Value
		want bool
	}{
		{"text", tree.Text("铜钱"), true},
		{"whole number", tree.Int(-10), true},
		{"fraction", parse(t, "0.25"), true},
		{"exponent", parse(t, "1e3"), false},
		{"object", parse(t, `{"hp": 10, "items": ["rope", null, true]}`), true},
		{"deep", deep, false},
		{"nothing", tree.Value{}, true},
	} {
		got := PlainValue(tt.v)
		if got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
		if !got || !tt.v.Exists() {
			continue
		}
		data, err := json.Marshal(tt.v)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if back := parse(t, string(data)); !back.Equal(tt.v) {
			t.Errorf("%s: it reads back as %s", tt.name, data)
		}
	}
	if !PlainTexts("a", "", "铃") || PlainTexts("a", strings.Repeat("\xc3", 2)) {
		t.Error("Texts is wrong about UTF-8")
	}
}

func parse(t *testing.T, text string) (v tree.Value) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
