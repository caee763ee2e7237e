package state

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
)

// Branch is one line of turns. ForkTurnID is the last turn that it shares with
// its parent.
type Branch struct {
	Parent     string `json:"parent,omitempty"`
	ForkTurnID string `json:"fork_turn_id,omitempty"`
	// HeadTurnID and SnapshotRef are where the branch was left; the branch that
	// is being played has its head in the state.
	HeadTurnID  string `json:"head_turn_id,omitempty"`
	SnapshotRef string `json:"snapshot_ref,omitempty"`
	// Checkpoints are those of a branch that is not being played, Alternatives the answers
	// that are not chosen at its head, if there are any.
	Checkpoints  []Checkpoint  `json:"checkpoints,omitempty"`
	Alternatives *Alternatives `json:"alternatives,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Checkpoint is a place that a rollback can return to.
type Checkpoint struct {
	TurnID    string    `json:"turn_id"`
	Timestamp time.Time `json:"timestamp,omitzero"`
	Label     string    `json:"label,omitempty"`
	// SnapshotRef names the state: see [StateRef].
	SnapshotRef string `json:"state_snapshot_ref"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// RollbackPending says that the campaign stands at an earlier turn and may still
// return. The window closes when a new instruction is accepted.
type RollbackPending struct {
	IsPending  bool   `json:"is_pending"`
	FromTurnID string `json:"from_turn_id,omitempty"`
	ToTurnID   string `json:"to_turn_id,omitempty"`
	CanUndo    bool   `json:"can_undo"`
	// SnapshotRef names the state that an undo restores.
	SnapshotRef string `json:"from_snapshot_ref,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Alternatives are what belongs to the answers to one line: the state before they were
// given, the answers that are not chosen, and the dice that all of them share. They belong
// to the turn that is chosen, and go when the turn after it is played: that accepts it.
type Alternatives struct {
	// Chosen is the turn at the head. If another one is, after a rollback, these wait for
	// the way back.
	Chosen string `json:"chosen_turn_id"`
	// First is the turn that was the first answer, "" if there is no other.
	First string `json:"first_turn_id,omitempty"`
	// BeforeRef names the state before the line: see [StateRef].
	BeforeRef string `json:"before_snapshot_ref"`
	// Submission is the line as it came, nil if the turn says all of it. Its text is empty
	// if it is that of the turn.
	Submission *Submission `json:"submission,omitempty"`
	// Rolls are the dice by tool and arguments, Random the number of random draws that the
	// answers made between them: what one has drawn the next one does not draw again.
	Rolls  map[string][]int `json:"rolls,omitempty"`
	Random uint64           `json:"random_cursor,omitempty"`
	// Evidence is what the chosen answer has done, for a text that goes on with it. Arguments
	// and results of calls are in [Turn.Applied].
	Evidence []conflict.Action `json:"evidence,omitempty"`
	// Others are the answers that are not chosen, oldest first.
	Others []Alternative `json:"others,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Alternative is an answer that is not chosen.
type Alternative struct {
	TurnID string `json:"turn_id"`
	// SnapshotRef names the state in which the answer was left.
	SnapshotRef string `json:"snapshot_ref"`
	// Checkpoints are those with a label that were made after it.
	Checkpoints []Checkpoint      `json:"checkpoints,omitempty"`
	Evidence    []conflict.Action `json:"evidence,omitempty"` // as in Alternatives

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// clone returns a copy that may be edited.
func (a *Alternatives) clone() *Alternatives {
	if a == nil {
		return nil
	}
	out := *a
	out.Rolls, out.Others = maps.Clone(a.Rolls), slices.Clone(a.Others)
	return &out
}

// Snapshots are kept states by reference. In JSON only the first is written in
// full, each further one as its difference to the one before. The states are read only:
// campaigns share them.
type Snapshots map[string]*State

// The names that every campaign begins with: of its branch, and of its first checkpoint.
const (
	MainBranch = "main"
	StartLabel = "start"
)

// Jump is a turn that does not follow on the one with the number before it: the first one
// after a rollback, or after another branch was gone to.
type Jump struct {
	Turn  int `json:"turn"`
	After int `json:"after"` // its parent, 0: the start
}

// TurnID names the n-th turn; the 0th is the start.
func TurnID(n int) string { return fmt.Sprintf("turn_%04d", n) }

// StartTurnID stands for the beginning, where no turn has been played.
const StartTurnID = "turn_0000"

// TurnNumber is the number of a turn from its id: [TurnID] the other way round. It reports
// false for what is no id of a turn.
func TurnNumber(id string) (n int, ok bool) {
	digits, is := strings.CutPrefix(id, "turn_")
	n, err := strconv.Atoi(digits)
	return n, is && err == nil && n >= 0 && TurnID(n) == id
}

// StateRef is the reference to the state that the record of a version led to.
func StateRef(version int64) string { return "state_" + strconv.FormatInt(version, 10) }

// RefVersion is the version that a reference names; false for one of what a campaign began with
// (a fork, or answers that were played elsewhere): those are in the record that it begins with.
func RefVersion(ref string) (version int64, ok bool) {
	digits, is := strings.CutPrefix(ref, "state_")
	version, err := strconv.ParseInt(digits, 10, 64)
	return version, is && err == nil && version > 0 && StateRef(version) == ref
}

// Newer reports whether a turn was committed after another one, by their ids: the counter of
// turns never goes back.
func Newer(id, than string) bool { return compareTurnIDs(id, than) > 0 }

// compareTurnIDs orders the names that [TurnID] gives by their numbers.
func compareTurnIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
