package campaigntest_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/rules"
)

// golden compares a text with a file of testdata. With -update it writes the file instead.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = "testdata/" + name
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestFaultsAreExplained compares the report of each kind of failure with a golden file.
func TestFaultsAreExplained(t *testing.T) {
	t.Parallel()
	content, setup := crypt(t)
	var out strings.Builder
	for _, c := range []struct {
		reason string
		test   func(t *failing)
	}{
		{"each check about what is otherwise", func(t *failing) {
			Play(t, content, setup).Say("I light the lantern.").Model("It burns.").
				Want(HP("mara", 6), In("mara", "crypt"), Alive("mara", state.Dead), Var("lantern", 1), State("state.turn_count", 7), Ended(""),
					Lore("oil"), Not(Lore("mood")), Rule("omens"), Rule("ring"), Hook("fond"), Not(Hook("fond")), Prompt("dragon"), Block("pins"), Text("dark"),
					Applied("move"), Refused("move", ""), Conflict(""), Retries(1), Ends("failed", ""), Notice("x"), Effect("play-audio"), Warning("x"))
		}},
		{"names that nobody knows", func(t *failing) {
			Play(t, content, setup).Say("I wait.").Model("Time passes.").
				Want(HP("marra", 6), In("mara", "cript"), Var("lanterns", 1), Lore("bel"), Rule("omen"), Hook("found"), State("state.turns", 1))
		}},
		{"names that nobody knows, of what must not be", func(t *failing) {
			Play(t, content, setup).Say("I wait.").Model("Time passes.").
				Want(Not(HP("marra", 6)), Not(In("mara", "cript")), Not(Lore("bel")), Not(Rule("omen")), Not(Hook("found")), Not(Applied("mvoe")),
					Not(Refused("hpdelta", "")), Not(Var("lanterns", 1)), Not(Alive("mara", "ded")), Not(Conflict("hp_change_unsetled")), Not(Ends("complete", "")))
		}},
		{"the script is too short", func(t *failing) {
			Play(t, content, setup).Say("Up!").Model("You go.", Call("move", "actor_id", "mara", "to_area_id", "tower"))
		}},
		{"the script is too long, and dice are left", func(t *failing) {
			Play(t, content, setup).Say("I wait.").Dice(3, 4).Model("Time passes.").Model("And more.")
		}},
		{"a conflict that nobody wanted", func(t *failing) {
			Play(t, content, setup).Say("I fall.").Model("You lose 3 HP.").Model("You lose 3 HP.")
		}},
		{"a refusal that nobody wanted", func(t *failing) {
			Play(t, content, setup).Rollback("turn_0009")
		}},
		{"another conflict than was wanted", func(t *failing) {
			Play(t, content, setup).Say("I fall.").Model("You lose 3 HP.").Model("You lose 3 HP.").Want(Conflict("location_unsettled"))
		}},
		{"an answer without an instruction", func(t *failing) {
			Play(t, content, setup).Model("Hello.")
		}},
		{"content with mistakes", func(t *failing) {
			Play(t, game.Content{Rules: game.Rules{Rules: []rules.Rule{{ID: "a", Trigger: &rules.Trigger{Type: "nevr"}}}, Hooks: []hooks.Hook{{ID: "h"}}}}, setup)
		}},
		{"a setup with mistakes", func(t *failing) {
			Play(t, content, state.Setup{Characters: []state.Character{{ID: ""}}})
		}},
	} {
		out.WriteString("# " + c.reason + "\n" + failed(c.test) + "\n")
	}
	golden(t, "faults.golden", out.String())
}
