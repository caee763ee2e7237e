package postgres_test

import (
	"cmp"
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/postgres"
)

// Open connects to a server, here with the variables PGHOST, PGUSER and so on.
func ExampleOpen() {
	ctx := context.Background()
	store, err := postgres.Open(ctx, "", postgres.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	listed, err := store.List(ctx, campaign.Page{Limit: 10})
	fmt.Println(len(listed), cmp.Or(err, store.Close()))
}

// A deployment updates the tables before the new programs start.
func ExampleMigrate() {
	fmt.Println(postgres.Migrate(context.Background(), "host=/var/run/postgresql dbname=game"))
}
