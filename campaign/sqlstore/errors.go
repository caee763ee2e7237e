package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
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

// isTemporary reports whether the same call may succeed later. It uses interfaces of the drivers'
// errors, so that no driver must be imported.
func isTemporary(err error) bool {
	for _, e := range []error{driver.ErrBadConn, sql.ErrConnDone, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed} {
		if errors.Is(err, e) {
			return true
		}
	}
	var netErr net.Error
	if errors.As(err, &netErr) {
		return true
	}
	var state interface{ SQLState() string } // PostgreSQL
	if errors.As(err, &state) {
		return isTemporaryState(state.SQLState())
	}
	var code interface{ Code() int } // SQLite; the low byte is the class
	if errors.As(err, &code) {
		const busy, locked = 5, 6
		return code.Code()&0xff == busy || code.Code()&0xff == locked
	}
	return false
}

// untilSerialized calls a function that changes the database with one statement, again after each
// conflict with a transaction that was committed first. Nothing was written then, and the next call
// sees the new rows. The time limit of ctx bounds the repetitions. PostgreSQL reports such a conflict
// if its transactions are stricter than READ COMMITTED by default.
func untilSerialized(ctx context.Context, call func() error) error {
	for {
		err := call()
		var failed interface{ SQLState() string }
		if ctx.Err() != nil || !errors.As(err, &failed) || failed.SQLState() != "40001" {
			return err
		}
	}
}

// isDuplicateKey reports whether a row with the same key exists. For a record this means that the log has
// an entry that is newer than the head in the row of its campaign.
func isDuplicateKey(err error) bool {
	var state interface{ SQLState() string } // PostgreSQL
	if errors.As(err, &state) {
		return state.SQLState() == "23505"
	}
	var code interface{ Code() int } // SQLite
	const primaryKey, unique = 1555, 2067
	return errors.As(err, &code) && (code.Code() == primaryKey || code.Code() == unique)
}

// isTemporaryState reports whether a state of the server is temporary. Such states are failed
// connections, too many connections, shutdowns, conflicts between transactions, time limits of the
// server, and a standby that got a write during a failover.
func isTemporaryState(state string) bool {
	for _, class := range []string{"08", "53300", "57P", "57014", "25006", "25P03", "25P04", "40001", "40P01", "55P03"} {
		if strings.HasPrefix(state, class) {
			return true
		}
	}
	return false
}
