package state_test

import (
	"cmp"
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// played returns a campaign of Ann and Bob with three turns and a second answer to the last line.
// Bob did not hear the second turn.
func played() state.Campaign {
	ctx := context.Background()
	g, problems := game.Compile(game.Content{})
	model := llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text("A key."), llmtest.Text("Wind."), llmtest.Text("Hail."))
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: model})
	if err := cmp.Or(problems.Err(), err); err != nil {
		panic(err)
	}
	hp := state.HP{Current: 10, Max: 10}
	if _, err := engine.Create(ctx, state.Setup{ID: "mill", Selected: state.Selected{Party: []string{"ann", "bob"}},
		Characters: []state.Character{{ID: "ann", Name: "Ann", HP: hp}, {ID: "bob", Name: "Bob", HP: hp}}}); err != nil {
		panic(err)
	}
	for _, in := range []turn.Input{turn.Submit{Text: "I look out."}, turn.Submit{Text: "I look under the stone.", Audience: []string{"ann"}},
		turn.Submit{Text: "I listen."}, turn.Regenerate{Swipe: true}} {
		if outcome, err := engine.Do(ctx, "mill", in); cmp.Or(err, outcome.Err()) != nil {
			panic(cmp.Or(err, outcome.Err()))
		}
	}
	c, err := engine.Campaign(ctx, "mill")
	if err != nil {
		panic(err)
	}
	return c
}

// The played turns, oldest first, as far back as the head has them. Engine.History has all of them.
func ExampleCampaign_BranchTurns() {
	for _, t := range played().BranchTurns() {
		fmt.Println(t.ID, t.UserInput, "->", t.Text)
	}
	// Output:
	// turn_0001 I look out. -> Rain.
	// turn_0002 I look under the stone. -> A key.
	// turn_0004 I listen. -> Hail.
}

// The turns that one player heard.
func ExampleCampaign_TurnsFor() {
	for _, t := range played().TurnsFor("bob") {
		fmt.Println(t.ID, t.Text)
	}
	// Output:
	// turn_0001 Rain.
	// turn_0004 Hail.
}

// The swipes of the newest line. turn.Choose moves to any of them.
func ExampleCampaign_Answers() {
	c := played()
	for _, id := range c.Answers() {
		answer, held := c.Turn(id)
		fmt.Println(id, answer.Text, held, id == c.State.HeadTurnID)
	}
	// Output:
	// turn_0003 Wind. true false
	// turn_0004 Hail. true true
}

func ExampleCampaign_LastTurns() {
	for _, t := range played().LastTurns(1) {
		fmt.Println(t.ID, t.Text)
	}
	// Output:
	// turn_0004 Hail.
}

func ExampleState_NextActor() {
	s := played().State
	for _, c := range s.PartyMembers() {
		fmt.Println(c.Name)
	}
	fmt.Println(s.Selected.ActorID, "then", s.NextActor(), s.InParty("cid"))
	// Output:
	// Ann
	// Bob
	// ann then bob false
}

func ExampleTurnID() {
	id := state.TurnID(12)
	n, ok := state.TurnNumber(id)
	fmt.Println(id, n, ok)
	_, ok = state.TurnNumber("twelve")
	fmt.Println(ok)
	// Output:
	// turn_0012 12 true
	// false
}

// A delta is stored in place of the second value.
func ExampleDiff() {
	before, _ := tree.ParseValue([]byte(`{"hp": 10, "bag": ["rope", "lamp"]}`))
	after := before.With("hp", tree.Int(7))
	delta := state.Diff(before, after)
	again, err := delta.Apply(before)
	fmt.Println(again, err)
	// Output:
	// {"hp":7,"bag":["rope","lamp"]} <nil>
}

// A change of hit points stays within the bounds and returns what happened.
func ExampleCharacter_ChangeHP() {
	ann := state.Character{ID: "ann", HP: state.HP{Current: 3, Max: 10}, Status: state.Status{AliveState: state.Alive}}
	life := map[state.AliveState]state.LifeRule{}
	for _, rule := range state.BuiltinLifeRules() {
		life[rule.State] = rule
	}
	ann.ChangeHP(-5, life)
	fmt.Println(ann.HP.Current, ann.Status.AliveState)
	// Output:
	// 0 downed
}

// The ID of a turn shows when it was committed.
func ExampleNewer() {
	fmt.Println(state.Newer("turn_0010", "turn_0009"), state.Newer("turn_0009", "turn_0009"))
	// Output: true false
}

// A host must not use the names of views.
func ExampleIsView() {
	fmt.Println(state.IsView("hp.ann"), state.IsView("gold"))
	// Output: true false
}

// A reference names the state after the record of a version.
func ExampleStateRef() {
	ref := state.StateRef(7)
	version, ok := state.RefVersion(ref)
	fmt.Println(version, ok)
	// Output: 7 true
}

// The value of a head, as a store keeps it, gives the state again.
func ExampleStateOf() {
	c := played()
	head, err := c.HeadValue()
	if err != nil {
		panic(err)
	}
	s, err := state.StateOf(head.Get("state"))
	fmt.Println(s.Selected.Party, err)
	// Output: [ann bob] <nil>
}

// A converter removes these members from the setups that it writes.
func ExampleForeignMembers() {
	fmt.Println(state.ForeignMembers()[0])
	// Output: branches
}
