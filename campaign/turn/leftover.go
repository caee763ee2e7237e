package turn

import (
	"bytes"

	"github.com/talewright/talewright/internal/openjson"
)

// Leftover is what is left to do for the newest instruction of a log.
type Leftover struct {
	Todo     Todo
	Announce []Announce
}

// aftermath is an instruction that may be what another one has led to.
type aftermath interface {
	// settles reports whether it is what is left to do, which it then is no more.
	settles(l *Leftover) bool
}

// Take reports whether a record belongs to that instruction: one of its announcements, or
// its summary.
func (l *Leftover) Take(rec Record) bool {
	if len(rec.Inputs) == 0 {
		return false
	}
	in, ok := rec.Inputs[0].(aftermath)
	return ok && in.settles(l)
}

// sameInput compares two inputs as the log has them.
func sameInput(a, b Input) bool {
	x, errA := openjson.Marshal(a)
	y, errB := openjson.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}
