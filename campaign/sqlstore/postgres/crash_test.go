package postgres

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/internal/crash"
)

func TestMain(m *testing.M) {
	crash.Main(func(ctx context.Context, schema string) (campaign.Store, error) {
		config, err := pgx.ParseConfig(os.Getenv(envServer))
		if err != nil {
			return nil, err
		}
		return open(ctx, in(schema, config), Options{})
	})
	os.Exit(m.Run())
}

// TestCrash kills processes that write to one server. No acknowledged entry may be lost or doubled.
// TALEWRIGHT_CRASH=300 sets the number of kills.
func TestCrash(t *testing.T) {
	config := server(t)
	store := connect(t, config)
	crash.Run(t, config.RuntimeParams["search_path"],
		func() campaign.Store { return store },
		func(campaign.Store) error {
			if err := store.Check(t.Context()); err != nil {
				return fmt.Errorf("unsound: %w", err)
			}
			return nil
		})
}
