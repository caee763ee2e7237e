package mcp

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// guarded is a transport whose writes end. The SDK waits without end for a server that
// does not read: a context does not interrupt a write to a pipe.
type guarded struct {
	sdk.Transport
	limit time.Duration
}

// guard returns the transport, guarded if its writes need it. Requests over HTTP end with
// their contexts, and the SDK looks for methods of their connections that a wrapper hides.
func guard(t sdk.Transport, limit time.Duration) sdk.Transport {
	switch t.(type) {
	case *sdk.StreamableClientTransport, *sdk.SSEClientTransport:
		return t
	}
	return guarded{t, limit}
}

// Connect connects.
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

// Write writes a message. If that does not end in time, half a message may have gone: the
// connection is of no use any more and is closed, which ends the write. The end of the
// context does not close it, for others use it too.
func (c guardedConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	late := time.AfterFunc(c.limit, func() { c.Connection.Close() })
	defer late.Stop()
	return c.Connection.Write(ctx, m)
}

// promptly runs what may be stuck in a write, and does not wait for it longer than the
// context lasts. What is late is handed to spare, once it is there.
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
