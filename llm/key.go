package llm

import "context"

// callKey is the context key of a call's name.
type callKey struct{}

// WithCallKey returns a context that gives a model call a name. If the same request is sent again,
// by a retry or by a different process, it has the same name. The adapters send it as the header
// Idempotency-Key. A server or gateway that supports this header does not charge twice for a call;
// others ignore it.
func WithCallKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, callKey{}, key)
}

// CallKey returns the name of a call, empty if it has no name. It may be any text.
func CallKey(ctx context.Context) string {
	key, _ := ctx.Value(callKey{}).(string)
	return key
}
