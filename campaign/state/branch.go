package state

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
)

// Branch is one line of turns. ForkTurnID is the last turn that it shares with its parent.
type Branch struct {
	Parent     string `json:"parent,omitempty"`
	ForkTurnID string `json:"fork_turn_id,omitempty"`
	// HeadTurnID and SnapshotRef say where the branch was left. The present branch has its head in
	// the state.
	HeadTurnID  string `json:"head_turn_id,omitempty"`
	SnapshotRef string `json:"snapshot_ref,omitempty"`
	// Checkpoints and Alternatives belong to a branch that is not the present one. Alternatives
	// holds the answers at its head that are not chosen, if there are any.
	Checkpoints  []Checkpoint  `json:"checkpoints,omitempty"`
	Alternatives *Alternatives `json:"alternatives,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Checkpoint is a turn that a rollback can return to.
type Checkpoint struct {
	TurnID    string    `json:"turn_id"`
	Timestamp time.Time `json:"timestamp,omitzero"`
	Label     string    `json:"label,omitempty"`
	// SnapshotRef names the state: see [StateRef].
	SnapshotRef string `json:"state_snapshot_ref"`
	// Submission is the line of the turn, as in [Alternatives].
	Submission *Submission `json:"submission,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// RollbackPending says that the campaign is at an earlier turn and may still return. The window
// closes when a new instruction is accepted.
type RollbackPending struct {
	IsPending  bool   `json:"is_pending"`
	FromTurnID string `json:"from_turn_id,omitempty"`
	ToTurnID   string `json:"to_turn_id,omitempty"`
	CanUndo    bool   `json:"can_undo"`
	// SnapshotRef names the state that an undo restores.
	SnapshotRef string `json:"from_snapshot_ref,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Alternatives hold the data of the answers to one line: the state before the line, the answers
// that are not chosen, and their common dice. They belong to the chosen turn. They are dropped when
// the next turn is played, because that turn accepts the answer.
type Alternatives struct {
	// Chosen is the turn at the head when this was stored. If the head is a different turn, after a
	// rollback, the alternatives are not used until the head is Chosen again.
	Chosen string `json:"chosen_turn_id"`
	// First is the turn that was the first answer, "" if there is no other answer.
	First string `json:"first_turn_id,omitempty"`
	// BeforeRef names the state before the line: see [StateRef].
	BeforeRef string `json:"before_snapshot_ref"`
	// Submission is the line as it was submitted, nil if the turn has all its data. Its text is
	// empty if it equals the text in the turn.
	Submission *Submission `json:"submission,omitempty"`
	// Rolls are the dice by tool and arguments. Random is the number of random draws that all
	// answers made together: an answer never repeats the draws of an earlier one.
	Rolls  map[string][]int `json:"rolls,omitempty"`
	Random uint64           `json:"random_cursor,omitempty"`
	// Evidence lists the actions of the chosen answer, for a continuation of the text. The
	// arguments and results of calls are in [Turn.Applied].
	Evidence []conflict.Action `json:"evidence,omitempty"`
	// Others are the answers that are not chosen, oldest first.
	Others []Alternative `json:"others,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Alternative is an answer that is not chosen.
type Alternative struct {
	TurnID string `json:"turn_id"`
	// SnapshotRef names the state after the answer.
	SnapshotRef string `json:"snapshot_ref"`
	// Checkpoints are the labelled checkpoints that were made after the answer.
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

// Snapshots are stored states by reference. In JSON the first is written in full, and each other as
// its difference to the one before. Campaigns share the states: do not modify them.
type Snapshots map[string]*State

// The names that every campaign starts with: its branch and its first checkpoint.
const (
	MainBranch = "main"
	StartLabel = "start"
)

// Jump is a turn whose parent is not the turn with the number before it: the first turn after a
// rollback or a switch of the branch.
type Jump struct {
	Turn  int `json:"turn"`
	After int `json:"after"` // its parent, 0: the start
}

// TurnID returns the ID of the n-th turn; 0 is the start.
func TurnID(n int) string { return fmt.Sprintf("turn_%04d", n) }

// StartTurnID is the ID of the start, before the first turn.
const StartTurnID = "turn_0000"

// TurnNumber returns the number of a turn from its ID. It is the inverse of [TurnID]. It reports
// false for a text that is not the ID of a turn.
func TurnNumber(id string) (n int, ok bool) {
	n, _ = strconv.Atoi(strings.TrimPrefix(id, "turn_"))
	return n, n >= 0 && TurnID(n) == id
}

// StateRef returns the reference to the state after the record of a version.
func StateRef(version int64) string { return "state_" + strconv.FormatInt(version, 10) }

// RefVersion returns the version that a reference names. It reports false for a reference to a
// state of the past that a campaign began with (a fork, or answers that were played elsewhere).
// Such states are in the first record of the campaign.
func RefVersion(ref string) (version int64, ok bool) {
	version, _ = strconv.ParseInt(strings.TrimPrefix(ref, "state_"), 10, 64)
	return version, version > 0 && StateRef(version) == ref
}

// Newer reports whether a turn was committed after a second turn. It compares their IDs, because
// the counter of turns never decreases.
func Newer(id, than string) bool { return compareTurnIDs(id, than) > 0 }

// compareTurnIDs orders IDs that [TurnID] returns by their numbers.
func compareTurnIDs(a, b string) int {
	return cmp.Or(len(a)-len(b), strings.Compare(a, b))
}
