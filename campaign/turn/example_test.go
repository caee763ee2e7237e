package turn_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// newMachine returns a machine for a small campaign, for the examples.
func newMachine() *turn.Machine {
	g, problems := game.Compile(game.Content{})
	start, err := turn.Begin(g, state.Setup{ID: "mill",
		Characters: []state.Character{{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}}})
	if err := cmp.Or(problems.Err(), err); err != nil {
		panic(err)
	}
	return turn.NewMachine(g, start)
}

// A machine is the turn without a model, a store or a goroutine: the host does what Todo says and
// gives the answer to the machine.
func ExampleMachine() {
	m := newMachine()
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

// An outcome is for operators. Each player gets only the part for that player.
func ExampleOutcome_ForPlayers() {
	o := turn.Outcome{
		Status: turn.Completed, Audience: []string{"ann", "ben"},
		Turn: &state.Turn{ID: "turn_0001", Index: 1, ActorID: "ann", Audience: []string{"ann", "ben"},
			UserInput: "Where is it?", Text: "Ben points at the willow."},
		Attempts: []state.Attempt{{Output: "The idol is below the crypt."}}, // a refused attempt
	}
	for _, viewer := range []string{"ben", "cid"} {
		shown, ok := o.ForPlayers(viewer)
		if !ok {
			fmt.Println(viewer, "gets nothing")
			continue
		}
		data, err := json.Marshal(shown)
		fmt.Println(viewer, string(data), err)
	}
	// Output:
	// ben {"status":"completed","turn":{"turn_id":"turn_0001","index":1,"actor_id":"ann","audience":["ann","ben"],"user_input":"Where is it?","text":"Ben points at the willow."}} <nil>
	// cid gets nothing
}

// ExampleMachine_String shows what a bug report should contain.
func ExampleMachine_String() {
	m := newMachine()
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

// All mistakes of a setup are reported at once, each with its place.
func ExampleBegin() {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	_, err := turn.Begin(g, state.Setup{ID: "mill",
		Map: state.Map{
			Areas: []state.MapArea{{ID: "yard", Name: "Yard"}},
			Paths: []state.MapPath{{ID: "door", From: "yard", To: "barn"}},
		},
		Characters: []state.Character{{ID: "ann", Name: "Ann", AreaID: "yard", HP: state.HP{Current: 12, Max: 10}}},
		Selected:   state.Selected{ActorID: "bob"},
	})
	fmt.Println(err)
	// Output:
	// campaign: characters[0]: hp must lie between 0 and max, not 12 of 10
	// campaign: selected.active_actor_id: no character "bob"
	// campaign: map.paths[0]: no area "barn"
}

// ReplyOf converts an answer of a model, with its calls, to an input of a machine.
func ExampleReplyOf() {
	m := newMachine()
	if err := m.Step(turn.Submit{Text: "I fall down the stairs."}); err != nil {
		fmt.Println(err)
	}
	model := llmtest.NewScripted(llmtest.Text("You fall, and it hurts.").
		AndCall("hp_delta", "target_character_id", "ann", "delta", -2, "cause", "stairs"))
	reply, err := llm.Collect(model.Generate(context.Background(), m.Todo().Generate.Request.LLM()))
	if err != nil {
		fmt.Println(err)
	}
	if err := m.Step(turn.ReplyOf(reply)); err != nil {
		fmt.Println(err)
	}
	fmt.Println(m.Phase(), m.Todo().Commit.Turn.Applied[0].Tool)
	// Output:
	// committing hp_delta
}

// A process dies in the middle of a turn. A second machine gets the same inputs and reaches the
// same state.
func ExampleMachine_Journal() {
	first := newMachine()
	for _, in := range []turn.Input{turn.Submit{Text: "I look around."}, turn.Replied{Text: "Flour dust."}} {
		if err := first.Step(in); err != nil {
			fmt.Println(err)
		}
	}
	journal := first.Journal()
	second := newMachine()
	for _, in := range journal {
		if err := second.Step(in); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(journal.Names(), second.Phase() == first.Phase())
	// Output:
	// [submit replied] true
}

// A log is replayed without a model, and read without a game.
func ExampleRebuild() {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{},
		Model: llmtest.NewScripted(llmtest.Text("Flour dust."))})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	if _, err := engine.Create(ctx, state.Setup{ID: "mill",
		Characters: []state.Character{{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}}}); err != nil {
		fmt.Println(err)
		return
	}
	var log []turn.Record
	watching, stop := context.WithCancel(ctx)
	defer stop()
	if _, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I look around."}); err != nil {
		fmt.Println(err)
	}
	for rec, err := range engine.Watch(watching, "mill", 0) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if log = append(log, rec); rec.Kind == turn.RecordTurn {
			break
		}
	}
	records := func(yield func(turn.Record, error) bool) {
		for _, rec := range log {
			if !yield(rec, nil) {
				return
			}
		}
	}
	replayed, err := turn.Rebuild(g, records)
	followed, ferr := turn.Follow(state.Campaign{}, records)
	fmt.Println(cmp.Or(err, ferr), replayed.State.HeadTurnID, turn.Same(replayed, followed))
	// Replay uses the results of the game where they differ from the records. Here nothing differs.
	afresh, err := turn.Replay(g, records, nil)
	fmt.Println(err, turn.Same(replayed, afresh))
	// Output:
	// <nil> turn_0001 <nil>
	// <nil> <nil>
}

