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

// Campaign is the head of a campaign, as one JSON value: the state of play, beside it what a
// rollback leaves alone, and the newest turns. What lies behind is in the log. A Campaign that
// you hold never changes.
type Campaign struct {
	ID        string    `json:"campaign_id"`
	Title     string    `json:"title,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"`
	// ClockPassed is the time that hooks have heard the clock pass, if any waits for that. No
	// rollback turns it back: what was due has been done.
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
	TurnCounter     int               `json:"turn_counter"` // of committed turns on all branches
	// TokenRatio is how many tokens the provider counts for one that prompts are estimated at,
	// over the last turns, from 0.5 to 2; 0: it has reported none.
	TokenRatio float64 `json:"token_ratio,omitempty"`

	// Alternatives are the other answers to the line of the head turn, and where they start.
	Alternatives *Alternatives `json:"alternatives,omitempty"`
	// Jumps are where the story did not go on behind the newest turn, in the order of their
	// turns: what leads to a turn can be told from them, see [Campaign.Newest]. Older ones are on
	// pages, see Attic.
	Jumps []Jump `json:"jumps,omitempty"`
	// TurnsHeld is how many turns are in Turns at most, 0: all.
	TurnsHeld int `json:"turns_held,omitempty"`
	// Rewritten are the versions of the records that have the turns which were edited or
	// continued as they are now, by their ids. Older ones are on pages, see Attic.
	Rewritten map[string]int64 `json:"rewritten,omitempty"`

	// Attic says where the log has what the head has no room for: older jumps, turns that were
	// rewritten, branches.
	Attic ArchiveIndex `json:"attic,omitzero"`
	// Repairs are what was wrong with the campaign as it was stored, and what was done about it.
	Repairs []RepairNote `json:"repairs,omitempty"`

	// PendingConflict is the report that waits for a person, nil if none does.
	PendingConflict *ConflictReport `json:"pending_conflict,omitempty"`
	// PendingApproval is the question that waits for people in the middle of a turn, nil if
	// none does.
	PendingApproval *PendingApproval `json:"pending_approval,omitempty"`
	// Conflicts are the reports of submissions with a client turn id, which a
	// repeated submission returns. Older ones are on pages, see Attic.
	Conflicts map[string]StoredConflict `json:"stored_conflicts,omitempty"`

	// Once are the instructions that were carried out last under an id, by their ids: see turn.Once.
	Once map[string]OnceDone `json:"once,omitempty"`

	State State `json:"state" openjson:"own"`
	// Turns are the newest committed turns of all branches in the order of their commit: as
	// many as a prompt can use, see TurnsHeld. The log has all of them.
	Turns []Turn `json:"turns,omitempty" openjson:"own"`
	// Snapshots are states that checkpoints, branches, alternatives and a pending rollback refer to,
	// as far as they are at hand: the log has all of them. They are no part of the JSON form.
	Snapshots Snapshots `json:"-"`
	// OlderJumps are the jumps on the pages of the attic, if they are at hand: see
	// [Campaign.LacksJumps]. They are no part of the JSON form either.
	OlderJumps [][2]int `json:"-"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Goal is what the campaign is about. The text cannot be changed once the
// campaign exists.
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

// Dialog holds the choice of the dialog type. The routing decision is kept for
// hosts; it never changes the choice.
type Dialog struct {
	TypeSelected  string         `json:"dialog_type_selected,omitempty"`
	RouteDecision *RouteDecision `json:"future_route_decision,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// StateRefs are names under which a host keeps parts of the state elsewhere.
// The engine stores them and reads none.
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

// OnceDone is an instruction that was carried out under an id, and what is kept of its outcome.
type OnceDone struct {
	Fingerprint string   `json:"fingerprint"` // of the instruction
	Version     int64    `json:"version"`     // of the record that it led to
	Status      string   `json:"status"`      // a turn.OutcomeStatus
	TurnID      string   `json:"turn_id,omitempty"`
	Changed     []string `json:"changed,omitempty"`
	AutoChanged []string `json:"auto_changed,omitempty"`
}

// MostOnce is how many instructions [Campaign.Once] holds at most.
const MostOnce = 64

// KeepOnce notes that an instruction was carried out under an id. The oldest one goes where there are too many.
func (c *Campaign) KeepOnce(id string, done OnceDone) {
	if c.Once = maps.Clone(c.Once); c.Once == nil {
		c.Once = map[string]OnceDone{}
	}
	c.Once[id] = done
	if len(c.Once) > MostOnce {
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
	c.Turns, c.Jumps = slices.Clip(c.Turns), slices.Clip(c.Jumps) // an append by the copy never reaches the original
	c.State = c.State.Clone()
	return c
}

// Origin is the turn of a campaign that another one was forked from.
type Origin struct {
	CampaignID string `json:"campaign_id"`
	TurnID     string `json:"turn_id"`
}

// MarshalJSON writes the known fields and then the unknown ones.
func (c Campaign) MarshalJSON() ([]byte, error) { return openjson.Write(c) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (c *Campaign) UnmarshalJSON(data []byte) error { return openjson.Read(data, c) }

// BranchTurns returns the turns that lead to the head of the present branch, oldest first, as
// far back as they are held.
func (c Campaign) BranchTurns() []Turn { return c.turnsTo(c.State.HeadTurnID) }

func (c Campaign) turnsTo(head string) []Turn { return newest(c.Back(head), len(c.Turns)) }

// Back yields the turns that lead to a head, newest first, until one is not held. In the log
// every turn stands behind its parent.
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

// LastTurns returns at most n of the turns that lead to the head of the present branch,
// oldest first.
func (c Campaign) LastTurns(n int) []Turn { return newest(c.Back(c.State.HeadTurnID), n) }

// TurnsFor returns those of the held turns that lead to the head which a character heard, oldest
// first. The setting visibility.mode does not matter: it is for prompts. The records are for operators:
// what players may read of them, HistoryTurn.Shown returns.
func (c Campaign) TurnsFor(character string) []Turn {
	all := newest(c.Back(c.State.HeadTurnID), len(c.Turns))
	return slices.DeleteFunc(all, func(t Turn) bool { return !Knows(t.Audience, character) })
}

// newest returns at most n of the turns of a branch, oldest first.
func newest(branch iter.Seq[*Turn], n int) []Turn {
	var list []*Turn
	for t := range branch {
		if len(list) >= n {
			break
		}
		list = append(list, t)
	}
	if len(list) == 0 {
		return nil
	}
	out := make([]Turn, len(list))
	for i, t := range list {
		out[len(list)-1-i] = *t
	}
	return out
}

// Turn returns the committed turn with the given id, if it is held.
func (c Campaign) Turn(id string) (Turn, bool) {
	for i := range c.Turns {
		if c.Turns[i].ID == id {
			return c.Turns[i], true
		}
	}
	return Turn{}, false
}

// RouteDecision is the answer of a router. Only the dialog type is used; the
// rest is kept for hosts.
type RouteDecision struct {
	DialogType     string   `json:"dialog_type"`
	Variant        string   `json:"variant,omitempty"`
	ContextProfile string   `json:"context_profile,omitempty"`
	Guards         []string `json:"guards,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}
