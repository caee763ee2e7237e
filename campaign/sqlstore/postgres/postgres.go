package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/talewright/talewright/campaign/sqlstore"
)

// Options configure a store. The zero value suits most programs.
type Options struct {
	// Connections is the maximum number of connections; 0 means 10. A call waits if none is free.
	Connections int
	// Timeout limits a call, including the wait for a connection; 0 means 30 seconds.
	Timeout time.Duration
	// Quiet turns off notifications after commits. Use it if no other process follows campaigns. A
	// follower still finds commits by polling.
	Quiet bool
}

// Store is a [campaign.Cluster] on a server. It is safe for concurrent use.
type Store struct {
	*sqlstore.Store
	db      *sql.DB
	quiet   bool
	notices notices
}

// Open connects to a server and creates the tables if they do not exist; see [sqlstore.New] for
// tables of a different version. The dsn is a URL or a list of key=value pairs, as for psql.
// Environment variables such as PGHOST and PGUSER apply too.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	config, err := parse(dsn)
	if err != nil {
		return nil, err
	}
	return open(ctx, config, o)
}

// Migrate is [sqlstore.Migrate] for a server. dsn has the form that [Open] accepts.
func Migrate(ctx context.Context, dsn string) error {
	config, err := parse(dsn)
	if err != nil {
		return err
	}
	return migrate(ctx, config)
}

func migrate(ctx context.Context, config *pgx.ConnConfig) error {
	db := stdlib.OpenDB(*config)
	return errors.Join(sqlstore.Migrate(ctx, db, sqlstore.PostgreSQL), db.Close())
}

func parse(dsn string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	otherServer := func(f *pgconn.FallbackConfig) bool { return f.Host != config.Host || f.Port != config.Port }
	if config.ValidateConnect == nil && slices.ContainsFunc(config.Fallbacks, otherServer) { // not only without TLS
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	return config, nil
}

func open(ctx context.Context, config *pgx.ConnConfig, o Options) (*Store, error) {
	if o.Connections <= 0 {
		o.Connections = 10
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(o.Connections)
	db.SetMaxIdleConns(o.Connections)
	db.SetConnMaxIdleTime(5 * time.Minute)
	store, err := sqlstore.New(ctx, db, sqlstore.PostgreSQL, sqlstore.Options{Timeout: o.Timeout})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("postgres: open: %w", err), db.Close())
	}
	s := &Store{Store: store, db: db, quiet: o.Quiet}
	s.notices.store, s.notices.config, s.notices.news = s, config, map[string]bool{}
	s.notices.closed, s.notices.close = context.WithCancel(context.Background())
	return s, nil
}

// Close sends the last notifications and closes all connections. Running calls end with an error.
func (s *Store) Close() error {
	s.notices.end()
	return s.db.Close()
}
