package chat

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/postgres"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/llm/openai"
)

// Flags are the options that all bots have.
type Flags struct{ Store, URL, Model string }

// Register adds the options to a command.
func (f *Flags) Register(set *flag.FlagSet) {
	set.StringVar(&f.Store, "store", "campaigns.db", "SQLite `file`, or the address of a PostgreSQL server (postgres://…); empty: memory")
	set.StringVar(&f.URL, "model", "http://localhost:11434", "`address` of a server with the interface of OpenAI; its key is OPENAI_API_KEY")
	set.StringVar(&f.Model, "name", "", "`name` of the model")
}

// Open opens the store and returns an engine. Close the store at the end. Without a name of a store,
// campaigns are kept in memory. The model of the options
// is the default of config, and a game without content is the default too.
func (f Flags) Open(ctx context.Context, config campaign.Config) (_ *campaign.Engine, _ io.Closer, err error) {
	if config.Model == nil {
		config.Model, err = openai.New(openai.Config{BaseURL: f.URL, Model: f.Model, Key: os.Getenv("OPENAI_API_KEY")})
		if err != nil {
			return nil, nil, err
		}
	}
	if config.Game == nil {
		game, problems := campaign.Compile(campaign.Content{}) // your books, rules and cards go here
		if err := problems.Err(); err != nil {
			return nil, nil, err
		}
		config.Game = game
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
