// Machine plays a campaign without campaign.Engine. It writes out the loop around turn.Machine, as
// a workflow engine, a job queue or a test needs it.
//
//	go run ./examples/machine
//
// The machine says what to do; the loop does it and returns the answer. Between two answers nothing
// is running, so the process may die there. The journal of the running instruction brings a second
// machine to the same point, and no request is made twice. This program "dies" after the answer of
// the model, which is the expensive part.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// errDied simulates the end of a process.
var errDied = errors.New("the process died")

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	g, problems := game.Compile(game.Content{Rules: game.Rules{Hooks: []hooks.Hook{{
		ID: "night", Name: "night", Event: hooks.On(act.BeforePromptRender, act.AfterSend),
		Actions: []act.Action{act.New("notify-player", tree.Member{Key: "message", Value: tree.Text("An owl hoots.")})},
	}}}})
	if err := problems.Err(); err != nil {
		return err
	}
	var saved []byte // what a database would store: the journal of the running instruction
	h := host{
		store: &campaign.MemoryStore{},
		model: llmtest.NewScripted(
			llmtest.Text("The door is heavy. You step into the Mill."), // wrong: no one has moved
			llmtest.Text("The door is heavy. You step into the Mill.").AndCall("move", "actor_id", "ann", "to_area_id", "mill"),
		),
		checkpoint: func(journal turn.Inputs) (err error) {
			saved, err = json.Marshal(journal)
			if len(journal) > 0 {
				if _, is := journal[len(journal)-1].(turn.Replied); is {
					return errors.Join(err, errDied)
				}
			}
			return err
		},
	}
	m, err := h.create(ctx, g, state.Setup{
		ID: "mill",
		Map: state.Map{Areas: []state.MapArea{{ID: "yard", Name: "Yard"}, {ID: "mill", Name: "Mill"}},
			Paths: []state.MapPath{{ID: "door", From: "yard", To: "mill"}}},
		Characters: []state.Character{{ID: "ann", Name: "Ann", AreaID: "yard", HP: state.HP{Current: 10, Max: 10}}},
	})
	if err != nil {
		return err
	}
	todo, err := h.play(ctx, m, turn.Submit{Text: "I go into the mill.", ClientTurnID: "1"})
	for errors.Is(err, errDied) {
		fmt.Printf("died at %q\n", m.Stop())
		if m, err = h.load(ctx, g, m.Campaign().ID); err != nil { // in a new process
			return err
		}
		var journal turn.Inputs
		if err := json.Unmarshal(saved, &journal); err != nil {
			return err
		}
		todo, err = h.play(ctx, m, journal...)
	}
	if err != nil {
		return err
	}
	outcome := todo.Outcome
	if err := h.end(ctx, m, todo); err != nil {
		return err
	}
	fmt.Println("retries:", outcome.RetriesUsed, "- Ann is in the", m.Campaign().State.Characters[0].AreaID)

	rebuilt, err := campaign.Rebuild(g, h.store.Records(ctx, "mill", 0))
	if err != nil {
		return err
	}
	if err := turn.Same(rebuilt, m.Campaign()); err != nil {
		return err
	}
	fmt.Println("the log leads to the same campaign, byte for byte")
	return nil
}
