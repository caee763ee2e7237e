// Savefile keeps a campaign in an SQLite file. The first run starts the campaign. Each later run
// continues it after the last turn that was committed, however the run before it ended. If two runs
// play one file at once, the slower one ends with a version conflict and changes nothing. See
// sqlite.Options.Shared for programs that share a file.
//
//	go run ./examples/savefile                  two runs, with a file in a temporary folder
//	go run ./examples/savefile -file ascent.db  one run; repeat it to continue
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/llm/llmtest"
)

// story has the lines of the player, and the answers of the scripted model.
var story = []struct{ line, reply string }{
	{"I climb over the wall.", hurt("Broken glass cuts your hand: you lose 2 hit points.", -2)},
	{"I cross the yard.", "Nothing stirs in the yard but the fog."},
	{"I force the door.", hurt("The bolt springs back against your arm: you lose 3 hit points.", -3)},
	{"I climb the stairs.", "A hundred steps, and the wind at each window."},
	{"I bandage my arm.", hurt("You bandage your arm: you regain 1 hit point.", 1)},
	{"I light the lamp.", "The lamp catches, and the sea goes white."},
}

// hurt returns a narration with the call that changes Mara's hit points.
func hurt(text string, delta int) string {
	return fmt.Sprintf(`{"text": %q, "tool_calls": [{"tool": "hp_delta", "args": `+
		`{"target_character_id": "mara", "delta": %d, "cause": "the ascent"}}]}`, text, delta)
}

func main() {
	file := flag.String("file", "", "SQLite file of the campaign; without it, two runs show how one continues")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("unknown argument %q; see -help", flag.Arg(0))
	}
	if err := run(context.Background(), *file, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run plays once with a file, or twice with a file that is removed afterwards.
func run(ctx context.Context, file string, out io.Writer) error {
	if file != "" {
		return play(ctx, file, 2, time.Now, out)
	}
	folder, err := os.MkdirTemp("", "savefile")
	if err != nil {
		return err
	}
	file = filepath.Join(folder, "ascent.db")
	first := play(ctx, file, 2, time.Now, out)
	second := play(ctx, file, 2, time.Now, out)
	return errors.Join(first, second, os.RemoveAll(folder))
}

// play opens the file, starts or continues its campaign, and plays the next turns of the story.
func play(ctx context.Context, file string, turns int, now func() time.Time, out io.Writer) (err error) {
	store, err := sqlite.Open(ctx, file, sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	game, problems := campaign.Compile(campaign.Content{})
	model := llmtest.NewScripted()
	engine, err := campaign.New(campaign.Config{Game: game, Store: store, Model: model, Now: now})
	if err := cmp.Or(problems.Err(), err); err != nil {
		return err
	}
	const id = "ascent"
	mara := campaign.Character{ID: "mara", Name: "Mara", HP: campaign.HP{Current: 10, Max: 10}}
	c, err := engine.Create(ctx, campaign.Setup{ID: id, Characters: []campaign.Character{mara}})
	if errors.Is(err, campaign.ErrExists) {
		c, err = engine.Campaign(ctx, id)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "The file has %d turns.\n", c.State.TurnCount)
	rest := story[min(c.State.TurnCount, len(story)):]
	for _, next := range rest[:min(turns, len(rest))] {
		model.Add(llmtest.Text(next.reply))
		outcome, err := engine.Turn(ctx, id, campaign.Submit{Text: next.line})
		if err := cmp.Or(err, outcome.Err()); err != nil {
			return err
		}
		fmt.Fprintf(out, "> %s\n%s\n", next.line, outcome.Turn.Text)
	}
	if c, err = engine.Campaign(ctx, id); err != nil {
		return err
	}
	hp := c.State.Characters[0].HP
	fmt.Fprintf(out, "Mara has %d of %d hit points.\n\n", hp.Current, hp.Max)
	return nil
}
