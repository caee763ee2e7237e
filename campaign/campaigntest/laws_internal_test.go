package campaigntest

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// TestPrivateLinesAreExplored: some random lines are for the speaker and one other only. A smaller game
// may have the same line for everybody.
func TestPrivateLinesAreExplored(t *testing.T) {
	t.Parallel()
	f := generator{rand.New(rand.NewPCG(1, 0)), vocabulary{people: []state.Character{{ID: "ann"}, {ID: "bob"}}}}
	var c state.Campaign
	c.State.Selected.ActorID = "ann"
	private := 0
	for range 200 {
		step := f.nextStep(c)
		if step.With == nil {
			continue
		}
		private++
		in, err := submission(step, state.Campaign{})
		if line, ok := in.(turn.Submit); err != nil || !ok || len(line.Audience) != 2 || line.Audience[0] != cmp.Or(step.As, "ann") {
			t.Fatalf("%+v: %+v, %v", step, in, err)
		}
		if !slices.ContainsFunc(smallerSteps(step), func(s ScenarioStep) bool { return s.With == nil && s.As == step.As && slices.Equal(s.Args, step.Args) }) {
			t.Fatalf("no smaller step of %+v is public", step)
		}
	}
	if private < 10 || private > 60 {
		t.Errorf("%d of 200 steps are private lines", private)
	}
}

// TestLawsAreHeld breaks each law of every game with a turn.
func TestLawsAreHeld(t *testing.T) {
	t.Parallel()
	edit := func(m *snapshot, change func(c *state.Character)) {
		m.after.State.Characters = slices.Clone(m.after.State.Characters)
		change(&m.after.State.Characters[0])
	}
	for _, c := range []struct {
		reason string
		change func(m *snapshot)
		want   string // "": no fault
	}{
		{"an honest turn", func(*snapshot) {}, ""},
		{"more hit points than there can be", func(m *snapshot) { edit(m, func(c *state.Character) { c.HP.Current = 11 }) }, "out of bounds"},
		{"fewer than none", func(m *snapshot) { edit(m, func(c *state.Character) { c.HP.Current = -1 }) }, "out of bounds"},
		{"hit points that nobody took", func(m *snapshot) { edit(m, func(c *state.Character) { c.HP.Current = 3 }) }, "the accepted calls lead to 6 of 10"},
		{"another maximum", func(m *snapshot) { edit(m, func(c *state.Character) { c.HP.Max = 99 }) }, "6 of 99"},
		{"a place that nobody went to", func(m *snapshot) { edit(m, func(c *state.Character) { c.AreaID = "moon" }) }, "ann is in moon; the accepted calls lead to mill"},
		{"a goal that changed", func(m *snapshot) { m.after.Goal.Text = "Sleep" }, "the turn changed the goal"},
		{"a setting that changed", func(m *snapshot) { m.after.Settings = setting.Snapshot{"a": tree.Int(1)} }, "a setting"},
		{"a whisper that made the campaign strict", func(m *snapshot) {
			m.outcome.Turn.Audience, m.after.Settings = []string{"ann"}, setting.Snapshot{"visibility.mode": tree.Text("strict")}
		}, ""},
		{"a whisper that also changed another setting", func(m *snapshot) {
			m.outcome.Turn.Audience, m.after.Settings = []string{"ann"}, setting.Snapshot{"visibility.mode": tree.Text("strict"), "a": tree.Int(1)}
		}, "a setting"},
		{"a whisper that changed the mode of the installation", func(m *snapshot) {
			m.before.GlobalSettings, m.outcome.Turn.Audience = setting.Snapshot{"visibility.mode": tree.Text("off")}, []string{"ann"}
			m.after.Settings = setting.Snapshot{"visibility.mode": tree.Text("strict")}
		}, "a setting"},
		{"a tool that was allowed", func(m *snapshot) { m.after.Allowlist = []string{"all"} }, "allowed tools"},
		{"a rule of the world that changed", func(m *snapshot) { m.after.State.World.Rules = []state.WorldRule{{Text: "x"}} }, "the rules of the world"},
		{"another party", func(m *snapshot) { m.after.State.Selected.Party = nil }, "the party"},
		{"another map", func(m *snapshot) { m.after.State.Map.Areas = nil }, "the map"},
		{"a model that wrote what it may only read", func(m *snapshot) {
			m.outcome.Turn.Changes = []tree.Change{{Path: tree.Path{"law"}, New: tree.Int(9), By: "dialect.directives"}}
		}, "a model wrote to law"},
		{"a rule that did", func(m *snapshot) {
			m.outcome.Turn.Changes = []tree.Change{{Path: tree.Path{"law"}, New: tree.Int(9), By: "rule"}}
		}, ""},
		{"a turn that failed and left something", func(m *snapshot) { m.outcome.Status = turn.Failed }, "something changed all the same"},
	} {
		m := honest(t)
		c.change(m)
		if faults := strings.Join((laws{m}).broken(), "\n"); !strings.Contains(faults, c.want) || c.want == "" && faults != "" {
			t.Errorf("%s: %q", c.reason, faults)
		}
	}
}

// table begins a small game.
func table(t *testing.T) *session {
	t.Helper()
	c, err := compile(game.Content{Rules: game.Rules{Variables: []rules.Variable{{ID: "law", Type: rules.TypeNumber, AIAccess: rules.AIRead}}}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.newSession(state.Setup{
		Map: state.Map{Areas: []state.MapArea{{ID: "yard", Name: "Yard"}, {ID: "mill", Name: "Mill"}},
			Paths: []state.MapPath{{ID: "door", From: "yard", To: "mill"}}},
		Characters: []state.Character{{ID: "ann", Name: "Ann", AreaID: "yard", HP: state.HP{Current: 10, Max: 10}}},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// honest returns a turn without faults.
func honest(t *testing.T) *snapshot {
	t.Helper()
	m, err := table(t).playStep(t.Context(), ScenarioStep{Do: "say", Args: []string{"In."}, Replies: []ScenarioReply{{Text: "A cat scratches you.",
		Calls: []ScenarioCall{Call("move", "actor_id", "ann", "to_area_id", "mill"),
			Call("hp_delta", "target_character_id", "ann", "delta", -4, "cause", "cat")}}}})
	if err != nil || m.outcome.Status != turn.Completed {
		t.Fatal(err, m.describe())
	}
	return &m
}

// TestEndsAreHeld checks that a different log or state at the end of a game is reported.
func TestEndsAreHeld(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p := table(t)
	if _, err := p.playStep(ctx, ScenarioStep{Do: "say", Args: []string{"I wait."}, Replies: []ScenarioReply{{Text: "Time passes."}}}); err != nil {
		t.Fatal(err)
	}
	if faults := p.checkEnd(ctx); len(faults) > 0 {
		t.Errorf("an honest game: %q", faults)
	}
	p.last.after.Title = "Another"
	if faults := strings.Join(p.checkEnd(ctx), "\n"); !strings.Contains(faults, "the stored campaign differs") {
		t.Errorf("another state: %q", faults)
	}
}
