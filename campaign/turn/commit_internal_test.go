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
			if got := wholeDue(version, head); got != (version%c.every == 0) {
				t.Fatalf("%d KB: record %d: %v", c.kilobytes, version, got)
			}
		}
	}
}
