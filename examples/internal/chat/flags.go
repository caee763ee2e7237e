package chat

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/postgres"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// Flags are the options that all bots have.
type Flags struct{ Store, URL, Model string }

// Register adds the options to a command.
func (f *Flags) Register(set *flag.FlagSet) {
	set.StringVar(&f.Store, "store", "campaigns.db", "SQLite `file`, or the address of a PostgreSQL server (postgres://…)")
	set.StringVar(&f.URL, "model", "http://localhost:11434", "`address` of a server with the interface of OpenAI; its key is OPENAI_API_KEY")
	set.StringVar(&f.Model, "name", "", "`name` of the model")
}

// Open opens the store and returns an engine. Close the store at the end. Without a scripted model,
// the engine uses the model of the options.
func (f Flags) Open(ctx context.Context, scripted llm.Model) (_ *campaign.Engine, _ io.Closer, err error) {
	model := scripted
	if model == nil {
		model, err = openai.New(openai.Config{BaseURL: f.URL, Model: f.Model, Key: os.Getenv("OPENAI_API_KEY")})
		if err != nil {
			return nil, nil, err
		}
	}
	store, err := openStore(ctx, f.Store)
	if err != nil {
		return nil, nil, err
	}
	game, problems := campaign.Compile(campaign.Content{}) // your books, rules and cards go here
	engine, err := campaign.New(campaign.Config{Game: game, Store: store, Model: model})
	if err := cmp.Or(problems.Err(), err); err != nil {
		return nil, nil, fmt.Errorf("%w (%v)", err, store.Close())
	}
	return engine, store, nil
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
