package campaign_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// A front end posts the lines of players and returns at once. Workers play the lines.
func ExampleEngine_Post() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	store := &campaign.MemoryStore{}
	front := watchEngine(store)
	if _, err := front.Create(ctx, mill()); err != nil {
		fmt.Println(err)
		return
	}
	line := turn.Submit{Text: "I look at the mill.", ClientTurnID: "message 17"}
	outcome, err := front.Post(ctx, "mill", line)
	fmt.Println(outcome == nil, err)

	worker := watchEngine(store, llmtest.Text("The mill turns."))
	err = worker.Serve(ctx, 4, func(id string, p campaign.Progress) {
		if p, ok := p.(campaign.Narration); ok {
			fmt.Println(id, p.Text)
		}
		if _, ok := p.(campaign.Finished); ok {
			stop()
		}
	})
	fmt.Println(errors.Is(err, context.Canceled))

	outcome, err = front.Post(context.Background(), "mill", line) // post it again to get the outcome
	fmt.Println(outcome.Status, outcome.Turn.Text, err)
	// Output:
	// true <nil>
	// mill The mill turns.
	// true
	// completed The mill turns. <nil>
}

// DropPost removes a post that no program can run, so that later posts continue.
func ExampleEngine_DropPost() {
	ctx := context.Background()
	engine := watchEngine(&campaign.MemoryStore{})
	_, err := engine.Create(ctx, mill())
	line := turn.Submit{Text: "I wait.", ClientTurnID: "message 18"}
	if err == nil {
		_, err = engine.Post(ctx, "mill", line)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	next, err := engine.NextPost(ctx, "mill")
	if err != nil || next == nil {
		fmt.Println(next, err)
		return
	}
	fmt.Println(next.Instruction.Ticket().ClientTurnID, next.Err)
	fmt.Println(engine.DropPost(ctx, "mill", next.Key, "it was sent twice"))
	outcome, err := engine.Post(ctx, "mill", line) // post it again to get the outcome
	fmt.Println(outcome.Status, outcome.Reason, outcome.Detail, err)
	// Output:
	// message 18 <nil>
	// <nil>
	// failed post_dropped it was sent twice <nil>
}

func ExampleEngine_NextPost() {
	ctx := context.Background()
	engine := watchEngine(&campaign.MemoryStore{})
	if _, err := engine.Create(ctx, mill()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(engine.NextPost(ctx, "mill")) // no post waits
	// Output: <nil> <nil>
}

func ExampleEngine_Serve() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	store := &campaign.MemoryStore{}
	worker := watchEngine(store, llmtest.Text("The wind drops."))
	_, err := worker.Create(ctx, mill())
	if err == nil {
		_, err = worker.Post(ctx, "mill", turn.Submit{Text: "I wait.", ClientTurnID: "a"})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	err = worker.Serve(ctx, 0, func(id string, p campaign.Progress) {
		if p, ok := p.(campaign.Finished); ok {
			fmt.Println(id, p.Outcome.Status)
			stop()
		}
	})
	fmt.Println(err)
	// Output:
	// mill completed
	// context canceled
}
