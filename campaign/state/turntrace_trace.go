package state

import (
	"slices"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// The turntrace part holds what a turn tells of itself: which entries of the world book were active
// and why, which rules fired, what hooks did, which memories were found, what the prompt consisted
// of, and what was refused. A [TurnTrace] stands in each turn of a campaign, is stored with it as JSON,
// and is what package report explains to people.
//
// The package starts no goroutines. Share values only for reading.

// TurnTrace says why a turn went as it did.
type TurnTrace struct {
	Lore  []TraceLore  `json:"lore,omitempty"`
	Fired []TraceFired `json:"fired,omitempty"`
	// Opened and Closed are the modules that the player's words switched on and off.
	Opened  []string        `json:"opened_modules,omitempty"`
	Closed  []string        `json:"closed_modules,omitempty"`
	Hooks   []act.Log       `json:"hooks,omitempty"`
	Notices []effect.Notify `json:"notices,omitempty"`
	// Refused are effects that the variables did not take.
	Refused []TraceRefusedEffect `json:"refused,omitempty"`
	// Cut are the events that the bound of a chain left unheard.
	Cut []rules.Event `json:"cut,omitempty"`
	// Fuses are regex keys of the world book that were given up.
	Fuses []string `json:"blown_fuses,omitempty"`
	// Cast says who of the cast was to speak, and why; nil where nobody was asked for.
	Cast *cast.Choice `json:"cast,omitempty"`
	// Draws are the random numbers used, in order, by outputs that were undone too.
	Draws []float64 `json:"draws,omitempty"`
	// Memories are what the memory gave, best first.
	Memories []TraceMemory `json:"memories,omitempty"`
	// Prompt says what the first request consisted of.
	Prompt []TracePrompt `json:"prompt,omitempty"`
	// Scripts are the regex scripts that changed the player's line or the narration, and
	// those that failed on any text.
	Scripts []TraceScript `json:"scripts,omitempty"`
	// Rewrites are the changes that rules and hooks made to the line, the prompt and the reply.
	Rewrites []TraceRewrite `json:"rewrites,omitempty"`
	// Warnings tell of things that a host may want to look into.
	Warnings []string `json:"warnings,omitempty"`
}

// TraceScript is one regex script that ran on a text.
type TraceScript struct {
	Script  string `json:"script"` // where it comes from, its place there, its name
	Matches int    `json:"matches"`
	Problem string `json:"problem,omitempty"` // why the text stayed as it was
}

// TraceRewrite is one change of a text that a rule or hook asked for. The line as the player
// wrote it stands in the record's inputs, the reply as the model gave it in its attempt.
type TraceRewrite struct {
	By     string               `json:"by,omitempty"`
	Target effect.RewriteTarget `json:"target"`
	Find   string               `json:"find,omitempty"` // the beginning of both texts
	Text   string               `json:"text"`
	Times  int                  `json:"times"` // places that were changed
}

// TraceLore is one world book entry that was active.
type TraceLore struct {
	ID      string `json:"id"` // book and uid
	Comment string `json:"comment,omitempty"`
	Why     string `json:"why"`
	// AutomationID is what the entry asks the host to run, see [game.EffectAutomation].
	AutomationID string `json:"automation_id,omitempty"`
}

// TraceFired is one firing of a rule or reaction.
type TraceFired struct {
	ID      string      `json:"id"`
	Event   rules.Event `json:"event"`
	Hop     int         `json:"hop"` // from 0
	Effects effect.List `json:"effects,omitempty"`
}

// TraceRefusedEffect is an effect that was not carried out, and why.
type TraceRefusedEffect struct {
	By     string `json:"by,omitempty"`
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Text   string `json:"text,omitempty"`
}

// TraceMemory is an item of the memory, and what became of it.
type TraceMemory struct {
	ID     string       `json:"id"`
	TurnID string       `json:"turn_id"`
	Score  float64      `json:"score,omitempty"`
	Tokens int          `json:"tokens,omitempty"` // of its line in the prompt, if it was counted
	Status MemoryStatus `json:"status"`
}

// MemoryStatus says whether a memory is in the prompt, or why not.
type MemoryStatus string

// The statuses.
const (
	MemoryShown       MemoryStatus = "shown"
	MemoryCut         MemoryStatus = "cut"           // there was no room for it, or it is empty
	MemoryUndone      MemoryStatus = "not_ancestor"  // its turn does not lead to the head, or is unknown
	MemoryEdited      MemoryStatus = "edited"        // its turn reads otherwise by now
	MemoryUnwitnessed MemoryStatus = "not_witnessed" // the acting character is no witness
)

// TracePrompt is one block of a prompt.
type TracePrompt struct {
	Key    string `json:"key"`
	Tokens int    `json:"tokens"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
	// Count is the number of messages, for the history: it is one line, "history", or
	// two where the older part had no room.
	Count int `json:"count,omitempty"`
	// Speaker is the member of the cast for whom the prompt is.
	Speaker string `json:"speaker,omitempty"`
}

// Clone returns a copy that may be appended to.
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
	t.Warnings = slices.Clone(t.Warnings)
	return t
}
