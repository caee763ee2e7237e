package campaigntest_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	. "github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
)

// Any instruction of package turn can be a step.
func ExampleTest_Do() {
	content, setup := mill()
	t := &printed{}
	g := Play(t, content, setup)
	g.Do(turn.Proceed{Instructions: "A cart comes."}).Model("A cart rolls into the yard.").Want(Text("cart"))
	g.Do(turn.EndCampaign{Reason: "the day is over"})
	fmt.Println(g.Outcome().Status, g.Campaign().State.Lifecycle.Ended)
	t.end()
	// Output: completed true
}

// Rollback returns to a checkpoint, and Undo to the turn before. The instruction turn.Redo reverts
// either.
func ExampleTest_Rollback() {
	content, setup := mill()
	t := &printed{}
	g := Play(t, content, setup)
	g.Say("I wait.").Model("[dust: +1] Dust falls.")
	g.Say("I wait on.").Model("[dust: +1] More of it.").Want(Var("dust", 2))
	g.Rollback("turn_0001").Want(Var("dust", 1))
	g.Do(turn.Redo{}).Want(Var("dust", 2))
	g.Undo().Want(Var("dust", 1))
	t.end()
	// Output:
}

// A second answer to the same line, and a choice between both.
func ExampleTest_Swipe() {
	content, setup := mill()
	t := &printed{}
	g := Play(t, content, setup)
	g.Say("I go in.").Model("You are in the Mill.", Call("move", "actor_id", "ann", "to_area_id", "mill"))
	g.Swipe().Model("The door is stuck.").Want(In("ann", "yard"))
	g.Choose("turn_0001").Want(In("ann", "mill"))
	t.end()
	// Output:
}

// People approve, edit or deny calls.
func ExampleTest_Approve() {
	content, setup := mill()
	t := &printed{}
	g := Play(t, content, setup)
	g.Set("tools.approval", "all")
	g.Say("I run in.").Model("You slip, and are in the Mill.",
		Call("hp_delta", "target_character_id", "ann", "delta", -9, "cause", "the stairs"),
		Call("move", "actor_id", "ann", "to_area_id", "mill"))
	g.Approve(Edit("hp_delta", "target_character_id", "ann", "delta", -1, "cause", "the stairs"), Deny("move", "not so fast")).
		Model("You hold on to the rail.").
		Want(Refused("move", tool.CallDenied), In("ann", "yard"))
	t.end()
	// Output:
}

// The test sets the results of the dice.
func ExampleTest_Dice() {
	content, setup := mill()
	t := &printed{}
	setup.Allowlist = []string{"check"}
	setup.Characters[0].Attributes = tree.Object(tree.Member{Key: "strength", Value: tree.Int(12)})
	g := Play(t, content, setup)
	g.Say("I climb the wheel.").
		Model("", Call("check", "actor_id", "ann", "attribute", "strength", "dc", 12)).
		Model("You are up.").
		Dice(17).
		Want(Applied("check"))
	fmt.Println(g.Outcome().Turn.Applied[0].Result.Get("roll"))
	t.end()
	// Output: 17
}

// A conflict that only a person can resolve.
func ExampleTest_Decide() {
	content, setup := mill()
	t := &printed{}
	g := Play(t, content, setup)
	g.Set("retry.max_retries", 0)
	g.Say("I fall asleep.").Model("You lose 3 HP.").Want(Ends(turn.Conflict, ""), Conflict("hp_change_unsettled"))
	g.Decide(state.DecideOverride, "You fall out of bed.", Call("hp_delta", "target_character_id", "ann", "delta", -1, "cause", "bed")).
		Want(HP("ann", 9), Text("out of bed"))
	t.end()
	// Output:
}

// A model that fails.
func ExampleTest_Fail() {
	content, setup := mill()
	t := &printed{}
	g := Play(t, content, setup)
	g.Say("I wait.").Fail(llm.CodeOverloaded).Want(Ends(turn.Failed, "overloaded"))
	fmt.Println(len(g.Requests()))
	t.end()
	// Output: 1
}

// Why rules fired or did not fire.
func ExampleTest_Why() {
	content, setup := mill()
	setup.Variables, _ = tree.ParseDocument([]byte(`{"dust": 2}`))
	t := &printed{}
	g := Play(t, content, setup)
	g.Say("I look at the wheel.").Model("It turns.")
	for _, r := range g.Why().Rules {
		fmt.Println(r)
	}
	t.end()
	// Output:
	// sneeze on turn:accepted: pattern
	// sneeze on turn:complete: condition 1: dust 2 gte 3
}

// The router decides the dialog type of a line. A question about the rules needs no map.
func ExampleTest_Route() {
	content, setup := mill()
	t := &printed{}
	g := Play(t, content, setup)
	g.Set("dialog.auto_route_enabled", true)
	g.Say("What does a fall cost?").Route(game.RulesDialog).Model("One hit point for each yard.").
		Want(Block("status"), Not(Block("map")))
	fmt.Println(g.Outcome().DialogType, "by", g.Outcome().DialogTypeSource)
	t.end()
	// Output: rules by router
}

