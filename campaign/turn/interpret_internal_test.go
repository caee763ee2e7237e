package turn

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// TestRulesWriteCharacters checks a rule's write to a character's value. The bounds are the bounds
// of a tool. A write to one value does not undo a write to a different one.
func TestRulesWriteCharacters(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	vars, err := tree.ParseDocument([]byte(`{"kept":1.0}`))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Begin(g, state.Setup{ID: "c", Variables: vars,
		Map: state.Map{Areas: []state.MapArea{{ID: "hall"}, {ID: "yard"}}},
		Characters: []state.Character{{ID: "ann", HP: state.HP{Current: 5, Max: 10}, AreaID: "hall",
			Status: state.Status{AliveState: state.Alive}}}})
	if err != nil {
		t.Fatal(err)
	}
	set := func(path string, v tree.Value) effect.SetVariable {
		return effect.SetVariable{Path: path, Operation: effect.Set, Value: v}
	}
	for _, tc := range []struct {
		reason string
		effect effect.Effect
		hp     int
		life   state.AliveState
		area   string
	}{
		{"at 0 an alive character goes down", set("hp.ann", tree.Int(0)), 0, state.Downed, "hall"},
		{"below 0 is 0", set("hp.ann", tree.Int(-3)), 0, state.Downed, "hall"},
		{"above the maximum is the maximum", set("hp.ann", tree.Int(99)), 10, state.Alive, "hall"},
		{"a lower maximum takes hit points along", set("max_hp.ann", tree.Int(3)), 3, state.Alive, "hall"},
		{"a known area", set("area.ann", tree.Text("yard")), 5, state.Alive, "yard"},
		{"an unknown area", set("area.ann", tree.Text("moon")), 5, state.Alive, "hall"},
		{"a known life state", set("alive.ann", tree.Text("dead")), 5, state.Dead, "hall"},
		{"an unknown life state", set("alive.ann", tree.Text("bored")), 5, state.Alive, "hall"},
		{"a text is no number", set("hp.ann", tree.Text("many")), 5, state.Alive, "hall"},
		{"another variable", set("kept", tree.Int(2)), 5, state.Alive, "hall"},
	} {
		run := play.New(g, c.Clone(), state.Submission{ActorID: "ann"}, g.Settings().Freeze(nil, nil))
		run.Stage.Apply("test", effect.List{tc.effect})
		got := run.Stage.Pending.State.Characters[0]
		if got.HP.Current != tc.hp || got.Status.AliveState != tc.life || got.AreaID != tc.area {
			t.Errorf("%s: got %d %s %s", tc.reason, got.HP.Current, got.Status.AliveState, got.AreaID)
		}
		if n := run.Stage.Pending.State.Variables.Root().Len(); n != 1 {
			t.Errorf("%s: %d variables are left, want only the campaign's own", tc.reason, n)
		}
	}
}
