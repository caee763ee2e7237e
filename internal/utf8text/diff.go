package utf8text

import (
	"fmt"
	"slices"
	"strings"
)

// maxTable is the size limit of the comparison table of Diff. Larger middle parts are shown as removed
// and added as a whole.
const maxTable = 4 << 20

// edit is one line of a comparison: ' ' in both texts, '-' only in the first text, '+' only in the
// second.
type edit struct {
	kind byte
	line string
}

// Diff shows how the lines b differ from the lines a: "-" marks the lines that only a has, "+" the lines
// that only b has. It shows as many equal lines before and after a difference as context says.
func Diff(a, b []string, context int) string {
	edits := compare(a, b)
	shown := make([]bool, len(edits))
	next := 0 // all shown edits before it are marked
	for i, e := range edits {
		if e.kind == ' ' {
			continue
		}
		for next = max(next, i-context); next <= min(len(edits)-1, i+context); next++ {
			shown[next] = true
		}
	}
	var out strings.Builder
	skipped := 0
	for i, e := range edits {
		if !shown[i] {
			skipped++
			continue
		}
		if skipped > 0 {
			fmt.Fprintf(&out, "  … %d equal line(s)\n", skipped)
			skipped = 0
		}
		fmt.Fprintf(&out, "%c %s\n", e.kind, e.line)
	}
	if skipped > 0 {
		fmt.Fprintf(&out, "  … %d equal line(s)\n", skipped)
	}
	return out.String()
}

// compare returns the shortest list of edits from a to b. It uses the longest common subsequence of
// the part between their equal ends.
func compare(a, b []string) []edit {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	edits := mark(nil, ' ', a[:head])
	edits = middle(edits, a[head:len(a)-tail], b[head:len(b)-tail])
	return mark(edits, ' ', a[len(a)-tail:])
}

// middle appends the edits of two texts whose ends differ. If several lists are shortest, removals
// come before additions. So a changed line shows its old form above its new one.
func middle(edits []edit, a, b []string) []edit {
	if (len(a)+1)*(len(b)+1) > maxTable {
		return mark(mark(edits, '-', a), '+', b)
	}
	// common[i*w+j] is the length of the longest common subsequence of a[i:], b[j:].
	w := len(b) + 1
	common := make([]int32, (len(a)+1)*w)
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if a[i] == b[j] {
				common[i*w+j] = common[(i+1)*w+j+1] + 1
			} else {
				common[i*w+j] = max(common[(i+1)*w+j], common[i*w+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			edits = append(edits, edit{' ', a[i]})
			i, j = i+1, j+1
		case common[(i+1)*w+j] >= common[i*w+j+1]:
			edits = append(edits, edit{'-', a[i]})
			i++
		default:
			edits = append(edits, edit{'+', b[j]})
			j++
		}
	}
	return mark(mark(edits, '-', a[i:]), '+', b[j:])
}

// mark appends lines that all have the same kind.
func mark(edits []edit, kind byte, lines []string) []edit {
	for _, line := range lines {
		edits = append(edits, edit{kind, line})
	}
	return edits
}