// A judge reports a contradiction that no detector finds.
func ExampleTest_Judge() {
	content, setup := mill()
	t := &printed{}
	g := Play(t, content, setup)
	g.Set("conflict.judge", "full").Set("retry.max_retries", 0)
	g.Say("I look around.").Model("A thousand years have passed.").
		Judge(conflict.Verdict{Kind: "time_leap", Quote: "A thousand years have passed", Why: "nothing took that long"}).
		Want(Ends(turn.Conflict, ""), Conflict("time_leap"))
	t.end()
	// Output:
}

// The summary replaces old turns in later prompts.
func ExampleTest_Summary() {
	content, setup := mill()
	content.Prompt.SummarizeAfter = 1
	t := &printed{}
	g := Play(t, content, setup)
	g.Set("context.full_context_enabled", false).Set("context.compress_enabled", true).Set("context.recent_turns", 1)
	g.Say("I sweep the yard.").Model("It is clean.")
	g.Say("I wait.").Model("Nobody comes.").Summary("Ann has swept the yard.")
	g.Say("What did I do?").Model("You swept.").Want(Prompt("Ann has swept the yard."))
	t.end()
	// Output:
}

// A different character acts, and the test sets the next random number. An entry with a probability
// of 25 percent is not activated by a draw of 0.75.
func ExampleTest_As() {
	content, setup := mill()
	content.Lore.Books[0].Book.Entries[0].Probability = 25
	content.Lore.Books[0].Book.Entries[0].UseProbability = true
	setup.Characters = append(setup.Characters, state.Character{ID: "bo", Name: "Bo", AreaID: "mill", HP: state.HP{Current: 8, Max: 8}})
	t := &printed{}
	g := Play(t, content, setup)
	g.Set("turn.order", "free")
	g.Say("I smell the flour.").As("bo").Draws(0.75).Model("You sneeze.").Want(Not(Lore("flour")))
	g.Say("I smell the flour.").As("bo").Draws(0.2).Model("You sneeze again.").Want(Lore("flour"))
	fmt.Println(g.Outcome().Turn.ActorID)
	t.end()
	// Output: bo
}

// A day passes between two lines, and a hook reacts to it.
func ExampleTest_At() {
	content, setup := mill()
	content.Rules.Hooks, _ = hooks.Parse([]byte(`[{"id": "dusk", "name": "dusk", "event": "clock.passed",
		"actions": [{"type": "message", "content": "It has become dark."}]}]`))
	t := &printed{}
	g := Play(t, content, setup)
	noon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	g.Say("I wait.").At(noon).Model("Nobody comes.")
	g.Do(turn.PassTime{}).At(noon.Add(8*time.Hour)).Want(Hook("dusk"), Notice("dark"))
	t.end()
	// Output:
}

// The delivery of a hook fails, and the turn continues.
func ExampleTest_SinkFails() {
	content, setup := mill()
	content.Rules.Hooks, _ = hooks.Parse([]byte(`[{"id": "diary", "name": "diary", "event": "character.after_turn.finished",
		"actions": [{"type": "memory_write", "title": "a turn", "content": "Ann was here."}]}]`))
	t := &printed{}
	g := Play(t, content, setup)
	g.Say("I wait.").SinkFails("memory", "the disk is full").Model("Nobody comes.").Want(Not(Hook("diary")), Not(Effect("write-memory")))
	fmt.Println(g.Outcome().Status)
	t.end()
	// Output: completed
}

// Checks of one turn: hooks and rules, the prompt, and how the turn ends.
func ExampleNotice() {
	content, setup := mill()
	t := &printed{}
	content.Rules.Hooks = []hooks.Hook{{ID: "bell", Name: "bell", Event: hooks.On(act.BeforeTurnStarted), Actions: []act.Action{
		act.New(act.PromptInject, tree.Member{Key: "content", Value: tree.Text("A bell rings.")})}}}
	g := Play(t, content, setup)
	g.Say("I wait.").Model("[dust: 3] Dust falls.").
		Want(Hook("bell"), Prompt("A bell rings."), Alive("ann", state.Alive), Retries(0), Ends(turn.Completed, ""))
	g.Say("I wait.").Model("More of it.").
		Want(Notice("You sneeze."), Effect("notify-player"), Not(Warning("tokens")))
	t.end()
	// Output:
}

// Checks which member of the cast answers.
func ExampleSpeaker() {
	content, setup := mill()
	t := &printed{}
	content.People.Cast = []game.CastMember{{CharacterID: "ash", Card: &card.Card{Name: "Ash"}}}
	g := Play(t, content, setup)
	g.Say("Is anybody here, Ash?").Model("I am.").Want(Speaker("ash", "I am"))
	t.end()
	// Output:
}

// Scenarios are text files, one game in each. Run plays them.
func ExampleRun() {
	var TestMill = func(t *testing.T) {
		content, setup := mill()
		Run(t, os.DirFS("testdata/mill"), "*.txt", content, setup)
	}
	_ = TestMill // go test calls it
}
