package memvars

import (
	"github.com/talewright/talewright/memvars/tree"
)

// turning says what happens at the end of a turn.
type turning struct {
	Calendar         Calendar
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

func (s *turning) guards(v tree.Value) bool { return guards(v, s.ProtectDeep) }

// passTurn is the work at the end of a turn.
type passTurn struct {
	*batch
	How    *turning
	Base   baseline
	Window []passSaid // the newest last, this turn's among them
	// Sees reports whether a round counts that only some heard; nil: none of them does.
	Sees func(witnesses []string) bool
}

// baseline is what the end of a turn is compared with.
type baseline struct {
	Era, Date, Time      string
	World, TimeLimit     tree.Value
	Small, Big           tree.Value
	CleanSmall, CleanBig bool
}

// passSaid is the text of one round.
type passSaid struct {
	Reply     string
	Player    []string
	Witnesses []string // who alone heard it; empty: everybody
}

// minWindow is how many replies are kept at least, so that a longer window can
// be asked for later.
const minWindow = 10

// Kept is how much of the window the next turn needs.
func (r *passTurn) Kept() int { return min(max(r.greenWindow(), minWindow), len(r.Window)) }

// status returns the path of a place of the status module.
func (r *passTurn) status(p tree.Path) tree.Path { return WithinModule(r.Profile.Status, p) }
