package mcp

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// guarded is a transport with a time limit on writes. The SDK waits forever for a server that does
// not read, because a context does not interrupt a write to a pipe.
type guarded struct {
	sdk.Transport
	limit time.Duration
}

// guard returns the transport, guarded if its writes need it. HTTP requests end with their
// contexts. For HTTP connections the SDK also needs methods that a wrapper would hide.
func guard(t sdk.Transport, limit time.Duration) sdk.Transport {
	switch t.(type) {
	case *sdk.StreamableClientTransport, *sdk.SSEClientTransport:
		return t
	}
	return guarded{t, limit}
}

// Connect returns a connection whose writes have a time limit.
func (g guarded) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := g.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return guardedConnection{c, g.limit}, nil
}

type guardedConnection struct {
	sdk.Connection
	limit time.Duration
}

// Write writes a message. If the write does not finish in time, half a message may have been sent.
// The connection is then unusable and is closed, which ends the write. The end of the context does
// not close the connection, because other calls use it too.
func (c guardedConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	late := time.AfterFunc(c.limit, func() { c.Connection.Close() })
	defer late.Stop()
	return c.Connection.Write(ctx, m)
}

// ended returns why a context has ended, nil if it has not. A write that is as late closes its connection
// in the moment of the deadline, maybe before the context notices it.
func ended(ctx context.Context) error {
	if deadline, ok := ctx.Deadline(); ok && ctx.Err() == nil && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// promptly runs a function that may block in a write, and waits only until the context ends. A late
// result is passed to spare.
func promptly[T any](ctx context.Context, run func() (T, error), spare func(T)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := run()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
	}
	go func() {
		if a := <-done; a.err == nil {
			spare(a.value)
		}
	}()
	var none T
	return none, ctx.Err()
}
