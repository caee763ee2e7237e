package postgres

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/storetest"
)

// envServer is the variable with the connection string of a real server.
const envServer = "TALEWRIGHT_POSTGRES"

// in returns a configuration for a schema.
func in(schema string, config *pgx.ConnConfig) *pgx.ConnConfig {
	own := config.Copy()
	own.RuntimeParams["search_path"] = schema
	own.RuntimeParams["application_name"] = schema
	return own
}

// server returns a configuration for the test's own schema on a real server.
func server(t testing.TB) *pgx.ConnConfig {
	t.Helper()
	dsn := os.Getenv(envServer)
	if dsn == "" {
		t.Skip(envServer + " names no server; for instance TALEWRIGHT_POSTGRES='host=/var/run/postgresql port=5433 user=postgres dbname=postgres'")
	}
	return schema(t, dsn)
}

// schema returns a configuration for a new schema on a server.
func schema(t testing.TB, dsn string) *pgx.ConnConfig {
	t.Helper()
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	schema := "talewright_test_" + strings.ToLower(rand.Text()) // others may use the same server
	admin := func(ctx context.Context, text string) error {
		conn, err := pgx.ConnectConfig(ctx, config)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, text)
		return err
	}
	if err := admin(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		drop := func() error { return admin(context.Background(), "DROP SCHEMA "+schema+" CASCADE") }
		err := drop()
		for deadlocked(err) { // with work of a killed process that still runs
			err = drop()
		}
		if err != nil {
			t.Error(err)
		}
	})
	return in(schema, config)
}

func deadlocked(err error) bool {
	failed, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failed.Code == "40P01"
}

func connect(t testing.TB, config *pgx.ConnConfig) *Store { return connectWith(t, config, Options{}) }

// quiet connects a store that sends only requested statements.
func quiet(t testing.TB, config *pgx.ConnConfig) *Store {
	return connectWith(t, config, Options{Quiet: true})
}

