package imports_test

import (
	"context"
	"fmt"
	"log"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt/script"
)

// A card is enough for a first turn.
func ExampleParse() {
	ctx := context.Background()
	start, problems := imports.Parse([]byte(orin), imports.Options{ID: "first", Player: "Mara"})
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	g, problems := game.Compile(start.Content)
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	engine, err := campaign.New(campaign.Config{
		Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted(llmtest.Text("The lamp flickers.")),
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := engine.Create(ctx, start.Setup); err != nil {
		log.Fatal(err)
	}
	outcome, err := engine.Turn(ctx, "first", turn.Submit{Text: "I look at the lamp."})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(start.Setup.Greeting)
	fmt.Println(outcome.Turn.Text)
	fmt.Println(outcome.Turn.Trace.Lore[0].ID)
	// Output:
	// Come in, Mara.
	// The lamp flickers.
	// Orin.0
}

// A person is asked once about the regex scripts of a card. The campaign stores the answer, and a later
// import with the settings of the campaign does not ask again.
func ExampleParse_regex() {
	ctx, store := context.Background(), &campaign.MemoryStore{}
	ask := func(l script.List) bool {
		fmt.Printf("May %d scripts of %s run?\n", len(l.Scripts), l.Owner)
		return false
	}
	start, problems := imports.Parse([]byte(scripted), imports.Options{ID: "smithy", Regex: ask})
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	g, problems := game.Compile(start.Content)
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: llmtest.NewScripted()})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := engine.Create(ctx, start.Setup); err != nil {
		log.Fatal(err)
	}

	// Later, in a new process.
	saved, err := store.Load(ctx, "smithy")
	if err != nil {
		log.Fatal(err)
	}
	stored, err := campaign.Restore(saved)
	if err != nil {
		log.Fatal(err)
	}
	start, _ = imports.Parse([]byte(scripted), imports.Options{ID: "smithy", Regex: ask, Settings: stored.Settings})
	fmt.Println("denied:", start.Content.Prompt.Scripts[0].Denied)
	// Output:
	// May 4 scripts of Orin run?
	// denied: true
}

// With Options.Chat the player talks with the character, without a game. A name that the model copies
// from the history is removed.
func ExampleParse_chat() {
	ctx := context.Background()
	start, problems := imports.Parse([]byte(orin), imports.Options{ID: "talk", Player: "Mara", Chat: true})
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	g, problems := game.Compile(start.Content)
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	model := llmtest.NewScripted(llmtest.Text("Orin: *strikes you for 3 damage* Ha!"))
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: model})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := engine.Create(ctx, start.Setup); err != nil {
		log.Fatal(err)
	}
	outcome, err := engine.Turn(ctx, "talk", turn.Submit{Text: "Is this your lamp?"})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range model.Requests()[0].Messages {
		fmt.Printf("%s: %s\n", m.Role, m.Text)
	}
	fmt.Println(">", outcome.Turn.Text)
	// Output:
	// system: You are Orin and talk with Mara. Answer in character with what Orin says, does and feels, in keeping with what stands below, and leave to Mara what Mara says and does.
	// system: Orin keeps the lighthouse.
	// system: The lamp is broken.
	// assistant: Come in, Mara.
	// user: Is this your lamp?
	// > *strikes you for 3 damage* Ha!
}

// A world of a different engine becomes content and a setup.
func ExampleParse_world() {
	start, problems := imports.Parse([]byte(world), imports.Options{Player: "Mara"})
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(start.Setup.Title, len(start.Content.Rules.Rules))
	for _, b := range start.Content.Lore.Books {
		fmt.Println(b.Book.Name, len(b.Book.Entries))
	}
	// Output:
	// The Inn 2
	// The Inn 7
	// cellar 1
	// stormy 1
}

// A role-play configuration contains its world book and the settings of its scan.
func ExampleParse_configuration() {
	start, problems := imports.Parse([]byte(config), imports.Options{})
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(start.Content.People.Card.Description, start.Content.Lore.Settings.Depth)
	// Output: 你是一位年轻的魔法师。 1
}

// Books of any known format can be added to the book of a card.
func ExampleStart_AddBook() {
	start, problems := imports.Parse([]byte(orin), imports.Options{Player: "Mara"})
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	problems = start.AddBook("coast", []byte(`{"entries": {"0": {"uid": 0, "key": ["reef"], "content": "The reef takes ships."}}}`))
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	for _, b := range start.Content.Lore.Books {
		fmt.Println(b.Book.Name, len(b.Book.Entries))
	}
	fmt.Println(start.AddBook("notes", []byte(`["no", "book"]`)))
	// Output:
	// Orin 2
	// coast 1
	// format: unknown lorebook format: no item of the list has key or keys, and content; an entry is {"keys": ["…"], "content": "…"}
}

// A world book can be played without a card: begin with one player, and add books.
func ExampleBegin() {
	start := imports.Begin(imports.Options{ID: "isle", Player: "Mara"})
	fmt.Println(start.Setup.ID, start.Setup.Characters[0].Name, len(start.Content.Lore.Books))
	// Output: isle Mara 0
}
