package pass

import (
	"github.com/talewright/talewright/memvars/calendar"
	"github.com/talewright/talewright/memvars/internal/batch"
	"github.com/talewright/talewright/memvars/internal/meta"
	"github.com/talewright/talewright/memvars/profile"
	"github.com/talewright/talewright/memvars/tree"
)

// Turning says what happens at the end of a turn.
type Turning struct {
	Calendar         calendar.Calendar
	WrapWindow       int
	Rollover         int
	TimeLeftFloor    bool
	ResourceFloor    bool
	BigByCount       bool
	KeepBig          int
	KeepUnsummarised bool
	GreenWindow      *int
	ScanUser         bool
	ProtectDeep      bool
}

func (s *Turning) guards(v tree.Value) bool { return meta.Guards(v, s.ProtectDeep) }

// Turn is the work at the end of a turn.
type Turn struct {
	*batch.Batch
	How    *Turning
	Base   Baseline
	Window []Said // the newest last, this turn's among them
	// Sees reports whether a round counts that only some heard; nil: none of them does.
	Sees func(witnesses []string) bool
}

// Baseline is what the end of a turn is compared with.
type Baseline struct {
	Era, Date, Time      string
	World, TimeLimit     tree.Value
	Small, Big           tree.Value
	CleanSmall, CleanBig bool
}

// Said is the text of one round.
type Said struct {
	Reply     string
	Player    []string
	Witnesses []string // who alone heard it; empty: everybody
}

// minWindow is how many replies are kept at least, so that a longer window can
// be asked for later.
const minWindow = 10

// Kept is how much of the window the next turn needs.
func (r *Turn) Kept() int { return min(max(r.greenWindow(), minWindow), len(r.Window)) }

// status returns the path of a place of the status module.
func (r *Turn) status(p tree.Path) tree.Path { return profile.Within(r.Profile.Status, p) }
