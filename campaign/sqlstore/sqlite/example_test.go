package sqlite_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// A campaign continues after the program has ended.
func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "campaigns")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	for _, reply := range []string{"Rain.", "Sun."} { // a new program, twice
		store, err := sqlite.Open(ctx, filepath.Join(folder, "campaigns.db"), sqlite.Options{})
		if err != nil {
			log.Fatal(err)
		}
		engine, err := campaign.New(campaign.Config{Game: g, Store: store,
			Model: llmtest.NewScripted(llmtest.Text(reply))})
		if err != nil {
			log.Fatal(err)
		}
		if listed, err := store.List(ctx, campaign.Page{}); err == nil && len(listed) == 0 {
			ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
			if _, err := engine.Create(ctx, state.Setup{ID: "mill", Characters: []state.Character{ann}}); err != nil {
				log.Fatal(err)
			}
		}
		outcome, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."})
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

// A backup while campaigns are played, and a check of the copy.
func ExampleStore_Backup() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "campaigns")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	store, err := sqlite.Open(ctx, filepath.Join(folder, "campaigns.db"), sqlite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	g, problems := game.Compile(game.Content{})
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: llmtest.NewScripted()})
	if err := cmp.Or(problems.Err(), err); err != nil {
		log.Fatal(err)
	}
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	if _, err := engine.Create(ctx, state.Setup{ID: "mill", Characters: []state.Character{ann}}); err != nil {
		log.Fatal(err)
	}

	if err := store.Backup(ctx, filepath.Join(folder, "copy.db")); err != nil {
		log.Fatal(err)
	}
	if err := store.Delete(ctx, "mill"); err != nil {
		log.Fatal(err)
	}
	if err := store.Compact(ctx); err != nil { // returns the space to the file system
		log.Fatal(err)
	}
	backup, err := sqlite.Open(ctx, filepath.Join(folder, "copy.db"), sqlite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer backup.Close()
	fmt.Println("the copy is sound:", backup.Check(ctx) == nil)
	for _, s := range []*sqlite.Store{store, backup} {
		listed, err := s.List(ctx, campaign.Page{})
		fmt.Println(len(listed), err)
	}
	// Output:
	// the copy is sound: true
	// 0 <nil>
	// 1 <nil>
}

// A deployment updates the tables of a file before a process of the new program opens it.
func ExampleMigrate() {
	folder, err := os.MkdirTemp("", "campaigns")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	fmt.Println(sqlite.Migrate(context.Background(), filepath.Join(folder, "campaigns.db")))
	// Output: <nil>
}
