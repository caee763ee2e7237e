package state

import (
	"cmp"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/internal/openjson"
)

// Campaign is the head of a campaign as one JSON value: the state of play, the data that a rollback
// does not change, and the newest turns. Older turns are in the log. The engine never modifies a
// Campaign that a caller holds.
type Campaign struct {
	ID        string    `json:"campaign_id"`
	Title     string    `json:"title,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"`
	// ClockPassed is the time of the last run of hooks on the passing of the clock, if there are
	// such hooks. A rollback does not change it, because those hooks have already acted.
	ClockPassed time.Time `json:"clock_passed,omitzero"`
	Version     int64     `json:"version"` // number of records in the log
	Seed        uint64    `json:"seed,omitempty"`

	ForkedFrom Origin `json:"forked_from,omitzero"` // of a fork

	Goal             Goal                    `json:"goal,omitzero"`
	Settings         setting.Snapshot        `json:"settings_snapshot,omitempty"`
	GlobalSettings   setting.Snapshot        `json:"global_settings,omitempty"`
	SettingsRevision int                     `json:"settings_revision"`
	Allowlist        []string                `json:"allowlist"`
	DisabledTools    map[string]DisabledTool `json:"disabled_tools,omitempty"`
	Dialog           Dialog                  `json:"dialog,omitzero"`
	StateRefs        StateRefs               `json:"state_refs,omitzero"`

	BranchID        string            `json:"branch_id"`
	Branches        map[string]Branch `json:"branches,omitempty"`
	Checkpoints     []Checkpoint      `json:"checkpoints"`
	RollbackPending RollbackPending   `json:"rollback_pending,omitzero"`
	TurnCounter     int               `json:"turn_counter"` // committed turns on all branches
	// TokenRatio is the number of tokens that the provider counts divided by the estimate for the
	// prompts of the last turns, from 0.5 to 2. 0 means that the provider has not reported any.
	TokenRatio float64 `json:"token_ratio,omitempty"`

	// Alternatives holds the other answers to the line of the head turn and the state before them.
	Alternatives *Alternatives `json:"alternatives,omitempty"`
	// Jumps lists the turns whose parent is not the turn before them, in the order of the turns.
	// The path to a turn follows from them, see [Campaign.Newest]. Older jumps are on archive
	// pages, see Archive.
	Jumps []Jump `json:"jumps,omitempty"`
	// TurnsHeld is the maximum number of turns in Turns; 0 means all.
	TurnsHeld int `json:"turns_held,omitempty"`
	// Rewritten maps IDs of turns that were edited or continued to the versions of the records with
	// their present text. Older ones are on archive pages, see Archive.
	Rewritten map[string]int64 `json:"rewritten,omitempty"`

	// Archive is the index of the archive pages in the log: older jumps, rewritten turns, branches
	// and conflicts.
	Archive ArchiveIndex `json:"archive,omitzero"`
	// Repairs record what was wrong with the stored campaign and how it was repaired.
	Repairs []RepairNote `json:"repairs,omitempty"`

	// PendingConflict is the report that waits for a person, or nil.
	PendingConflict *ConflictReport `json:"pending_conflict,omitempty"`
	// PendingApproval is the question that waits for people in the middle of a turn, or nil.
	PendingApproval *PendingApproval `json:"pending_approval,omitempty"`
	// Conflicts holds the reports of submissions with a client turn ID. A repeated submission
	// returns them. Older ones are on archive pages, see Archive.
	Conflicts map[string]StoredConflict `json:"stored_conflicts,omitempty"`

	// Once holds the last instructions that were run under an ID, by their IDs: see turn.Once.
	Once map[string]OnceDone `json:"once,omitempty"`

	State State `json:"state" openjson:"own"`
	// Turns are the newest committed turns of all branches in the order of their commit. There are
	// as many as a prompt can use, see TurnsHeld. The log has all turns.
	Turns []Turn `json:"turns,omitempty" openjson:"own"`
	// Snapshots are the states that checkpoints, branches, alternatives and a pending rollback
	// refer to, if they are in memory. The log has all of them. They are not part of the JSON form.
	Snapshots Snapshots `json:"-"`
	// OlderJumps are the jumps on archive pages, if they are in memory: see [Campaign.LacksJumps].
	// They are not part of the JSON form.
	OlderJumps [][2]int `json:"-"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Goal is the goal of the campaign. The text cannot change after the campaign is created.
type Goal struct {
	Text   string `json:"ultimate_goal_text,omitempty"`
	Hidden bool   `json:"is_hidden,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// DisabledTool says why a tool is switched off.
type DisabledTool struct {
	Reason        string `json:"reason,omitempty"`
	DisabledUntil string `json:"disabled_until,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Dialog holds the choice of the dialog type. The decision of the router is stored for hosts. It
// never changes the choice.
type Dialog struct {
	TypeSelected  string         `json:"dialog_type_selected,omitempty"`
	RouteDecision *RouteDecision `json:"future_route_decision,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// StateRefs are names under which a host stores parts of the state elsewhere. The engine stores
// them and does not use them.
type StateRefs struct {
	WorldStateID   string `json:"world_state_id,omitempty"`
	MapStateID     string `json:"map_state_id,omitempty"`
	SummaryStateID string `json:"summary_state_id,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// StoredConflict is the outcome of a submission that ended in a conflict.
type StoredConflict struct {
	Fingerprint string         `json:"fingerprint"`
	Report      ConflictReport `json:"report"`

	RetriesUsed      int          `json:"retries_used,omitempty"`
	DialogType       string       `json:"dialog_type,omitempty"`
	DialogTypeSource DialogSource `json:"dialog_type_source,omitempty"`
}

// OnceDone is an instruction that was run under an ID, with a part of its outcome.
type OnceDone struct {
	Fingerprint string   `json:"fingerprint"` // of the instruction
	Version     int64    `json:"version"`     // of the record that it produced
	Status      string   `json:"status"`      // a turn.OutcomeStatus
	TurnID      string   `json:"turn_id,omitempty"`
	Changed     []string `json:"changed,omitempty"`
	AutoChanged []string `json:"auto_changed,omitempty"`
}

// mostOnce is the maximum number of instructions in [Campaign.Once].
const mostOnce = 64

// KeepOnce records that an instruction was run under an ID. If there are more than 64 instructions,
// the oldest is dropped.
func (c *Campaign) KeepOnce(id string, done OnceDone) {
	if c.Once = maps.Clone(c.Once); c.Once == nil {
		c.Once = map[string]OnceDone{}
	}
	c.Once[id] = done
	if len(c.Once) > mostOnce {
		delete(c.Once, slices.MinFunc(slices.Collect(maps.Keys(c.Once)), func(a, b string) int {
			return cmp.Compare(c.Once[a].Version, c.Once[b].Version)
		}))
	}
}

// Clone returns a copy whose maps and slices the engine may edit.
func (c Campaign) Clone() Campaign {
	c.Settings = maps.Clone(c.Settings)
	c.Allowlist = slices.Clone(c.Allowlist)
	c.DisabledTools = maps.Clone(c.DisabledTools)
	c.Branches = maps.Clone(c.Branches)
	c.Checkpoints = slices.Clone(c.Checkpoints)
	c.Alternatives = c.Alternatives.clone()
	c.Conflicts = maps.Clone(c.Conflicts)
	c.Once = maps.Clone(c.Once)
	c.Snapshots = maps.Clone(c.Snapshots)
	c.Rewritten = maps.Clone(c.Rewritten)
	c.Repairs = slices.Clone(c.Repairs)
	c.Turns, c.Jumps = slices.Clip(c.Turns), slices.Clip(c.Jumps) // an append to the copy never changes the original
	c.State = c.State.Clone()
	return c
}

// Origin is the turn of a different campaign that a fork started from.
type Origin struct {
	CampaignID string `json:"campaign_id"`
	TurnID     string `json:"turn_id"`
}

// MarshalJSON writes the known fields and then the unknown ones.
func (c Campaign) MarshalJSON() ([]byte, error) { return openjson.Write(c) }

// UnmarshalJSON stores unknown members in Extra.
func (c *Campaign) UnmarshalJSON(data []byte) error { return openjson.Read(data, c) }

// BranchTurns returns the turns from the start to the head of the present branch, oldest first, as
// far back as they are in memory.
func (c Campaign) BranchTurns() []Turn { return c.LastTurns(len(c.Turns)) }

// Back yields the turns from a head back to the start, newest first. It stops at the first turn
// that is not in memory. In the log every turn comes after its parent.
func (c Campaign) Back(head string) iter.Seq[*Turn] {
	return func(yield func(*Turn) bool) {
		for i := len(c.Turns) - 1; i >= 0; i-- {
			if t := &c.Turns[i]; t.ID == head {
				if !yield(t) {
					return
				}
				head = t.ParentID
			}
		}
	}
}

// LastTurns returns the last n turns, or fewer, up to the head of the present branch, oldest first.
func (c Campaign) LastTurns(n int) []Turn { return newest(c.Back(c.State.HeadTurnID), n) }

// TurnsFor returns the turns up to the head that are in memory and that a character heard, oldest
// first. The setting visibility.mode does not matter, because it applies to prompts. The records
// are for operators. HistoryTurn.Shown returns the part of them that players may read.
func (c Campaign) TurnsFor(character string) []Turn {
	return slices.DeleteFunc(c.BranchTurns(), func(t Turn) bool { return !Knows(t.Audience, character) })
}

// newest returns the last n turns of a branch, or fewer, oldest first.
func newest(branch iter.Seq[*Turn], n int) []Turn {
	var list []*Turn
	for t := range branch {
		if len(list) >= n {
			break
		}
		list = append(list, t)
	}
	var out []Turn
	for _, t := range slices.Backward(list) {
		out = append(out, *t)
	}
	return out
}

// Turn returns the committed turn with the given ID, if it is in memory.
func (c Campaign) Turn(id string) (Turn, bool) {
	for i := range c.Turns {
		if c.Turns[i].ID == id {
			return c.Turns[i], true
		}
	}
	return Turn{}, false
}

// RouteDecision is the answer of a router. The engine uses only the dialog type. The rest is stored
// for hosts.
type RouteDecision struct {
	DialogType     string   `json:"dialog_type"`
	Variant        string   `json:"variant,omitempty"`
	ContextProfile string   `json:"context_profile,omitempty"`
	Guards         []string `json:"guards,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}