func connectWith(t testing.TB, config *pgx.ConnConfig, o Options) *Store {
	t.Helper()
	s, err := open(t.Context(), config, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// eachIsolation runs a test with the default isolation of transactions, and with the strictest one, which
// a server may have as its default.
func eachIsolation(t *testing.T, test func(t *testing.T, config *pgx.ConnConfig)) {
	for _, isolation := range []string{"read committed", "serializable"} {
		config := server(t)
		config.RuntimeParams["default_transaction_isolation"] = isolation
		t.Run(isolation, func(t *testing.T) {
			t.Parallel()
			test(t, config)
		})
	}
}

// TestStore runs the tests for stores, with a second connection pool.
func TestStore(t *testing.T) {
	eachIsolation(t, func(t *testing.T, config *pgx.ConnConfig) {
		storetest.Run(t, func(t *testing.T) campaign.Store { return connect(t, config) }, storetest.Options{
			Reopen: func(t *testing.T, s campaign.Store) campaign.Store {
				if err := s.(*Store).Close(); err != nil {
					t.Fatal(err)
				}
				return connect(t, config)
			},
			Beside: func(t *testing.T, _ campaign.Store) campaign.Store { return connect(t, config) },
		})
	})
}

// wire is a connection to a server that counts round trips and can be cut.
type wire struct {
	trips atomic.Int64 // answers to data that was sent
	cut   atomic.Bool  // close at the next answer, which is then lost
	lose  atomic.Pointer[lost]
}

// lost is data that does not arrive, or whose answer does not arrive.
type lost struct {
	mark   []byte // bytes that it contains
	unsent bool
}

func (w *wire) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &wireConn{Conn: conn, wire: w}, nil
}

type wireConn struct {
	net.Conn
	wire *wire
	sent atomic.Bool
}

func (c *wireConn) Write(p []byte) (int, error) {
	if l := c.wire.lose.Load(); l != nil && bytes.Contains(p, l.mark) && c.wire.lose.CompareAndSwap(l, nil) {
		if l.unsent {
			return 0, errors.Join(c.Conn.Close(), net.ErrClosed)
		}
		c.wire.cut.Store(true)
	}
	c.sent.Store(true)
	return c.Conn.Write(p)
}

func (c *wireConn) Read(p []byte) (int, error) {
	asked := c.sent.Load()
	n, err := c.Conn.Read(p)
	if asked && n > 0 && c.sent.Swap(false) {
		c.wire.trips.Add(1)
		if c.wire.cut.Swap(false) {
			return 0, errors.Join(c.Conn.Close(), net.ErrClosed)
		}
	}
	return n, err
}

func entry(version int64) campaign.Entry {
	return campaign.Entry{Version: version, Kind: "turn", Data: fmt.Appendf(nil, "%d", version)}
}

// TestCommitIsOneRoundTrip checks that a commit waits for the server once, also with a snapshot, on
// a connection with prepared statements.
func TestCommitIsOneRoundTrip(t *testing.T) {
	config := server(t)
	w := &wire{}
	config.DialFunc = w.dial
	s, err := open(t.Context(), config, Options{Connections: 1, Quiet: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for version := int64(1); version <= 6; version++ {
		var snapshot []byte
		if version%2 == 0 {
			snapshot = []byte("s")
		}
		before := w.trips.Load()
		if err := s.Append(t.Context(), "a", entry(version), snapshot); err != nil {
			t.Fatal(err)
		}
		if n := w.trips.Load() - before; version > 3 && n != 1 {
			t.Errorf("commit %d takes %d round trips", version, n)
		}
	}
}

// TestCutConnection checks that a connection that breaks while the server answers is
// ErrUnavailable. The entry is stored, and a repeated Append finds it.
func TestCutConnection(t *testing.T) {
	config := server(t)
	w := &wire{}
	config.DialFunc = w.dial
	s := quiet(t, config)
	for version := int64(1); version <= 2; version++ {
		if err := s.Append(t.Context(), "a", entry(version), nil); err != nil {
			t.Fatal(err)
		}
	}
	w.cut.Store(true)
	if err := s.Append(t.Context(), "a", entry(3), nil); !errors.Is(err, campaign.ErrUnavailable) {
		t.Fatalf("got %v, want ErrUnavailable", err)
	}
	for range 2 {
		if err := s.Append(t.Context(), "a", entry(3), nil); err != nil {
			t.Fatalf("the same again: %v", err)
		}
	}
	w.cut.Store(true)
	if _, err := s.Load(t.Context(), "a"); !errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("Load: %v, want ErrUnavailable", err)
	}
	if saved, err := s.Load(t.Context(), "a"); err != nil || len(saved.Entries) != 3 {
		t.Errorf("%d entries, %v", len(saved.Entries), err)
	}
}

// endOthers ends the connections of the test's other stores.
func endOthers(t *testing.T, s *Store) {
	_, _ = s.db.ExecContext(t.Context(), `SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
		JOIN pg_stat_activity me ON me.pid = pg_backend_pid()
		WHERE a.application_name = me.application_name AND a.pid <> me.pid`)
}

// again repeats a call while its error is ErrUnavailable: a test that has ended connections may get
// one of them later.
func again(call func() error) (err error) {
	for err = call(); errors.Is(err, campaign.ErrUnavailable); err = call() {
	}
	return err
}

// TestServerEndsConnections has an administrator end all connections during the work. Every error
// is ErrUnavailable, and every acknowledged entry is stored.
func TestServerEndsConnections(t *testing.T) {
	config := server(t)
	s := connect(t, config)
	other := connect(t, config)
	var wg sync.WaitGroup
	broken := 0
	version := int64(1)
	for calls := 0; version <= 200 || broken == 0; calls++ { // a connection that ends between two calls breaks no call
		if calls%3 == 0 { // ending connections during each call would let almost no call succeed
			wg.Go(func() { endOthers(t, other) })
		}
		err := s.Append(t.Context(), "a", entry(version), nil)
		switch {
		case err == nil:
			version++
		case errors.Is(err, campaign.ErrUnavailable):
			broken++
		default:
			t.Errorf("entry %d: %v, want ErrUnavailable", version, err)
			version++
		}
	}
	wg.Wait()
	t.Logf("%d calls were broken", broken)
	after := connect(t, config) // the administrator's connections have ended each other
	if err := after.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if saved, err := after.Load(t.Context(), "a"); err != nil || int64(len(saved.Entries)) != version-1 {
		t.Errorf("%d entries, %v", len(saved.Entries), err)
	}
}

// TestNoServer checks that a missing server is ErrUnavailable at once.
func TestNoServer(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := closed.Addr().(*net.TCPAddr)
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), fmt.Sprintf("host=127.0.0.1 port=%d user=nobody dbname=none sslmode=disable", address.Port), Options{})
	if !errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
	if _, err := Open(t.Context(), "port=x", Options{}); err == nil || errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("a connection string that is none: %v", err)
	}
}

// TestOpenAtOnce checks that many concurrent calls of Open for a new database all succeed. Open
// changes nothing in tables of a newer version.
func TestOpenAtOnce(t *testing.T) {
	eachIsolation(t, testOpenAtOnce)
}

func testOpenAtOnce(t *testing.T, config *pgx.ConnConfig) {
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			s, err := open(t.Context(), config, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			err = s.Append(t.Context(), fmt.Sprint("campaign", i), entry(1), nil)
			if err := errors.Join(err, s.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s := connect(t, config)
	if listed, err := s.List(t.Context(), campaign.Page{}); err != nil || len(listed) != 6 {
		t.Errorf("%d campaigns, %v", len(listed), err)
	}
	if _, err := s.db.ExecContext(t.Context(), "INSERT INTO talewright_schema (version, readable) VALUES (99, 99)"); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t.Context(), config, Options{}); err == nil || errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("tables of a newer version: %v", err)
	}
}

