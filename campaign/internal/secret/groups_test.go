package secret_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// TestParts: variables are divided by the characters who know them. What nobody knows is in no part.
func TestParts(t *testing.T) {
	t.Parallel()
	var notes state.AudienceNotes
	for _, n := range []struct {
		of  tree.Path
		who string
	}{{tree.Path{"variables", "a"}, "ann"}, {tree.Path{"entry", "x"}, "eve"}, {tree.Path{"variables", "c"}, "ben"}, {tree.Path{"variables", "b"}, "ann"},
		{tree.Path{"entry", "y"}, "ann"}, {tree.Path{"variables", "d"}, ""}, {tree.Path{"variables", "gone"}, "cy"}} {
		notes = notes.With(n.of, []string{n.who})
	}
	v, err := tree.ParseValue([]byte(`{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}`))
	if err != nil {
		t.Fatal(err)
	}
	all, err := tree.NewDocument(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		heard []string
		want  string
	}{{nil, `{"e":5}[] {"a":1,"b":2}[ann] {"c":3}[ben]`}, {[]string{"ann"}, `{"a":1,"b":2,"e":5}[] {"c":3}[ben]`}} {
		var got []string
		for _, p := range secret.Parts(notes, all, c.heard) {
			got = append(got, p.Variables.Root().String()+fmt.Sprint(p.Witnesses))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("for %v: %s, want %s", c.heard, text, c.want)
		}
	}
}

// TestKeepLore: every kind of timed effect is stored for the owners of its entry alone. A cooldown
// that follows a private sticky effect stays with the characters who knew the effect.
func TestKeepLore(t *testing.T) {
	t.Parallel()
	ann := []string{"ann"}
	key := worldbook.Record{Start: 1, End: 5}
	later := worldbook.Record{Start: 5, End: 9}
	one := func(r worldbook.Record) map[string]worldbook.Record { return map[string]worldbook.Record{"b.1": r} }
	last := map[string][2]int{"b.1": {3, 0}}
	fuses := []worldbook.Fuse{{Key: "(a+)+b"}}
	annKnows := func(l worldbook.State) state.State {
		return state.State{Groups: []state.Group{{Witnesses: ann, Lore: l}}}
	}
	for _, c := range []struct {
		name   string
		before state.State
		next   worldbook.State
		owners []string // of an entry that the scan activated; nil: everybody
		want   state.State
	}{
		{"a sticky effect for everybody", state.State{}, worldbook.State{Sticky: one(key)}, nil, state.State{Lore: worldbook.State{Sticky: one(key)}}},
		{"a cooldown for everybody", state.State{}, worldbook.State{Cooldown: one(key)}, nil, state.State{Lore: worldbook.State{Cooldown: one(key)}}},
		{"a key that rests", state.State{}, worldbook.State{Fuses: fuses, Sticky: one(key)}, ann,
			state.State{Lore: worldbook.State{Fuses: fuses}, Groups: annKnows(worldbook.State{Sticky: one(key)}).Groups}},
		{"a private sticky effect", state.State{}, worldbook.State{Sticky: one(key)}, ann, annKnows(worldbook.State{Sticky: one(key)})},
		{"a private cooldown", state.State{}, worldbook.State{Cooldown: one(key)}, ann, annKnows(worldbook.State{Cooldown: one(key)})},
		{"a private activation", state.State{}, worldbook.State{Last: last}, ann, annKnows(worldbook.State{Last: last})},
		{"a private cooldown that goes on", annKnows(worldbook.State{Cooldown: one(key)}), worldbook.State{Cooldown: one(key)}, nil,
			annKnows(worldbook.State{Cooldown: one(key)})},
		{"a private cooldown that ends", annKnows(worldbook.State{Cooldown: one(key)}), worldbook.State{}, nil, state.State{}},
		{"the cooldown after a private sticky effect", annKnows(worldbook.State{Sticky: one(key)}), worldbook.State{Cooldown: one(later)}, nil,
			annKnows(worldbook.State{Cooldown: one(later)})},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, before := c.before, jsonOf(t, c.before)
			secret.Of(&s, state.Viewer{Shared: true, Group: ann}).KeepLore(&s, c.next, func() func(string) []string {
				return func(string) []string { return c.owners }
			})
			if diff := cmp.Diff([]any{c.want.Lore, c.want.Groups}, []any{s.Lore, s.Groups}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if after := jsonOf(t, c.before); after != before {
				t.Errorf("a state with the same groups becomes %s, was %s", after, before)
			}
		})
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestTakeModules: a switch that rules change is changed for everybody, and in this state alone.
func TestTakeModules(t *testing.T) {
	t.Parallel()
	old := state.State{Groups: []state.Group{{Witnesses: []string{"ann"}, Modules: map[string]bool{"cellar": true, "attic": true}}}}
	s, before := old, jsonOf(t, old)
	secret.TakeModules(&s, state.Viewer{}, map[string]bool{"cellar": false, "attic": true})
	if s.Ledger.Books["cellar"] || len(s.Groups) != 1 || !cmp.Equal(s.Groups[0].Modules, map[string]bool{"attic": true}) {
		t.Errorf("%+v, %+v", s.Ledger.Books, s.Groups)
	}
	if after := jsonOf(t, old); after != before {
		t.Errorf("a state with the same groups becomes %s, was %s", after, before)
	}
}

// TestLaterRecordsOfGroups: of two records of an entry, a viewer has the later one, from everybody or
// from a group.
func TestLaterRecordsOfGroups(t *testing.T) {
	t.Parallel()
	lore := func(n int) worldbook.State {
		end := map[string]worldbook.Record{"b.1": {Start: 1, End: n}}
		return worldbook.State{Sticky: end, Cooldown: end, Last: map[string][2]int{"b.1": {n, 0}}}
	}
	for _, c := range []struct{ shared, group, want int }{{3, 5, 5}, {5, 3, 5}} {
		s := &state.State{Lore: lore(c.shared), Groups: []state.Group{{Witnesses: []string{"ann"}, Lore: lore(c.group)}}}
		if diff := cmp.Diff(lore(c.want), secret.Joined(s, state.Viewer{Character: "ann"}).Lore); diff != "" {
			t.Errorf("%d and %d: -want +got:\n%s", c.shared, c.group, diff)
		}
	}
}
