package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore"
)

// A deployment updates the tables before the first process of the new program starts.
func ExampleMigrate() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have its own database in memory
	if err := sqlstore.Migrate(ctx, db, sqlstore.SQLite); err != nil {
		fmt.Println(err)
		return
	}
	store, err := sqlstore.New(ctx, db, sqlstore.SQLite, sqlstore.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	listed, err := store.List(ctx, campaign.Page{})
	fmt.Println(len(listed), err)
	// Output: 0 <nil>
}

// A host reports waiting posts and leases in its metrics.
func ExampleStore_Stats() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	store, err := sqlstore.New(ctx, db, sqlstore.SQLite, sqlstore.Options{})
	if err == nil {
		err = store.Append(ctx, "mill", campaign.Entry{Version: 1, Kind: "create"}, nil)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	stats, err := store.Stats(ctx)
	fmt.Println(stats.Campaigns, stats.Posts, stats.Leases, stats.Oldest.IsZero(), err)
	// Output: 1 0 0 true <nil>
}
