package sqlstore

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestBehindIsTheFirstTextAfterAllWithAPrefix(t *testing.T) {
	for _, c := range []struct{ prefix, want, reason string }{
		{"", "", "nothing is behind everything"},
		{"a", "b", "the last letter is raised"},
		{"a/", "a0", "any sign is"},
		{"龙", "龚", "a sign of more bytes too"},
		{"a\uD7FF", "a\uE000", "what lies between is no text"},
		{"a\U0010FFFF", "b", "behind the last sign only the one before can be raised"},
		{"\U0010FFFF", "", "and here there is none"},
	} {
		if got := upperBound(c.prefix); got != c.want {
			t.Errorf("%q: %q, want %q: %s", c.prefix, got, c.want, c.reason)
		}
	}
}

func TestIDsAndTimesThatAreRefused(t *testing.T) {
	for _, id := range []string{"a\x00b", "\xff"} {
		if err := checkID(id); err == nil || !strings.Contains(err.Error(), "is not a text") {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := timeText(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil {
		t.Error("a year of five digits is stored as what cannot be read")
	}
}

// TestPassing checks which errors are temporary.
func TestPassing(t *testing.T) {
	state := func(code string) error { return &pgconn.PgError{Code: code} }
	for _, c := range []struct {
		reason string
		err    error
		want   bool
	}{
		{"a connection that was lost", io.ErrUnexpectedEOF, true},
		{"a server that cannot be reached", &net.OpError{Op: "dial", Err: errors.New("refused")}, true},
		{"a connection that was given back", sql.ErrConnDone, true},
		{"the server shuts down", state("57P01"), true},
		{"the server starts", state("57P03"), true},
		{"a standby that is not the writer yet", state("25006"), true},
		{"no room for a connection", state("53300"), true},
		{"a deadlock", state("40P01"), true},
		{"a time limit of the server", state("57014"), true},
		{"a transaction that was idle too long", state("25P03"), true},
		{"the disk is full", state("53100"), false},
		{"no right to write", state("42501"), false},
		{"a statement that is none", state("42601"), false},
		{"a lock of SQLite", coded(5), true},
		{"a snapshot of SQLite that is too old", coded(517), true},
		{"a full disk of SQLite", coded(13), false},
		{"anything else", errors.New("no"), false},
	} {
		if got := isTemporary(fmt.Errorf("wrapped: %w", c.err)); got != c.want {
			t.Errorf("%s: %t", c.reason, got)
		}
	}
}

type coded int

func (coded) Error() string { return "an error of SQLite" }
func (c coded) Code() int   { return int(c) }
