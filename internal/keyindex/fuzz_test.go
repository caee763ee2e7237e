package keyindex_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
)

// FuzzScan searches for the lines of keys in text, with the edges of mode, and compares with a
// search for each key.
func FuzzScan(f *testing.F) {
	f.Add("elf\nelves\nelfin", "the elfin elves", uint8(0))
	f.Add("a\nab\nabc\nabcdefgh", "xabcdefghi", uint8(1))
	f.Add("魔法\n魔法师\nHP", "魔法师 HP", uint8(2))
	f.Fuzz(func(t *testing.T, keys, text string, mode uint8) {
		if len(keys)+len(text) > 10000 || !utf8.ValidString(keys) || !utf8.ValidString(text) {
			return
		}
		edge := keyindex.Edge(mode % 3)
		var list []keyindex.Key
		var want []int32
		for _, k := range strings.Split(keys, "\n") {
			if k == "" {
				continue
			}
			if occursWithEdges(text, k, edge) {
				want = append(want, int32(len(list)))
			}
			list = append(list, keyindex.Key{Text: k, Left: edge, Right: edge})
		}
		x := keyindex.Build(list)
		for pass := range 2 { // the second pass uses reused working memory
			got := x.Scan(nil, []byte(text), nil)
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("pass %d: %q in %q with edges %d: %v, want %v", pass, keys, text, edge, got, want)
			}
		}
	})
}

func occursWithEdges(text, key string, edge keyindex.Edge) bool {
	fits := func(beside string, at int) bool {
		word := at >= 0 && at < len(beside) && keyindex.IsWordByte(beside[at])
		return edge == keyindex.AnyEdge || word == (edge == keyindex.WordEdge)
	}
	for at := 0; at+len(key) <= len(text); at++ {
		if text[at:at+len(key)] == key && fits(text, at-1) && fits(text, at+len(key)) {
			return true
		}
	}
	return false
}
