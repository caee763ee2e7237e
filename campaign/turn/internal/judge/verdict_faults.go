package judge

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
)

// MaxConflicts limits the conflicts that an attempt or an edit keeps.
const MaxConflicts = 32

// Split splits conflicts into blocking ones and others.
func Split(all []conflict.Conflict) (blocking, warnings []conflict.Conflict) {
	for _, c := range all {
		if c.Severity == conflict.Block {
			blocking = append(blocking, c)
		} else {
			warnings = append(warnings, c)
		}
	}
	return blocking, warnings
}

// SameFaults reports whether the last two attempts failed in the same ways.
func SameFaults(attempts []state.Attempt) bool {
	n := len(attempts)
	if n < 2 {
		return false
	}
	a, b := faultKinds(attempts[n-2]), faultKinds(attempts[n-1])
	return len(b) > 0 && slices.Equal(a, b)
}

func faultKinds(a state.Attempt) []string {
	var kinds []string
	for _, f := range a.FailedCalls {
		reason := f.Reason
		if f.OriginalReason != "" {
			reason = f.OriginalReason
		}
		kinds = append(kinds, "call "+f.Tool+" "+string(reason))
	}
	for _, c := range a.Conflicts {
		kinds = append(kinds, c.Kind+" "+c.EntityID)
	}
	slices.Sort(kinds)
	return kinds
}

// FaultClasses returns the classes of the faults, without any text of the model.
func FaultClasses(failed []state.FailedCall, blocking []conflict.Conflict) string {
	var out []string
	if len(failed) > 0 {
		out = append(out, "refused_calls")
	}
	for _, c := range blocking {
		if !slices.Contains(out, c.Kind) {
			out = append(out, c.Kind)
		}
	}
	return strings.Join(out, ",")
}
