package llmtest

import (
	"fmt"
	"slices"
	"strings"
)

// contextLines is the number of equal lines that are shown around a difference.
const contextLines = 2

// maxTable is the size limit of diff's comparison table. Larger middle parts are shown as removed
// and added as a whole.
const maxTable = 4 << 20

// lineCount counts how often each line occurs in a text.
type lineCount map[string]int

func countLines(lines []string) lineCount {
	count := make(lineCount, len(lines))
	for _, line := range lines {
		count[line]++
	}
	return count
}

// shared counts the lines that two texts have in common, in any order. Its cost is linear in the
// second text.
func (c lineCount) shared(other []string) int {
	shared := 0
	for line, n := range countLines(other) {
		shared += min(n, c[line])
	}
	return shared
}

// edit is one line of a comparison: ' ' in both texts, '-' only in the first text, '+' only in the
// second.
type edit struct {
	kind byte
	line string
}

// diff shows how b differs from a, with some context, one edit per line.
func diff(a, b []string) string {
	edits := compare(a, b)
	shown := make([]bool, len(edits))
	for i, e := range edits {
		if e.kind == ' ' {
			continue
		}
		for j := max(0, i-contextLines); j <= min(len(edits)-1, i+contextLines); j++ {
			shown[j] = true
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
