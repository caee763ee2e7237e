package chat

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/authoring"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/sqlstore/postgres"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/llm/openai"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
)

// Flags are the options that all bots have.
type Flags struct {
	Store, URL, Model string
	Card, Game        string // what new campaigns play, see [Flags.Begin]
	Context           int    // the tokens of the model's window, for a card or a game that does not say it; 0: no limit

	Closed bool // see [Bot.Closed]

	file  []byte         // of Card
	setup campaign.Setup // of Game
}

// Register adds the options to a command.
func (f *Flags) Register(set *flag.FlagSet) {
	set.StringVar(&f.Store, "store", "campaigns.db", "SQLite `file`, or the address of a PostgreSQL server (postgres://…); empty: memory")
	set.StringVar(&f.URL, "model", "http://localhost:11434", "`address` of a server with the interface of OpenAI; its key is OPENAI_API_KEY")
	set.StringVar(&f.Model, "name", "", "`name` of the model")
	set.StringVar(&f.Card, "card", "", "`file` of a character card, a world or a world book that new campaigns play")
	set.StringVar(&f.Game, "game", "", "`folder` of a game that new campaigns play, see package authoring")
	set.IntVar(&f.Context, "context", 16384, "`tokens` of a prompt and its reply, if the game does not say it; 0: no limit, prompts and memory then grow with the campaign")
	set.BoolVar(&f.Closed, "closed", false, "a user who gets no character of the game cannot join")
}

// Main is the function main of a bot. It reads the options of the command line. Then it serves until an
// interrupt, if start is not empty: a token or an address. Without options it plays a session offline.
// With options only, start is missing: the sentence says what to do.
func Main(start *string, missing string, serve func(context.Context, string, Flags) error,
	demonstrate func(context.Context, io.Writer) error) {
	var flags Flags
	flags.Register(flag.CommandLine)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch {
	case flag.NArg() > 0:
		err = fmt.Errorf("unknown argument %q; see -help", flag.Arg(0))
	case *start != "":
		err = serve(ctx, *start, flags)
	case flag.NFlag() > 0:
		err = errors.New(missing + ", or give no flags to play a session offline")
	default:
		err = demonstrate(ctx, os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// Open opens the store and returns an engine. Close the store at the end. Without a name of a store,
// campaigns are kept in memory. The model and the card of the options are the defaults of config. What
// of the card does not play is logged.
func (f *Flags) Open(ctx context.Context, config campaign.Config) (_ *campaign.Engine, _ io.Closer, err error) {
	if config.Model == nil {
		config.Model, err = openai.New(openai.Config{BaseURL: f.URL, Model: f.Model, Key: os.Getenv("OPENAI_API_KEY")})
		if err != nil {
			return nil, nil, err
		}
	}
	if config.Game == nil {
		compiled, problems, err := f.compile()
		if wrong := problems.Err(); err == nil && wrong != nil {
			err = fmt.Errorf("%s: %w", cmp.Or(f.Game, f.Card), wrong)
		}
		if err != nil {
			return nil, nil, err
		}
		for _, line := range problems.Summary(compiled.Texts().Hints) {
			log.Print(line)
		}
		config.Game = compiled
	}
	var closer io.Closer = io.NopCloser(nil)
	if f.Store != "" {
		store, err := openStore(ctx, f.Store)
		if err != nil {
			return nil, nil, err
		}
		closer, config.Store = store, store
	}
	engine, err := campaign.New(config)
	if err != nil {
		return nil, nil, errors.Join(err, closer.Close())
	}
	return engine, closer, nil
}

// openStore opens a PostgreSQL server, or an SQLite file.
func openStore(ctx context.Context, name string) (interface {
	campaign.Store
	io.Closer
}, error) {
	if strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") || strings.Contains(name, "dbname=") {
		return postgres.Open(ctx, name, postgres.Options{})
	}
	return sqlite.Open(ctx, name, sqlite.Options{})
}

// compile reads the card or the game.
func (f *Flags) compile() (*game.Game, campaign.Problems, error) {
	switch {
	case f.Card != "" && f.Game != "":
		return nil, nil, errors.New("give -card or -game, not both")
	case f.Game != "":
		loaded, problems := authoring.Load(os.DirFS(f.Game))
		loaded.Content.Extensions.Settings = append(loaded.Content.Extensions.Settings, playersSetting)
		f.limit(&loaded.Content.Prompt.Budget)
		compiled, more := loaded.Compile()
		f.setup = loaded.Setup
		return compiled, append(problems, more...), nil
	case f.Card != "":
		var err error
		if f.file, err = os.ReadFile(f.Card); err != nil {
			return nil, nil, err
		}
	}
	start, problems := f.start("")
	f.limit(&start.Content.Prompt.Budget)
	compiled, more := campaign.Compile(start.Content)
	return compiled, append(problems, more...), nil
}

// limit limits the size of prompts, if the author has not. A quarter of the window, at most 1024 tokens, is
// left for the reply.
func (f *Flags) limit(b *prompt.Budget) {
	if b.Context == 0 {
		b.Context, b.Response = f.Context, min(1024, f.Context/4)
	}
}

// Begin returns the setup of a new campaign. The first player of a card has this name. In a game,
// players have the characters of the party and their names. Without a card or a game the setup is empty.
// A card is read again for each campaign, because its greeting and variables contain the player's name.
func (f *Flags) Begin(player string) campaign.Setup {
	if f.Game != "" {
		setup := f.setup
		setup.Settings = campaign.Settings{playersKey: tree.Object()}
		maps.Copy(setup.Settings, f.setup.Settings)
		return setup
	}
	start, _ := f.start(player)
	return start.Setup
}

// start reads the card as a talk. Without a character to talk to, it is a world.
func (f *Flags) start(player string) (imports.Start, campaign.Problems) {
	o := imports.Options{Player: player, Chat: true, Clock: time.Now(), Name: strings.TrimSuffix(filepath.Base(f.Card), filepath.Ext(f.Card))}
	if f.file == nil {
		return imports.Start{}, nil
	}
	start, problems := imports.Parse(f.file, o)
	if start.Content.People.Card == nil && problems.Err() == nil {
		o.Chat = false
		start, problems = imports.Parse(f.file, o)
	}
	return start, problems
}
