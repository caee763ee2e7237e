package main

import (
	"bufio"
	"context"
	"maps"
	"strings"
	"sync"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// playGame plays a game in the terminal.
type playGame struct {
	Dir   string   `arg:"" help:"A folder, a card (PNG, JSON, YAML, CHARX) or a world book."`
	Books []string `arg:"" optional:"" help:"More world books."`
	Model string   `help:"Address of a server, such as http://localhost:11434/v1. Without it, the replies in tests/ answer, or a simple storyteller."`
	serverFlags
	Seed  *uint64 `help:"Seed of the dice. Without it, that of the game."`
	Store string  `help:"Keep the campaign in this SQLite file, and continue it next time."`
	ID    string  `name:"id" help:"The ID of the campaign; without it that of the game."`
	Watch bool    `help:"Use changed files from the next turn on."`
	Plain bool    `help:"Read and print lines, without a screen."`
}

// Run is the command.
func (c *playGame) Run(t *terminal) error {
	l, model, err := c.load(t)
	if err != nil {
		return err
	}
	p := &player{session: session{loaded: l, terminal: t, id: c.ID}, lines: bufio.NewScanner(t.in), storyteller: l.storyteller()}
	p.lines.Buffer(nil, 1<<20)
	if model == nil {
		model = p.storyteller
	}
	if c.Store != "" {
		store, err := sqlite.Open(t.ctx, c.Store, sqlite.Options{})
		if err != nil {
			return err
		}
		defer store.Close() // everything is committed
		p.store = store
	}
	p.engine, err = campaign.New(campaign.Config{Game: l.compiled, Store: p.store, Model: model})
	if err != nil {
		return err
	}
	watch := func() {}
	if c.Watch && !l.single {
		watch = func() { p.watch(c.Dir) }
	}
	if !c.Plain && t.onScreen() {
		return p.playOnScreen(watch)
	}
	if err := p.begin(); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(t.ctx)
	var done sync.WaitGroup
	defer done.Wait()
	defer stop()
	p.ctx, p.out = ctx, &lockedWriter{out: t.out}
	done.Go(watch)
	return p.play()
}

// load returns the game with the options of the command line, and the model, which is nil without an address.
func (c *playGame) load(t *terminal) (*loaded, llm.Model, error) {
	model, shape, err := c.open(c.Model)
	if err != nil {
		return nil, nil, err
	}
	l, err := t.loadWithout(talewright.Fatal, &loaded{books: c.Books, shape: shape}, c.Dir)
	if err != nil {
		return nil, nil, err
	}
	t.printNotPlayed(l)
	if l.single && c.Model != "" { // a talk has nothing to contradict, so the text may be shown at once
		settings := setting.Snapshot{}
		maps.Copy(settings, l.Setup.Settings)
		settings[settingkey.InterceptOutput] = tree.Bool(false)
		l.Setup.Settings = settings
	}
	if c.Seed != nil {
		l.Setup.Seed = *c.Seed
	}
	return l, model, nil
}

// printNotPlayed prints which parts of the content do not play, in at most five lines.
func (t *terminal) printNotPlayed(l *loaded) {
	list := l.problems.Summary(l.texts.Language)
	if len(list) == 0 {
		return
	}
	t.printf("%s\n", t.paint(yellow, l.texts.NotPlayed))
	for _, line := range list {
		if runes := []rune(printable(line)); len(runes) > 160 {
			line = string(runes[:159]) + "…"
		}
		t.printf("  %s\n", printable(strings.ReplaceAll(line, "\n", " ")))
	}
	t.printf("\n")
}
