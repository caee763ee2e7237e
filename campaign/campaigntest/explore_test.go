package campaigntest_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	. "github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// TestExploreFindsNothing checks that random players and a hostile model break no law of a correct
// game (CA-45).
//
//	TALEWRIGHT_EXPLORE=1000 go test ./campaign/campaigntest -run TestExploreFindsNothing
func TestExploreFindsNothing(t *testing.T) {
	t.Parallel()
	content, setup := crypt(t)
	games := 20
	if testkit.Race {
		games = 5
	}
	if n, err := strconv.Atoi(os.Getenv("TALEWRIGHT_EXPLORE")); err == nil {
		games = n
	}
	Explore(t, content, setup, Exploration{Seeds: games, Always: []ScenarioCheck{Between("lantern", 0, 3), Between("bells", 0, 13)}, Secrets: []string{"4711"}})
}

// leaking returns the game with a fault.
func leaking(t *testing.T, fault func(c *game.Content)) (game.Content, state.Setup) {
	content, setup := crypt(t)
	fault(&content)
	return content, setup
}

// TestExploreMakesFaultsSmall checks that each planted fault is found, and reported as a short
// scenario. That scenario must show the fault when it is played as a file.
func TestExploreMakesFaultsSmall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		fault func(c *game.Content)
		e     Exploration
		steps int // maximum number of steps in the scenario
	}{
		{"a variable without its bounds", func(c *game.Content) { c.Rules.Variables[1].Min = nil },
			Exploration{Always: []ScenarioCheck{Between("lantern", 0, 3)}}, 1},
		{"lore that tells what is hidden", func(c *game.Content) {
			c.Lore.Books[0].Book.Entries = append(c.Lore.Books[0].Book.Entries, worldbook.Entry{UID: "9", Keys: []string{"bell"},
				Content: "Below sleeps {{var::sleeper}}.", Probability: 100, GroupWeight: 100})
		}, Exploration{}, 1},
		{"a rule that rings five times", func(c *game.Content) {
			ring := c.Rules.Rules[0].Actions[0].(effect.SetVariable)
			ring.Value = tree.Int(5)
			c.Rules.Rules[0].Actions = effect.Actions{ring}
		}, Exploration{Always: []ScenarioCheck{Between("bells", 0, 9)}}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			content, setup := leaking(t, c.fault)
			c.e.Seeds = 300
			said := failed(func(f *failing) { Explore(f, content, setup, c.e) })
			golden(t, "explore_"+strings.ReplaceAll(c.name, " ", "_")+".golden", said)
			_, file, _ := strings.Cut(said, "\n\n")
			s, problems := ParseScenario("small.txt", file)
			if problems.Err() != nil || len(s.Steps) > c.steps || len(s.Steps) == 0 {
				t.Fatalf("%v\n%s", problems, said)
			}
			g, err := Prepare(content, setup)
			if err != nil {
				t.Fatal(err)
			}
			if report, err := g.Verify(t.Context(), s); err != nil || len(report.Faults) == 0 {
				t.Errorf("the scenario shows nothing: %v\n%s", err, s)
			}
			right, setup := crypt(t)
			if g, err = Prepare(right, setup); err != nil {
				t.Fatal(err)
			}
			if report, err := g.Verify(t.Context(), s); err != nil || len(report.Faults) > 0 {
				t.Errorf("the scenario fails in the right game: %v %q", err, report.Faults)
			}
		})
	}
}

// TestExploreFindsWhatToolsDo checks that a faulty tool of the host is found.
func TestExploreFindsWhatToolsDo(t *testing.T) {
	t.Parallel()
	asked := 0
	for _, c := range []struct {
		name  string
		judge func(tool.Call, tool.View) tool.Judgement
		want  string
	}{
		{"one that is no function of its call", func(tool.Call, tool.View) tool.Judgement {
			asked++
			return tool.Judgement{Effects: effect.List{effect.SetVariable{Path: "trust", Value: tree.Int(int64(asked % 97))}}}
		}, "a replay of the log leads elsewhere"},
		{"one that charms", func(tool.Call, tool.View) tool.Judgement {
			return tool.Judgement{Effects: effect.List{effect.SetVariable{Path: "trust", Value: tree.Int(99)}}}
		}, "want no var trust 99"},
	} {
		content, setup := crypt(t)
		content.Extensions.Tools = []tool.Tool{{Name: "charm", Description: "Charms.", Manual: "Charms.", Affects: []string{tool.AffectsNothing},
			Params: map[string]tool.Param{}, Reasons: map[state.CallCode]string{}, Judge: c.judge}}
		setup.Allowlist = append(setup.Allowlist, "charm")
		g, err := Prepare(content, setup)
		if err != nil {
			t.Fatal(err)
		}
		found, err := g.Explore(context.Background(), Exploration{Seeds: 200, Always: []ScenarioCheck{Not(Var("trust", 99))}, Secrets: []string{"4711"}})
		if err != nil || found == nil || !strings.Contains(found.Fault, c.want) {
			t.Errorf("%s: %v, %v", c.name, found, err)
		}
	}
}

// TestExploreFindsSecretsAndPanics checks that two faults are found: a narration with a secret
// text, and a random source that panics.
func TestExploreFindsSecretsAndPanics(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	content, setup := crypt(t)
	said := failed(func(f *failing) { Explore(f, content, setup, Exploration{Secrets: []string{"The wind turns."}}) })
	if !strings.Contains(said, "want no text The wind turns.") {
		t.Errorf("secrets: %s", said)
	}
	content.Lore.Books[0].Book.Entries[0].Probability = 50 // so that a draw is needed
	content.Lore.Books[0].Book.Entries[0].UseProbability = true
	content.Extensions.Random = func(_, n uint64) float64 {
		if n == 0 {
			panic("no more luck")
		}
		return 0.5
	}
	content.Rules.Hooks = nil
	said = failed(func(f *failing) { Explore(f, content, setup, Exploration{}) })
	if !strings.Contains(said, "panic: no more luck") || !strings.Contains(said, "\nsay ") {
		t.Errorf("panics: %s", said)
	}
}
