package state_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// TestOf: the speaker hears the line, and no character is listed twice.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		others, want []string
		reason       string
	}{
		{nil, nil, "nobody named is everybody"},
		{[]string{}, nil, "likewise"},
		{[]string{"mara"}, []string{"mara"}, "oneself alone"},
		{[]string{"orrin"}, []string{"orrin", "mara"}, "the actor and one other"},
		{[]string{"orrin", "orrin"}, []string{"orrin", "mara"}, "the actor is one of them"},
	} {
		if got := state.AudienceOf("mara", c.others); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v: %s", c.others, got, c.want, c.reason)
		}
	}
}

// TestFor is the table of the package: mode, dialog type, and the sight of the viewer.
func TestFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode        state.AudienceMode
		omniscient  bool
		sees, marks bool
	}{
		{state.AudienceOff, false, true, false},
		{state.AudienceOff, true, true, false},
		{state.AudienceMarked, true, true, true},
		{state.AudienceMarked, false, false, true},
		{state.AudienceStrict, true, false, true},
		{state.AudienceStrict, false, false, true},
		{state.AudienceCommon, true, false, true},
		{state.AudienceCommon, false, false, true},
	} {
		v := state.NewViewer(c.mode, "mara", []string{"mara"}, c.omniscient)
		if v.Sees([]string{"orrin"}) != c.sees || len(v.Mark([]string{"mara"})) > 0 != c.marks || !v.Sees(nil) || !v.Sees([]string{"mara"}) {
			t.Errorf("%s, omniscient %t: %+v", c.mode, c.omniscient, v)
		}
	}
}

// TestBoth: two lists without a common member have an empty common audience, which does not mean
// everybody.
func TestBoth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b, want []string
		some       bool
	}{
		{nil, nil, nil, true},
		{nil, []string{"a"}, []string{"a"}, true},
		{[]string{"a", "b"}, []string{"b", "c", "b"}, []string{"b"}, true},
		{[]string{"a"}, []string{"b"}, nil, false},
	} {
		got, some := state.CommonAudience(c.a, c.b)
		if !slices.Equal(got, c.want) || some != c.some {
			t.Errorf("%v and %v: %v %t", c.a, c.b, got, some)
		}
	}
	if state.SameAudience([]string{"a", "b"}, []string{"a"}) || !state.SameAudience([]string{"b", "a", "a"}, []string{"a", "b"}) || state.SameAudience(nil, []string{""}) {
		t.Error("lists are the same whatever their order, and no others")
	}
}

// TestFactsOfOthers: of random facts, no fact remains that only others know, and every fact remains
// that everybody knows.
func TestFactsOfOthers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	var fact func(depth int, hidden bool) string
	fact = func(depth int, hidden bool) string {
		word := `"KNOWN"`
		if hidden {
			word = `"CANARY"`
		}
		switch n := r.IntN(5); {
		case depth == 0 || n == 0:
			return word
		case n == 1:
			return "[" + fact(depth-1, hidden) + "," + fact(depth-1, hidden) + "]"
		case n == 2:
			return `{"a": ` + fact(depth-1, hidden) + `, "witnesses": ` + []string{"null", "[]", `["mara"]`, `["x", "mara"]`}[r.IntN(4)] + `}`
		case n == 3:
			return `{"a": ` + fact(depth-1, true) + `, "witnesses": ` + []string{`["orrin"]`, `"mara"`, `[1]`, `{"mara": 1}`}[r.IntN(4)] + `}`
		}
		return `{"a": ` + fact(depth-1, hidden) + `, "b": ` + fact(depth-1, hidden) + `}`
	}
	for range 500 {
		text := fact(6, false)
		v, err := tree.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got := state.VisibleFacts(v, state.Viewer{Character: "mara"}).String()
		if strings.Contains(got, "CANARY") || strings.Count(got, "KNOWN") != strings.Count(text, "KNOWN") {
			t.Fatalf("%s\nbecame %s", text, got)
		}
		if shared := state.VisibleFacts(v, state.Viewer{Shared: true}).String(); strings.Contains(shared, "CANARY") {
			t.Fatalf("who sees what all know sees %s of %s", shared, v)
		}
		if all := state.VisibleFacts(v, state.Viewer{}); !all.Equal(v) {
			t.Fatalf("who sees everything sees %s of %s", all, v)
		}
	}
}

