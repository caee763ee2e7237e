package campaigntest_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// mill returns a small game: two areas, a door, an entry of lore, and a rule.
func mill() (game.Content, state.Setup) {
	content := game.Content{
		Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "mill", Entries: []worldbook.Entry{
			{UID: "1", Comment: "flour", Keys: []string{"flour"}, Content: "The flour is grey.", Probability: 100, GroupWeight: 100},
		}}}}},
		Rules: game.Rules{
			Variables: []rules.Variable{{ID: "dust", Type: rules.TypeNumber}},
			Rules: []rules.Rule{{
				ID: "sneeze", Trigger: &rules.Trigger{Type: rules.EveryTurn},
				Conditions: []rules.Condition{{VariableID: "dust", Operator: rules.Gte, Value: tree.Int(3)}},
				Actions:    effect.Actions{effect.Notify{Message: "You sneeze."}},
			}},
		},
	}
	setup := state.Setup{
		Map: state.Map{
			Areas: []state.MapArea{{ID: "yard", Name: "Yard"}, {ID: "mill", Name: "Mill"}},
			Paths: []state.MapPath{{ID: "door", From: "yard", To: "mill"}},
		},
		Characters: []state.Character{{ID: "ann", Name: "Ann", AreaID: "yard", HP: state.HP{Current: 10, Max: 10}}},
	}
	return content, setup
}

// printed replaces the *testing.T of a test. It prints what the test would report.
type printed struct{ cleanup []func() }

func (p *printed) Helper()                           {}
func (p *printed) Cleanup(f func())                  { p.cleanup = append(p.cleanup, f) }
func (p *printed) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (p *printed) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (p *printed) end() {
	for _, f := range p.cleanup {
		f()
	}
}

// One turn of a game, and checks of its results.
func ExamplePlay() {
	content, setup := mill()
	t := &printed{} // in a test: the *testing.T

	g := campaigntest.Play(t, content, setup)
	g.Say("I carry the flour into the mill.").
		Model("You are in the Mill.", campaigntest.Call("move", "actor_id", "ann", "to_area_id", "mill"))
	g.Want(campaigntest.In("ann", "mill"), campaigntest.Lore("flour"), campaigntest.Not(campaigntest.Rule("sneeze")))
	fmt.Print(g.Happened())
	t.end()
	// Output:
	// completed
	// text You are in the Mill.
	// applied move {"actor_id":"ann","from_area_id":"yard","to_area_id":"mill","path_id":"door"}
	// lore flour: key "flour" in message 0
	// in ann: yard → mill
}

// A failed check reports what happened instead, and why.
func ExampleTest_Want() {
	content, setup := mill()
	t := &printed{}

	g := campaigntest.Play(t, content, setup)
	g.Say("I look at the mill.").Model("It turns.")
	g.Want(campaigntest.Rule("sneeze"), campaigntest.Lore("flour"), campaigntest.HP("anne", 10))
	t.end()
	// Output:
	// say I look at the mill.
	//   want rule sneeze
	//     it did not fire
	//     why: sneeze (rules[0]): condition 1: dust 0 gte 3
	//   want lore flour
	//     the entry was not active
	//     why: mill.1 (flour): stopped: no key found
	//   want hp anne 10
	//     there is no character "anne": did you mean ann?
	// what happened:
	//   completed
	//   text It turns.
}

// The lore and rules that a line would activate, without playing it.
func ExampleHear() {
	content, setup := mill()
	t := &printed{}

	heard := campaigntest.Hear(t, content, setup, "Is there flour in the mill?")
	heard.Want(campaigntest.Lore("flour"), campaigntest.Block("tools"), campaigntest.Not(campaigntest.Rule("sneeze")))
	fmt.Println(heard.Lore, heard.Rules)
	t.end()
	// Output: [flour] []
}

// A scenario as text, played outside a test. Run does the same for the files of a folder, as
// subtests.
func ExampleGame_Verify() {
	s, problems := campaigntest.ParseScenario("door.txt", `
# Whoever goes through the door is in the mill.
say I open the door and go in.
model It is dark.
call move actor_id=ann to_area_id=mill
want in ann mill

say Is there flour?
model There is.
want lore flour
want rule sneeze

goal in ann yard
`)
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	content, setup := mill()
	game, err := campaigntest.Prepare(content, setup)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := game.Verify(context.Background(), s)
	fmt.Println(strings.Join(report.Faults, "\n"), err)
	// Output:
	// door.txt:8: say Is there flour?
	//   door.txt:11: want rule sneeze
	//     it did not fire
	//     why: sneeze (rules[0]): condition 1: dust 0 gte 3
	// what happened:
	//   completed
	//   text There is.
	//   lore flour: key "flour" in message 0
	//
	// door.txt:13: goal in ann yard
	//   ann is in "mill" <nil>
}

// Random players and a hostile model find a variable without bounds.
func ExampleExplore() {
	content, setup := mill()
	t := &printed{}

	campaigntest.Explore(t, content, setup, campaigntest.Exploration{
		Always: []campaigntest.ScenarioCheck{campaigntest.Between("dust", 0, 100)},
	})
	t.end()
	// Output:
	// seed 3: say I wait.
	//   want between dust 0 100
	//     dust is 500
	//     why: dust: 0 -> 500 (dialect.directives)
	// what happened:
	//   completed
	//   text …
	//   rule sneeze on turn:complete
	//   notice You sneeze.
	//   effect notify-player
	//   var dust: 0 → 500
	// the game of 3 steps, made small:
	//
	// say I wait.
	// model [dust: set 500]
	// model …
	// want between dust 0 100
}

// The score of a model that never calls a tool.
func ExampleGame_Score() {
	s, problems := campaigntest.ParseScenario("door.txt", "say I go into the mill.\n\ngoal in ann mill\n")
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	content, setup := mill()
	game, err := campaigntest.Prepare(content, setup)
	if err != nil {
		fmt.Println(err)
		return
	}
	model := llmtest.NewScripted(llmtest.Text("You step into the Mill."), llmtest.Text("You look at the door."))
	scores, err := game.Score(context.Background(), model, []campaigntest.Scenario{s})
	if err != nil {
		fmt.Println(err)
		return
	}
	total := scores.Total
	fmt.Printf("%d of %d goals, %d re-generation, %v, %v points\n", total.Reached, total.Goals, total.Retries, total.Conflicts, total.Points)
	// Output: 0 of 1 goals, 1 re-generation, map[location_unsettled:1], 0 points
}
