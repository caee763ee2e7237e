package mvu

import (
	"testing"

	"github.com/talewright/talewright/memvars/tree"
)

// FuzzTOML: no text breaks the reader, and what it reads has a JSON form that reads back equal.
func FuzzTOML(f *testing.F) {
	for _, text := range []string{"a = 1\n[b.'c']\nd = [1, {e = \"x\\n\"}] # why\n", "[[门]]\n名 = '''\n铁'''\n[[门]]\n", "a.b = 1979-05-27T07:32:00Z\r\n",
		"a = {b = {c = 0x1F}}", "\"a\" = \"\"\"x\\\n  y\"\"\"", "a = 1\na = 2", "[a]\n[a]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := parseTOML(text)
		if err != nil {
			return
		}
		again, err := tree.ParseValue(v.AppendJSON(nil))
		if !v.IsObject() || err == nil && !again.Equal(v) || err != nil && !v.Deeper(tree.MaxDepth) {
			t.Errorf("%q: %s: %v", text, v, err)
		}
	})
}
