package temporal_test

import (
	"context"
	"fmt"
	"log"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/temporal"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// innEngine returns an engine whose store has the campaign "inn".
func innEngine(replies ...llmtest.Reply) *campaign.Engine {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted(replies...)})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := engine.Create(context.Background(), inn()); err != nil {
		log.Fatal(err)
	}
	return engine
}

// A worker runs steps of its engine's campaigns until it is interrupted.
func ExampleRegister() {
	engine := innEngine() // with a store that all workers share
	c, err := client.Dial(client.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	w := worker.New(c, "campaigns", temporal.WorkerOptions())
	if err := temporal.Register(w, temporal.Worker{Engine: engine}); err != nil {
		log.Fatal(err)
	}
	if err := w.Run(worker.InterruptCh()); err != nil {
		log.Fatal(err)
	}
}

// A player needs only a connection. Here it runs workflows in the test environment of the SDK. A
// program gets its connection from client.Dial.
func ExampleClient_Submit() {
	connection := &service{worker: temporal.Worker{Engine: innEngine(intoTheMill())}}
	player := temporal.Client{Temporal: connection, TaskQueue: "campaigns"}

	outcome, err := player.Submit(context.Background(), "inn", turn.Submit{Text: "I go into the mill.", ClientTurnID: "1"})
	if err != nil {
		log.Fatal(err) // the store, Temporal, or an unknown campaign
	}
	if err := outcome.Err(); err != nil {
		log.Fatal(err) // refused, failed, or people must decide
	}
	fmt.Println(outcome.Turn.Text)

	outcome, err = player.Submit(context.Background(), "inn", turn.Submit{Text: "I go into the mill.", ClientTurnID: "1"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("again:", outcome.Turn.ID, outcome.Replayed)
	// Output:
	// The door is heavy. You step into the Mill.
	// again: turn_0001 true
}

// Do runs any other instruction.
func ExampleClient_Do() {
	connection := &service{worker: temporal.Worker{Engine: innEngine()}}
	player := temporal.Client{Temporal: connection, TaskQueue: "campaigns"}

	outcome, err := player.Do(context.Background(), "inn", turn.MakeCheckpoint{Label: "before the mill"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outcome.Status)

	_, err = player.Do(context.Background(), "inn", turn.Discard{})
	fmt.Println(err)
	// Output:
	// completed
	// campaign: refused: no_pending_approval: no question waits, or a newer one does: call Engine.Pending
}

// A worker that a deployment stops finishes its running steps, within the limits of the options.
func ExampleWorkerOptions() {
	options := temporal.WorkerOptions()
	options.MaxConcurrentActivityExecutionSize = 100 // steps at the same time
	fmt.Println(options.WorkerStopTimeout, options.StickyScheduleToStartTimeout)
	// Output: 25s 1s
}
