package turn

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
)

// TestWholeHeadsAreRare: every 64th record stores the full head. The larger the head, the rarer it is
// stored.
func TestWholeHeadsAreRare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kilobytes int
		every     int64
	}{{0, 64}, {31, 64}, {33, 128}, {63, 128}, {65, 256}, {500, 1024}} {
		head := tree.Text(strings.Repeat("x", c.kilobytes<<10))
		for version := int64(1); version <= 2048; version++ {
			if got := storesHead(version, head); got != (version%c.every == 0) {
				t.Fatalf("%d KB: record %d: %v", c.kilobytes, version, got)
			}
		}
	}
}

// TestSizeOf: the size of a value is the length of its JSON.
func TestSizeOf(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`null`, `true`, `-1.50`, `""`, `"a\"\n<é"`, `[]`, `{}`, `[[]]`, `[1,"x",null]`, `{"":{}}`,
		`{"a\\":[1,{"b":2,"c":[]}],"名":"值","d":false}`,
	} {
		v, err := tree.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := sizeOf(v, new([]byte)), len(v.AppendJSON(nil)); got != want {
			t.Errorf("%s: size %d, want %d", text, got, want)
		}
	}
}
