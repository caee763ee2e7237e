package turn_test

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/campaign/world"
)

// mill is a small campaign: one character, two places and a path.
func mill() state.Setup {
	return state.Setup{
		ID: "mill",
		Map: world.Map{
			Areas: []world.Area{{ID: "yard", Name: "Yard"}, {ID: "mill", Name: "Mill"}},
			Paths: []world.Path{{ID: "door", From: "yard", To: "mill"}},
		},
		Characters: []state.Character{{
			ID: "ann", Name: "Ann", AreaID: "yard", HP: state.HP{Current: 10, Max: 10},
		}},
	}
}

// A machine is the turn without a model, a store or a goroutine: the host does what
// Todo says and tells the answer.
func ExampleMachine() {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	start, err := turn.Begin(g, mill())
	if err != nil {
		fmt.Println(err)
		return
	}
	m := turn.NewMachine(g, start)
	tell := func(in turn.Input) {
		if err := m.Step(in); err != nil {
			fmt.Println(err)
		}
		todo := m.Todo()
		switch {
		case todo.Generate != nil:
			messages := todo.Generate.Request.Messages
			fmt.Println(m.Phase(), messages[len(messages)-1].Kind)
		case todo.Commit != nil:
			fmt.Println(m.Phase(), todo.Commit.Kind, "at version", todo.Commit.Version)
		case todo.Outcome != nil:
			fmt.Println(m.Phase(), todo.Outcome.Status)
		}
	}
	tell(turn.Submit{Text: "I look around."})
	tell(turn.Replied{Text: "Flour dust dances in the light."})
	tell(turn.Committed{})
	fmt.Println(m.Todo().Show.Text)
	// Output:
	// generating player_input
	// committing turn at version 2
	// idle completed
	// Flour dust dances in the light.
}

// ExampleMachine_String shows what a bug report should hold.
func ExampleMachine_String() {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	start, err := turn.Begin(g, mill())
	if err != nil {
		fmt.Println(err)
		return
	}
	m := turn.NewMachine(g, start)
	for _, in := range []turn.Input{
		turn.Submit{Text: "I look around."},
		turn.Replied{Text: `{"tool_calls": [{"tool": "fly"}]}`},
	} {
		if err := m.Step(in); err != nil {
			fmt.Println(err)
		}
	}
	text := m.String()
	fmt.Println(text[:strings.Index(text, "{")])
	// Output:
	// campaign mill version 1: generating at generate
	//   told Submit Replied
	//   generate attempt 2 because of refused_calls
	//     + assistant_rejected
	//       |
}

// Setup mistakes come all at once, each with its place.
func ExampleBegin() {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	setup := mill()
	setup.Characters[0].HP.Current = 12
	setup.Selected.ActorID = "bob"
	setup.Map.Paths[0].To = "barn"
	_, err := turn.Begin(g, setup)
	fmt.Println(err)
	// Output:
	// campaign: characters[0]: hp must lie between 0 and max, not 12 of 10
	// campaign: selected.active_actor_id: no character "bob"
	// campaign: map.paths[0]: no area "barn"
}
