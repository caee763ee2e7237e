// Mvu plays a scripted card in Chinese, as people write them now. It has variables with a schema,
// initial values in YAML, lore that pulls in other lore, updates as JSON Patch, and a status page.
//
//	go run ./examples/mvu
//
// README.md says what each part of the card does. The card is played unchanged. The engine refuses
// changes that the schema does not allow, and the next prompt reports them to the model.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm/llmtest"
)

//go:embed card.json
var card []byte

// played has the lines of the player and the replies of the model.
//
//go:embed play.txt
var played string

// begin reads a card and its initial variables, with one of its greetings.
func begin(data []byte, greeting int) (imports.Start, talewright.Problems) {
	return imports.Parse(data, imports.Options{ID: "night", Player: "阿远", Greeting: greeting, Chat: true})
}

// script splits a text into lines of the player and replies of the model.
func script(text string) (lines, replies []string) {
	for part := range strings.SplitSeq("\n"+text, "\n> ") {
		if line, reply, ok := strings.Cut(part, "\n"); ok && line != "" {
			lines, replies = append(lines, line), append(replies, reply)
		}
	}
	return lines, replies
}

func main() {
	lines, replies := script(played)
	model := llmtest.NewScripted()
	for _, text := range replies {
		model.Add(llmtest.Text(text))
	}
	if err := run(context.Background(), os.Stdout, campaign.Config{Model: model}, lines...); err != nil {
		log.Fatal(err)
	}
}

// run plays some lines from the first greeting on. It prints what players see, and what happened to
// the variables.
func run(ctx context.Context, out io.Writer, cfg campaign.Config, lines ...string) error {
	start, odd := begin(card, 0)
	if err := odd.Err(); err != nil {
		return err
	}
	g, problems := campaign.Compile(start.Content)
	if err := problems.Err(); err != nil {
		return err
	}
	for _, line := range append(odd, problems...).Summary(g.Texts().Hints) { // what of the card does not play
		fmt.Fprintf(out, "# %s\n", line)
	}
	cfg.Game = g
	engine, err := campaign.New(cfg)
	if err != nil {
		return err
	}
	began, err := engine.Create(ctx, start.Setup)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, began.State.Greeting)
	for _, line := range lines {
		if err := turn(ctx, out, engine, start.Setup.ID, line); err != nil {
			return err
		}
	}
	return nil
}

// turn plays one line.
func turn(ctx context.Context, out io.Writer, engine *campaign.Engine, id, line string) error {
	fmt.Fprintf(out, "\n> %s\n\n", line)
	for event, err := range engine.Stream(ctx, id, campaign.Submit{Text: line}) {
		if err != nil {
			return err
		}
		switch event := event.(type) {
		case campaign.Narration: // after the regex scripts of the card
			fmt.Fprint(out, event.Text)
		case campaign.Finished:
			if err := event.Outcome.Err(); err != nil {
				return err
			}
			report(out, *event.Outcome.Turn)
		}
	}
	return nil
}

// report prints the changes of a turn and the refusals of the engine.
func report(out io.Writer, t state.Turn) {
	fmt.Fprintln(out)
	for _, c := range t.Changes {
		fmt.Fprintf(out, "  %s: %s -> %s\n", strings.TrimPrefix(c.Path.String(), "stat_data."), cmp.Or(c.Old.String(), "-"), c.New)
	}
	for _, c := range t.Commands {
		if c.Hint != "" { // the next prompt has it too
			fmt.Fprintf(out, "  ! %s\n", c)
		}
	}
}