// TestOfExtensions reads who may see an entry, at both places. A list that cannot be read hides the
// entry.
func TestOfExtensions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in      string
		want    []string
		problem bool
	}{
		{``, nil, false},
		{`null`, nil, false},
		{`[1]`, nil, false},
		{`{"other": 1}`, nil, false},
		{`{"visible_to": null}`, nil, false},
		{`{"visible_to": []}`, []string{}, false},
		{`{"visible_to": ["mara"]}`, []string{"mara"}, false},
		{`{"talewright": {"visible_to": ["mara"]}}`, []string{"mara"}, false},
		{`{"visible_to": "mara"}`, []string{""}, true},
		{`{"visible_to": [1]}`, []string{""}, true},
	} {
		got, problem := state.AudienceOfExtensions(json.RawMessage(c.in))
		if !slices.Equal(got, c.want) || (problem != "") != c.problem {
			t.Errorf("%s: %v %q", c.in, got, problem)
		}
	}
}

// TestRoundTripPart: a part of a summary survives a JSON round trip, with its unknown members.
func TestRoundTripPart(t *testing.T) {
	t.Parallel()
	in := `{"witnesses":["mara"],"summary_text":"x","facts_json":[1],"later":{"a":1}}`
	var p state.AudiencePart
	if err := json.Unmarshal([]byte(in), &p); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(p)
	if err != nil || string(data) != in {
		t.Errorf("%s %v", data, err)
	}
	if diff := cmp.Diff([][]string{{"a"}, {"b", "a"}}, state.AudienceGroups(nil, []string{"a"}, []string{"b", "a"}, []string{"a", "b"}, []string{"a"})); diff != "" {
		t.Error(diff)
	}
}

// TestNotes: a note about a whole applies to its parts, and a new note replaces the old ones.
func TestNotes(t *testing.T) {
	t.Parallel()
	npc, orrin := tree.Path{"variables", "npc"}, tree.Path{"variables", "npc", "orrin"}
	n := state.AudienceNotes(nil).With(orrin, []string{"mara"})
	before := n
	if n.Witnesses(npc) != nil || !slices.Equal(n.Witnesses(orrin.Child("name")), []string{"mara"}) {
		t.Errorf("%v", n)
	}
	n = n.With(npc, []string{"sella"})
	if len(n) != 1 || !slices.Equal(n.Witnesses(orrin), []string{"sella"}) {
		t.Errorf("%v", n)
	}
	if n = n.With(npc, nil); len(n) != 0 || len(before) != 1 {
		t.Errorf("%v, and before %v", n, before)
	}
}

// TestGrowth: the cost of facts and extensions is linear in their length.
func TestGrowth(t *testing.T) {
	atoms := []testkit.Atom{
		{Head: "[", Open: `{"witnesses":["orrin"]},`, Tail: "1]"}, {Head: "[", Open: `{"witnesses":[]},`, Tail: "1]"},
		{Head: `{"witnesses":[`, Open: `"x",`, Tail: `"mara"]}`}, testkit.Nest(`{"a":`, "1", "}"), testkit.Nest("[", "", "]"),
		{Head: `{"visible_to":[`, Open: `"x",`, Tail: `"mara"]}`}, testkit.Nest(`{"talewright":`, `{"visible_to":[]}`, "}"),
	}
	testkit.Growth(t,
		testkit.Reader{Name: "facts", Atoms: atoms, Read: func(text string) {
			if v, err := tree.ParseValue([]byte(text)); err == nil {
				state.VisibleFacts(v, state.Viewer{Character: "mara"})
			}
		}},
		testkit.Reader{Name: "extensions", Atoms: atoms, Read: func(text string) { state.AudienceOfExtensions([]byte(text)) }},
		testkit.Reader{Name: "list", Atoms: []testkit.Atom{testkit.Repeat("a "), testkit.Repeat("mara ")}, Read: func(text string) {
			list := strings.Fields(text)
			state.AudienceGroups(list, list)
			state.CommonAudience(list[:1], list)
		}})
}
