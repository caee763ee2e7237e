package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// theInn creates a campaign of one character, with an entry of lore and a rule.
func theInn(ctx context.Context, store campaign.Store, answers ...llmtest.Reply) (*campaign.Engine, error) {
	g, problems := game.Compile(game.Content{
		Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "inn", Entries: []worldbook.Entry{
			{UID: "1", Comment: "The cellar", Keys: []string{"cellar"}, Content: "Rats.", Probability: 100, GroupWeight: 100},
		}}}}},
		Rules: game.Rules{Rules: []rules.Rule{{ID: "bell", Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"bell"}},
			Actions: effect.Actions{effect.PlayAudio{TrackID: "bell"}}}}},
	})
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: llmtest.NewScripted(answers...)})
	if err = errors.Join(problems.Err(), err); err != nil {
		return nil, err
	}
	_, err = engine.Create(ctx, state.Setup{ID: "inn", Characters: []state.Character{
		{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}}})
	return engine, err
}

// The instruction runs step by step, each step in any process: the next step needs only the
// journal.
func ExampleEngine_Step() {
	ctx := context.Background()
	engine, err := theInn(ctx, &campaign.MemoryStore{}, llmtest.Text("The fire is warm."))
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Date(2026, 5, 1, 20, 0, 0, 0, time.UTC)
	j, err := turn.JournalOf(turn.Stamp(turn.Submit{Text: "I sit down."}, now))
	for steps := 1; err == nil; steps++ {
		var step turn.JournalStep
		if step, err = engine.Step(ctx, "inn", j, nil); err != nil {
			break
		}
		if step.Outcome != nil {
			fmt.Println("after", steps, "steps:", step.Outcome.Turn.Text)
			return
		}
		j = j.Then(step) // the host stores it
	}
	fmt.Println(err)
	// Output: after 2 steps: The fire is warm.
}

// A host that died between the commit and the processing of effects asks for them again.
func ExampleEngine_Handover() {
	ctx := context.Background()
	engine, err := theInn(ctx, &campaign.MemoryStore{}, llmtest.Text("It rings."))
	if err == nil {
		_, err = engine.Turn(ctx, "inn", turn.Submit{Text: "I ring the bell."})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	const acted = 1 // Outcome.Version of the last outcome that the host has processed
	for p, err := range engine.Handover(ctx, "inn", acted) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch p := p.(type) {
		case campaign.Narration:
			fmt.Println("text:", p.Text)
		case campaign.HostEffect:
			fmt.Println("sound:", p.Effect.(effect.PlayAudio).TrackID)
		}
	}
	// Output:
	// text: It rings.
	// sound: bell
}

// Explain returns the effects of a line without playing it.
func ExampleEngine_Explain() {
	ctx := context.Background()
	engine, err := theInn(ctx, &campaign.MemoryStore{})
	if err != nil {
		fmt.Println(err)
		return
	}
	why, err := engine.Explain(ctx, "inn", turn.Submit{Text: "Is there a bell in the cellar?"}, "It rings.")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(why) // a rule checks several events of a turn: one line for each
	// Output:
	// lore inn.1 (The cellar): active by key "cellar" in message 0
	// rule bell on turn:accepted: pattern
	// rule bell on message:user: fired
	// rule bell on audio:play: pattern
}

// A campaign can be read without its content: the books and rules may no longer exist.
func ExampleRestore() {
	ctx := context.Background()
	store := &campaign.MemoryStore{}
	engine, err := theInn(ctx, store, llmtest.Text("The fire is warm."))
	if err == nil {
		_, err = engine.Turn(ctx, "inn", turn.Submit{Text: "I sit down."})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	saved, err := store.Load(ctx, "inn")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := campaign.Restore(saved)
	fmt.Println(c.Turns[0].UserInput, c.Turns[0].Text, err)
	// Output: I sit down. The fire is warm. <nil>
}
