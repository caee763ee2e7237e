package condition

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
)

// Group is a compiled object of conditions: its keys, joined by and or or. Only the
// object at the top of a hook may be joined by or; nested ones say all and any.
type Group struct {
	terms []term
	any   bool
}

// term is one compiled key. test decides; actual tells the trace what was found.
// All that can be known without an event is done when the term is compiled, so that
// a test reads values and compares. Key and want are there for the trace alone.
type term struct {
	key    string
	want   tree.Value
	test   func(*Scene) bool
	actual func(*Scene) tree.Value
}

// Hold reports whether the group is true. An empty one is true in either logic;
// so is one nested in all, any or not.
func (g *Group) Hold(s *Scene) bool {
	// The first true key decides an or, the first false one an and.
	for i := range g.terms {
		if g.terms[i].test(s) == g.any {
			return g.any
		}
	}
	return !g.any || len(g.terms) == 0
}

// maxShown is how much of a value a trace shows: an event may hold a whole chat.
const maxShown = 200

// Explain names the first key that made the group false. It asks again, which is
// cheaper than to keep what every test found in case that a trace is wanted.
func (g *Group) Explain(s *Scene) string {
	if g.any {
		return fmt.Sprintf("none of %d keys holds", len(g.terms))
	}
	for i := range g.terms {
		t := &g.terms[i]
		if t.test(s) {
			continue
		}
		want := Cut(t.want.String(), maxShown)
		if t.actual == nil {
			return fmt.Sprintf("%s: want %s", t.key, want)
		}
		if v := t.actual(s); v.Exists() {
			return fmt.Sprintf("%s: %s, want %s", t.key, Cut(v.String(), maxShown), want)
		}
		return fmt.Sprintf("%s: unknown, want %s", t.key, want)
	}
	return ""
}