// A host with its own queue checks whether an instruction needs the model.
func ExampleNeedsModel() {
	for _, in := range []turn.Input{turn.Submit{ActorID: "ann", Text: "I wait."}, turn.SetTools{}} {
		asking, ok := turn.NeedsModel(in)
		if ok {
			fmt.Println(ok, asking.Ticket().ActorID)
			continue
		}
		fmt.Println(ok)
	}
	// Output:
	// true ann
	// false
}

// An instruction without a time gets the present time. An instruction with a time keeps it.
func ExampleStamp() {
	noon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	in := turn.Stamp(turn.Submit{Text: "I wait."}, noon).(turn.Submit)
	fmt.Println(in.At.Equal(noon), turn.Stamp(in, noon.Add(time.Hour)).(turn.Submit).At.Equal(noon))
	// Output: true true
}

// An ID that is not UTF-8 is compared in the form in which a store returns it.
func ExampleNormalize() {
	in, err := turn.Normalize(turn.Submit{Text: "I wait.", ClientTurnID: "message \xff"})
	asking, _ := turn.NeedsModel(in)
	fmt.Printf("%q %v\n", asking.Ticket().ClientTurnID, err)

	_, err = turn.Normalize(turn.EndCampaign{At: time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC)})
	fmt.Println(err)
	// Output:
	// "message �" <nil>
	// campaign: refused: invalid_time: at: the year is 99999: give one from 0 to 9999
}

// A front end that is not written in Go sends an instruction as JSON. The handler decides what a
// player may send.
func ExampleParseInstruction() {
	for _, body := range []string{`{"input":"submit","text":"I wait."}`, `{"input":"end_campaign"}`, `{"input":"undoo"}`} {
		in, err := turn.ParseInstruction([]byte(body))
		switch in := in.(type) {
		case nil:
			fmt.Println(err)
		case turn.Submit:
			in.ActorID = "ann" // the character of the signed-in player
			fmt.Println(in.ActorID, "says", in.Text)
		default:
			fmt.Printf("%T is not for players\n", in)
		}
	}
	// Output:
	// ann says I wait.
	// turn.EndCampaign is not for players
	// campaign: invalid input: there is no instruction "undoo"; did you mean undo?
}

func ExampleMarshalInstruction() {
	data, err := turn.MarshalInstruction(turn.RollBack{To: "turn_0001"})
	fmt.Println(string(data), err)
	// Output: {"input":"rollback","to":"turn_0001"} <nil>
}
