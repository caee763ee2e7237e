package memvars

import (
	"github.com/talewright/talewright/memvars/tree"
)

// turnOptions has the compiled options for the end of a turn. The fields have the meaning of the
// fields of [Options] with similar names.
type turnOptions struct {
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

func (s *turnOptions) guards(v tree.Value) bool { return guards(v, s.ProtectDeep) }

// turnPasses is the work at the end of a turn. Its methods Clock, Timer, Resources, Summaries and
// GreenLights are the passes; see [Passes].
type turnPasses struct {
	*batch
	Options *turnOptions
	Base    baseline
	Window  []roundText // the newest last, including this turn
	// Sees reports whether a round that only some characters heard counts; nil: no such round
	// counts.
	Sees func(witnesses []string) bool
}

// baseline is the part of a document that the end of a turn compares with.
type baseline struct {
	Era, Date, Time      string
	World, TimeLimit     tree.Value
	Small, Big           tree.Value
	CleanSmall, CleanBig bool
}

// roundText is a [Turn] of the window: the text of one round.
type roundText struct {
	Reply     string
	Player    []string
	Witnesses []string // the only characters who heard it; empty: everybody
}

// minWindow is the minimum number of replies that are kept, so that the window can be enlarged
// later.
const minWindow = 10

// Kept returns the number of rounds of the window that the next turn needs.
func (r *turnPasses) Kept() int { return min(max(r.greenWindow(), minWindow), len(r.Window)) }

// status returns the path of a place of the status module.
func (r *turnPasses) status(p tree.Path) tree.Path { return withinModule(r.Profile.Status, p) }
