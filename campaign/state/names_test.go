package state_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/campaign/state"
)

// TestNames: only the text that names a turn or a state is read as its name.
func TestNames(t *testing.T) {
	t.Parallel()
	turn := func(name string) bool { _, ok := state.TurnNumber(name); return ok }
	ref := func(name string) bool { _, ok := state.RefVersion(name); return ok }
	repair := func(name string) bool { _, ok := state.RepairRefVersion(name); return ok }
	for _, c := range []struct {
		is   func(string) bool
		name string
		want bool
	}{
		{turn, "turn_0000", true}, {turn, "turn_0012", true}, {turn, "turn_12345", true},
		{turn, "", false}, {turn, "0012", false}, {turn, "turn_12", false}, {turn, "turn_00012", false}, {turn, "turn_-001", false},
		{turn, "turn_001x", false}, {turn, "turn_99999999999999999999", false},
		{ref, "state_1", true}, {ref, "state_120", true},
		{ref, "", false}, {ref, "1", false}, {ref, "state_0", false}, {ref, "state_-1", false}, {ref, "state_01", false}, {ref, "state_x", false},
		{ref, "state_99999999999999999999", false},
		{repair, "repaired_1_1", true}, {repair, "repaired_12_3", true},
		{repair, "", false}, {repair, "1_1", false}, {repair, "repaired_0_1", false}, {repair, "repaired_-1_1", false}, {repair, "repaired_1", false},
		{repair, "repaired_1_x", false}, {repair, "repaired_x_1", false}, {repair, "repaired_01_1", false}, {repair, "repaired_1_01", false},
	} {
		if got := c.is(c.name); got != c.want {
			t.Errorf("%q: %v", c.name, got)
		}
	}
}

// TestExits: the ways out of an area are the paths from it, and paths to it in both directions.
func TestExits(t *testing.T) {
	t.Parallel()
	path := func(id, from, to string, both *bool) state.MapPath {
		return state.MapPath{ID: id, From: from, To: to, Bidirectional: both}
	}
	m := state.Map{Areas: []state.MapArea{{ID: "yard"}, {ID: "mill"}, {ID: "barn"}}, Paths: []state.MapPath{
		path("out", "yard", "mill", nil), path("one way", "yard", "barn", new(false)), path("both ways", "barn", "mill", new(true)),
		path("circle", "yard", "yard", nil), path("nowhere", "yard", "moon", nil),
	}}
	for area, want := range map[string]string{"yard": "[mill:out barn:one way]", "mill": "[yard:out barn:both ways]", "barn": "[mill:both ways]", "moon": "[yard:nowhere]"} {
		var got []string
		for _, e := range m.Exits(area) {
			got = append(got, e.Area.ID+":"+e.Path.ID)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", area, got, want)
		}
	}
}

// TestCommonAudience: an audience of nobody in particular is everybody.
func TestCommonAudience(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b []string
		want string
	}{
		{nil, nil, "[] true"}, {nil, []string{"ann"}, "[ann] true"}, {[]string{"ann"}, nil, "[ann] true"},
		{[]string{"ann", "bob"}, []string{"bob", "cid"}, "[bob] true"}, {[]string{"ann"}, []string{"bob"}, "[] false"},
		{[]string{"ann", "ann"}, []string{"ann"}, "[ann] true"},
	} {
		both, some := state.CommonAudience(c.a, c.b)
		if got := fmt.Sprint(both, " ", some); got != c.want {
			t.Errorf("%v and %v: %s, want %s", c.a, c.b, got, c.want)
		}
	}
	if list := state.AudienceOf("", []string{"ann"}); fmt.Sprint(list) != "[ann]" {
		t.Errorf("the line of nobody: %v", list)
	}
}