// TestStandby checks that a read-only server can be opened and read if its tables are up to date. A
// commit is ErrUnavailable, because the server may become writable.
func TestStandby(t *testing.T) {
	config := server(t)
	s := connect(t, config)
	if err := s.Append(t.Context(), "a", entry(1), nil); err != nil {
		t.Fatal(err)
	}
	reading := config.Copy()
	reading.RuntimeParams["default_transaction_read_only"] = "on"
	reader := connect(t, reading)
	if saved, err := reader.Load(t.Context(), "a"); err != nil || len(saved.Entries) != 1 {
		t.Errorf("%d entries, %v", len(saved.Entries), err)
	}
	if err := reader.Append(t.Context(), "a", entry(2), nil); !errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("got %v, want ErrUnavailable", err)
	}
}

// TestTimeLimitsOfTheServer checks that a call that the server ends after its own time limit is
// ErrUnavailable and writes nothing.
func TestTimeLimitsOfTheServer(t *testing.T) {
	for _, limit := range []string{"statement_timeout", "lock_timeout"} {
		config := server(t)
		other, s := quiet(t, config), connectWith(t, config, Options{Connections: 1, Quiet: true})
		if err := other.Append(t.Context(), "a", entry(1), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.db.ExecContext(t.Context(), "SET "+limit+" = '10ms'"); err != nil {
			t.Fatal(err)
		}
		calls := map[string]func() error{
			"Append":  func() error { return s.Append(t.Context(), "a", entry(2), nil) },
			"Acquire": func() error { _, err := s.Acquire(t.Context(), "a", "me", time.Minute); return err },
			"PutPost": func() error {
				_, err := s.PutPost(t.Context(), "a", campaign.InboxPost{Key: "k", Data: []byte("x")})
				return err
			},
			"Delete": func() error { return s.Delete(t.Context(), "a") },
			"Trim":   func() error { return s.Trim(t.Context(), "a") },
		}
		holder, err := pgx.ConnectConfig(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := holder.Exec(t.Context(), "BEGIN; SELECT * FROM talewright_campaign FOR UPDATE"); err != nil {
			t.Fatal(err)
		}
		for name, call := range calls {
			if err := call(); !errors.Is(err, campaign.ErrUnavailable) {
				t.Errorf("%s, %s: %v, want ErrUnavailable", limit, name, err)
			}
		}
		if err := holder.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if saved, err := other.Load(t.Context(), "a"); err != nil || len(saved.Entries) != 1 {
			t.Errorf("%s: %d entries, %v", limit, len(saved.Entries), err)
		}
	}
}

// TestOneServerMayBeAStandby checks that only several servers are searched for one that can write.
// One server is opened as it is, also if the driver has several ways to connect to it.
func TestOneServerMayBeAStandby(t *testing.T) {
	for dsn, want := range map[string]bool{
		"host=db":                              false, // with TLS, else without
		"host=db sslmode=disable":              false,
		"host=/run/pg,/run/pg2":                true,
		"postgres://a,b/games":                 true,
		"postgres://a:1,a:2/games":             true,
		"host=a,b sslmode=disable":             true,
		"host=db target_session_attrs=primary": true,
	} {
		config, err := parse(dsn)
		if err != nil {
			t.Fatal(err)
		}
		if searched := config.ValidateConnect != nil; searched != want {
			t.Errorf("%s: a server that can write is searched: %t", dsn, searched)
		}
	}
}

// TestServerDoesNotCompress checks that the server does not compress the data, because the codec
// does. Long values are stored outside the rows.
func TestServerDoesNotCompress(t *testing.T) {
	config := server(t)
	s := connect(t, config)
	for _, table := range []string{"talewright_record", "talewright_snapshot"} {
		var kind, storage string
		err := s.db.QueryRowContext(t.Context(), `SELECT format_type(atttypid, NULL), attstorage::text FROM pg_attribute
			WHERE attrelid = to_regclass($1) AND attname = 'data'`, table).Scan(&kind, &storage)
		if err != nil || kind != "bytea" || storage != "e" {
			t.Errorf("%s: %s, stored %q, %v; want bytea, stored outside", table, kind, storage, err)
		}
	}
}

// TestMigrate checks that Migrate creates the tables and that the store finds them.
func TestMigrate(t *testing.T) {
	config := server(t)
	for range 2 {
		if err := migrate(t.Context(), config); err != nil {
			t.Fatal(err)
		}
	}
	s := connect(t, config)
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if st, err := s.Stats(t.Context()); err != nil || st.Campaigns != 0 || !st.Oldest.IsZero() {
		t.Errorf("%+v, %v", st, err)
	}
	if err := Migrate(t.Context(), "port=none"); err == nil {
		t.Error("what is no server was migrated")
	}
}
