package state

import (
	"slices"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// The turntrace files hold the trace of a turn: the active entries of the world book and their
// reasons, the rules that fired, the results of hooks, the found memories, the blocks of the
// prompt, and the refusals. Each turn of a campaign has a [TurnTrace], which is stored with it as
// JSON. Package report explains it to people.
//
// Values are safe to share. Do not modify them.

// TurnTrace says what happened in a turn and why.
type TurnTrace struct {
	Lore  []TraceLore  `json:"lore,omitempty"`
	Fired []TraceFired `json:"fired,omitempty"`
	// Opened and Closed are the modules that the player's words switched on and off.
	Opened  []string        `json:"opened_modules,omitempty"`
	Closed  []string        `json:"closed_modules,omitempty"`
	Hooks   []act.Log       `json:"hooks,omitempty"`
	Notices []effect.Notify `json:"notices,omitempty"`
	// Refused are effects that could not be applied to the variables.
	Refused []TraceRefusedEffect `json:"refused,omitempty"`
	// Cut lists events that were not processed because a chain reached its limit.
	Cut []rules.Event `json:"cut,omitempty"`
	// Fuses are regex keys of the world book that were abandoned.
	Fuses []string `json:"blown_fuses,omitempty"`
	// Cast records which member of the cast was chosen to speak, and why; nil if none was chosen.
	Cast *cast.Choice `json:"cast,omitempty"`
	// Draws are the random numbers used, in order. Numbers for outputs that were undone are
	// included.
	Draws []float64 `json:"draws,omitempty"`
	// Memories are the items that the memory returned, best first.
	Memories []TraceMemory `json:"memories,omitempty"`
	// Prompt lists the blocks of the first request.
	Prompt []TracePrompt `json:"prompt,omitempty"`
	// Scripts are the regex scripts that changed the player's line or the narration, and the
	// scripts that failed on any text.
	Scripts []TraceScript `json:"scripts,omitempty"`
	// Rewrites are the changes that rules and hooks made to the line, the prompt and the reply.
	Rewrites []TraceRewrite `json:"rewrites,omitempty"`
	// Programs are the texts that a JavaScript engine has run, in order: the hash of the code, the
	// calls of the host, and the output or the error. A replay uses them instead of the engine.
	Programs []tree.Value `json:"programs,omitempty"`
	// Warnings are findings that a host may want to examine.
	Warnings []string `json:"warnings,omitempty"`
}

// TraceScript is one regex script that ran on a text.
type TraceScript struct {
	Script  string `json:"script"` // its source, its index there, its name
	Matches int    `json:"matches"`
	Problem string `json:"problem,omitempty"` // why the text was not changed
}

// TraceRewrite is one change of a text by a rule or hook. The original line of the player is in the
// record's inputs. The original reply of the model is in its attempt.
type TraceRewrite struct {
	By     string               `json:"by,omitempty"`
	Target effect.RewriteTarget `json:"target"`
	Find   string               `json:"find,omitempty"` // Find and Text are truncated
	Text   string               `json:"text"`
	Times  int                  `json:"times"` // number of places that were changed
}

// TraceLore is one world book entry that was active.
type TraceLore struct {
	ID      string `json:"id"` // book and uid
	Comment string `json:"comment,omitempty"`
	Why     string `json:"why"`
	// AutomationID is the ID of the automation that the entry requests from the host, see
	// [game.EffectAutomation].
	AutomationID string `json:"automation_id,omitempty"`
	// Updates marks an entry that is only in the second request of the turn, see
	// the setting variables.second_model.
	Updates bool `json:"updates,omitempty"`
}

// TraceFired is one run of a rule or reaction.
type TraceFired struct {
	ID      string      `json:"id"`
	Event   rules.Event `json:"event"`
	Hop     int         `json:"hop"` // from 0
	Effects effect.List `json:"effects,omitempty"`
}

// TraceRefusedEffect is an effect that was not applied, and why.
type TraceRefusedEffect struct {
	By     string `json:"by,omitempty"`
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Text   string `json:"text,omitempty"`
}

// TraceMemory is an item of the memory and its status.
type TraceMemory struct {
	ID     string       `json:"id"`
	TurnID string       `json:"turn_id"`
	Score  float64      `json:"score,omitempty"`
	Tokens int          `json:"tokens,omitempty"` // of its line in the prompt, if they were counted
	Status MemoryStatus `json:"status"`
}

// MemoryStatus says whether a memory is in the prompt, or why not.
type MemoryStatus string

// The statuses.
const (
	MemoryShown       MemoryStatus = "shown"
	MemoryCut         MemoryStatus = "cut"           // it did not fit, or it is empty
	MemoryUndone      MemoryStatus = "not_ancestor"  // its turn is not an ancestor of the head, or is unknown
	MemoryEdited      MemoryStatus = "edited"        // the text of its turn has changed
	MemoryUnwitnessed MemoryStatus = "not_witnessed" // the acting character is not a witness
)

// TracePrompt is one block of a prompt.
type TracePrompt struct {
	// Key names the block. That of a block of the second request of the turn begins with "update.",
	// see the setting variables.second_model.
	Key    string `json:"key"`
	Tokens int    `json:"tokens"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
	// Count is the number of messages in a block of the history. The history is one block,
	// "history", or two if the older part did not fit.
	Count int `json:"count,omitempty"`
	// Speaker is the member of the cast that the prompt is for.
	Speaker string `json:"speaker,omitempty"`
}

// Clone returns a copy; appends to its lists do not change the original.
func (t TurnTrace) Clone() TurnTrace {
	t.Lore = slices.Clone(t.Lore)
	t.Fired = slices.Clone(t.Fired)
	t.Opened = slices.Clone(t.Opened)
	t.Closed = slices.Clone(t.Closed)
	t.Hooks = slices.Clone(t.Hooks)
	t.Notices = slices.Clone(t.Notices)
	t.Refused = slices.Clone(t.Refused)
	t.Cut = slices.Clone(t.Cut)
	t.Fuses = slices.Clone(t.Fuses)
	t.Draws = slices.Clone(t.Draws)
	t.Memories = slices.Clone(t.Memories)
	t.Prompt = slices.Clone(t.Prompt)
	t.Scripts = slices.Clone(t.Scripts)
	t.Rewrites = slices.Clone(t.Rewrites)
	t.Programs = slices.Clone(t.Programs)
	t.Warnings = slices.Clone(t.Warnings)
	return t
}
