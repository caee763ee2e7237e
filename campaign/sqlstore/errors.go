package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign"
)

// withTimeout returns a context with the time limit of a call to the database.
func (s *Store) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, s.timeout, errTimeout)
}

// errTimeout is the cause of a context of withTimeout that has expired.
var errTimeout = fmt.Errorf("the database took too long: %w", campaign.ErrUnavailable)

// wrapError wraps an error of the database, with [campaign.ErrUnavailable] if a retry may succeed. what
// is the ID of a campaign, or the name of the call.
func wrapError(ctx context.Context, what string, err error) error {
	switch cause := context.Cause(ctx); {
	case cause != nil && !errors.Is(err, cause):
		err = fmt.Errorf("%w: %w", cause, err)
	case cause == nil && isTemporary(err):
		err = fmt.Errorf("%w: %w", campaign.ErrUnavailable, err)
	}
	return fmt.Errorf("sqlstore: %q: %w", what, err)
}

// isTemporary reports whether the same call may succeed later.
func isTemporary(err error) bool {
	for _, e := range []error{driver.ErrBadConn, sql.ErrConnDone, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed} {
		if errors.Is(err, e) {
			return true
		}
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	const busy, locked = 5, 6
	class := sqliteCode(err) & 0xff
	return isTemporaryState(postgresState(err)) || class == busy || class == locked
}

// isTemporaryState reports whether a state of PostgreSQL is temporary. Such states are failed
// connections, too many connections, shutdowns, conflicts between transactions, time limits of the
// server, and a standby that got a write during a failover.
func isTemporaryState(state string) bool {
	temporary := []string{"08", "53300", "57P", "57014", "25006", "25P03", "25P04", "40001", "40P01", "55P03"}
	return slices.ContainsFunc(temporary, func(class string) bool { return strings.HasPrefix(state, class) })
}

// postgresState returns the state of an error of PostgreSQL, "" for every other error. It needs no import
// of a driver, and neither does sqliteCode.
func postgresState(err error) string {
	var failed interface{ SQLState() string }
	if errors.As(err, &failed) {
		return failed.SQLState()
	}
	return ""
}

// sqliteCode returns the code of an error of SQLite, 0 for every other error.
func sqliteCode(err error) int {
	var failed interface{ Code() int }
	if errors.As(err, &failed) {
		return failed.Code()
	}
	return 0
}

// untilSerialized calls a function that changes the database with one statement, again after each
// conflict with a transaction that was committed first. Nothing was written then, and the next call
// sees the new rows. The time limit of ctx bounds the repetitions. PostgreSQL reports such a conflict
// if its transactions are stricter than READ COMMITTED by default.
func untilSerialized(ctx context.Context, call func() error) error {
	for {
		if err := call(); ctx.Err() != nil || postgresState(err) != "40001" {
			return err
		}
	}
}

// isDuplicateKey reports whether a row with the same key exists. For a record this means that the log has
// an entry that is newer than the head in the row of its campaign.
func isDuplicateKey(err error) bool {
	const primaryKey, unique = 1555, 2067 // of SQLite
	code := sqliteCode(err)
	return postgresState(err) == "23505" || code == primaryKey || code == unique
}
