package sqlite_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/llm/llmtest"
)

// A campaign that goes on after the program has ended.
func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "campaigns")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	game, problems := campaign.Compile(campaign.Content{})
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	for _, reply := range []string{"Rain.", "Sun."} { // twice a new program
		store, err := sqlite.Open(ctx, filepath.Join(folder, "campaigns.db"), sqlite.Options{})
		if err != nil {
			log.Fatal(err)
		}
		engine, err := campaign.NewEngine(campaign.Config{Game: game, Store: store,
			Model: llmtest.NewScripted(llmtest.Text(reply))})
		if err != nil {
			log.Fatal(err)
		}
		if listed, err := store.List(ctx, campaign.Page{}); err == nil && len(listed) == 0 {
			ann := campaign.Character{ID: "ann", Name: "Ann", HP: campaign.HP{Current: 10, Max: 10}}
			if _, err := engine.Create(ctx, campaign.Setup{ID: "mill", Characters: []campaign.Character{ann}}); err != nil {
				log.Fatal(err)
			}
		}
		outcome, err := engine.Turn(ctx, "mill", campaign.Submit{Text: "I wait."})
		if err := cmp.Or(err, outcome.Err()); err != nil {
			log.Fatal(err)
		}
		fmt.Println(outcome.Turn.ID, outcome.Turn.Text)
		if err := store.Close(); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// turn_0001 Rain.
	// turn_0002 Sun.
}
