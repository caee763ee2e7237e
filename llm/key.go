package llm

import "context"

// callKey is the key of the context under which the name of a call is.
type callKey struct{}

// WithCallKey returns a context for one call of a model that has a name: the same request
// that is sent again, by a repetition or by another process, has the same. The adapters pass
// it on as the header Idempotency-Key, so that a server or a gateway that knows it does not
// charge for a call twice; others take no notice of it.
func WithCallKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, callKey{}, key)
}

// CallKey returns the name of a call, empty if it has none. It may hold any text.
func CallKey(ctx context.Context) string {
	key, _ := ctx.Value(callKey{}).(string)
	return key
}
