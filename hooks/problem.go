package hooks

import (
	"fmt"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks/internal/condition"
)

// The codes of problems with hooks.
const (
	// Rejected: the hook is left out.
	codeRejected talewright.Code = "rejected"
	// Misread: the hook is in the set, and the mistake has its documented meaning. It is a
	// condition that is never true, an action that fails, or a default that replaces a bad value.
	codeMisread talewright.Code = "misread"
	// Doubtful: a warning of [Vet].
	codeDoubtful talewright.Code = "doubtful"
)

// problem returns a problem at a place: the JSON path from the list of hooks, such as
// hooks[2].conditions["payload.hp"].gte. It does not reject the hook.
func problem(at condition.Place, format string, args ...any) talewright.Problem {
	return talewright.Problem{Path: string(at), Code: codeMisread, Text: fmt.Sprintf(format, args...)}
}

// rejected reports whether a problem excludes its hook from the set.
func rejected(p talewright.Problem) bool { return p.Code == codeRejected }
