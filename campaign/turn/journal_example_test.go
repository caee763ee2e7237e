package turn_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// Each step of a turn runs in a separate engine, as in a different process. Between the steps only
// text is stored.
func Example_journal() {
	ctx := context.Background()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	cfg := campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted(llmtest.Text("The door creaks."))}
	process := func() *campaign.Engine {
		e, err := campaign.New(cfg)
		if err != nil {
			log.Fatal(err)
		}
		return e
	}
	if _, err := process().Create(ctx, state.Setup{ID: "inn", Characters: []state.Character{
		{ID: "ann", Name: "Ann", HP: state.HP{Current: 5, Max: 5}}}}); err != nil {
		log.Fatal(err)
	}

	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	j, err := turn.JournalOf(turn.Submit{Text: "I open the door.", At: at})
	if err != nil {
		log.Fatal(err)
	}
	for {
		kept, err := json.Marshal(j) // in a queue, or a workflow
		if err != nil {
			log.Fatal(err)
		}
		var read turn.Journal
		if err := json.Unmarshal(kept, &read); err != nil {
			log.Fatal(err)
		}
		step, err := process().Step(ctx, "inn", read, nil)
		if err != nil {
			log.Fatal(err)
		}
		if step.Outcome != nil {
			fmt.Println(step.Outcome.Status, step.Outcome.Turn.Text)
			return
		}
		fmt.Printf("at version %d, next: %s\n", step.Base, step.Stop)
		j = read.Then(step)
	}
	// Output:
	// at version 1, next: commit
	// completed The door creaks.
}

// A host that stores the inputs of a machine stores each input as an entry.
func ExampleJournalEntryOf() {
	entry, err := turn.JournalEntryOf(turn.Replied{Text: "The door creaks."})
	data, _ := json.Marshal(entry)
	fmt.Println(string(data), err)
	// Output: {"input":{"input":"replied","text":"The door creaks."}} <nil>
}
