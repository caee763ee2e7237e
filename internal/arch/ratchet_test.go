package arch

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the lists of testdata anew, with the figures of today")

// A ratchet limits figures. Figures that were above the limit when the test was written are listed
// in a file, one per line. They may not grow either: the list can only become shorter and its
// figures smaller.
type ratchet struct {
	file   string
	counts []string // the meaning of the figures
	most   []int    // the limit of each figure without a line
}

// hold reports the figures that are above their limits.
func (r ratchet) hold(t *testing.T, figures map[string][]int) {
	t.Helper()
	for _, grown := range r.growth(r.read(t), figures) {
		t.Errorf("%s: divide it, or move what belongs elsewhere", grown)
	}
}

// growth returns the figures that are above their limits, as lines that begin with a name.
func (r ratchet) growth(listed, figures map[string][]int) (grown []string) {
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		for i, n := range figures[name] {
			may := r.most[i]
			if old, is := listed[name]; is {
				may = max(may, old[i])
			}
			if n > may {
				grown = append(grown, fmt.Sprintf("%s: %d %s, and it may have %d", name, n, r.counts[i], may))
			}
		}
	}
	return grown
}

// tight reports the lines whose figures are above the actual ones. With -update it corrects the
// figures and removes lines that are no longer needed. It adds no lines.
func (r ratchet) tight(t *testing.T, figures map[string][]int) {
	t.Helper()
	var lines strings.Builder
	listed := r.read(t)
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		got := figures[name]
		switch {
		case *update && r.beyond(got):
			lines.WriteString(r.line(name, got))
		case !*update && !(r.beyond(got) && slices.Equal(got, listed[name])):
			t.Errorf("%s: the line of %s is no longer true: run this test with -update", r.file, name)
		}
	}
	if *update {
		if err := os.WriteFile(r.file, []byte(lines.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// beyond reports whether a figure is above the limit without a line.
func (r ratchet) beyond(figures []int) bool {
	for i, n := range figures {
		if n > r.most[i] {
			return true
		}
	}
	return false
}

func (r ratchet) line(name string, figures []int) string {
	for i, n := range figures {
		name += fmt.Sprintf(" %d %s", n, r.counts[i])
	}
	return name + "\n"
}

// read returns the listed figures by name.
func (r ratchet) read(t *testing.T) map[string][]int {
	t.Helper()
	data, err := os.ReadFile(r.file)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string][]int{}
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		figures := make([]int, len(r.counts))
		for i := range figures {
			if 2*i+1 < len(words) {
				figures[i], _ = strconv.Atoi(words[2*i+1])
			}
		}
		if len(words) == 0 || line != r.line(words[0], figures) {
			t.Fatalf("%s: no line of it: %q", r.file, line)
		}
		listed[words[0]] = figures
	}
	return listed
}

// TestListsAreTight: the lists contain the actual figures, so that a smaller figure cannot grow
// again. With -update it rewrites them.
func TestListsAreTight(t *testing.T) {
	houseList.tight(t, house(t))
	layersList.tight(t, usesUp(t))
}
