package openai

import (
	"context"
	"errors"
	"io"
	"net/url"
	"strings"

	"github.com/talewright/talewright/llm"
)

// Servers repeat keys in their messages, and messages end up in logs. So no
// error leaves this package before the secrets are out of it.

// minSecret is the length from which a key counts as secret; local servers are
// given placeholders such as "x".
const minSecret = 4

// minPrefix is how much of the beginning of a secret gives it away: messages
// are shortened and may show a part.
const minPrefix = 8

// secretsOf lists what must not be shown: the key, and the values of headers
// whose names sound like a credential.
func secretsOf(config Config) []string {
	var out []string
	add := func(secret string) {
		if len(secret) >= minSecret {
			out = append(out, secret)
		}
	}
	add(config.Key)
	// The scheme in front of a credential, such as Bearer, is no secret.
	for name, values := range config.Header {
		name = strings.ToLower(name)
		for _, part := range []string{"auth", "key", "token", "secret", "cookie"} {
			if !strings.Contains(name, part) {
				continue
			}
			for _, value := range values {
				add(value[strings.LastIndexByte(value, ' ')+1:])
			}
			break
		}
	}
	return out
}

// hide replaces secrets, and the beginnings of secrets, in a text.
func hide(text string, secrets []string) string {
	for _, secret := range secrets {
		text = hideOne(text, secret)
	}
	return text
}

// hideOne replaces one secret: wherever its first characters stand, they go
// together with all that follows as in the secret.
func hideOne(text, secret string) string {
	prefix := secret[:min(len(secret), minPrefix)]
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, prefix)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		out.WriteString("[key]")
		tail := secret[len(prefix):]
		for len(tail) > 0 && len(rest) > 0 && tail[0] == rest[0] {
			tail, rest = tail[1:], rest[1:]
		}
		text = rest
	}
}

// redact returns err without secrets in its text. An error whose text shows
// none is returned as it is; otherwise the cause is reduced to its text and to
// what errors.Is has to find.
func redact(err error, secrets []string) error {
	if hide(err.Error(), secrets) == err.Error() {
		return err
	}
	failure, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return hiddenCause(err, secrets)
	}
	clean := *failure
	clean.Message = hide(clean.Message, secrets)
	if clean.Err != nil {
		clean.Err = hiddenCause(clean.Err, secrets)
	}
	return &clean
}

// hidden is a cause of which only the harmless part is left.
type hidden struct {
	text string
	is   error
}

// Error implements error.
func (h hidden) Error() string { return h.text }

// Unwrap lets errors.Is find what is left of the original.
func (h hidden) Unwrap() error { return h.is }

// hiddenCause keeps of a cause its text, without secrets, and which of the errors
// that callers ask for it is. The cause itself must go: unwrapping it would show
// the secret again.
func hiddenCause(err error, secrets []string) error {
	out := hidden{text: hide(err.Error(), secrets)}
	for _, known := range []error{io.ErrUnexpectedEOF, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			out.is = known
		}
	}
	return out
}

// unreached is the error for a request that got no response. The address is
// left out of it but for scheme and host: paths and queries may hold keys.
func unreached(err error, endpoint string) error {
	where := "the server"
	if u, parseErr := url.Parse(endpoint); parseErr == nil {
		where = u.Scheme + "://" + u.Host
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return &llm.Error{
		Code:    llm.CodeNetwork,
		Message: "no answer from " + where,
		Retry:   true,
		Err:     err,
	}
}
