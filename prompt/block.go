package prompt

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
)

// Kind names the origin of a block. It decides the order of expansion and the order of texts at one
// depth.
//
//   - host
//   - prompt: entry of a list of prompts, expanded in the order of the input
//   - note: author's note
//   - card
//   - persona
//   - world
//   - directive
//   - hook
//   - injection
//   - history
//   - follow_up
//   - control: chat marker, control prompt, prefill
type Kind string

// The kinds. The empty kind is [KindHost].
const (
	KindHost      Kind = "host"
	KindPrompt    Kind = "prompt" // entry of a list of prompts, expanded in the order of the input
	KindNote      Kind = "note"   // author's note
	KindCard      Kind = "card"
	kindPersona   Kind = "persona"
	KindWorld     Kind = "world"
	KindDirective Kind = "directive"
	KindHook      Kind = "hook"
	kindInjection Kind = "injection"
	KindHistory   Kind = "history"
	kindFollowUp  Kind = "follow_up"
	kindControl   Kind = "control" // chat marker, control prompt, prefill
)

// Source says where a block comes from.
type Source struct {
	Kind Kind   `json:"kind,omitempty"`
	ID   string `json:"id,omitempty"` // card field, book and uid, rule, hook; empty: the block's key
}

// Cut says which lines of a block are removed when it does not fit.
type Cut string

// The cuts. With an empty Cut a block is kept whole or dropped.
const (
	CutStart Cut = "start" // remove the first lines, as in a log
	CutEnd   Cut = "end"   // remove the last lines
)

// Stability says how often a text changes. Provider caches depend on it.
type Stability string

// The stabilities. An empty one means the stability of the slot, and [Turn] at a depth.
const (
	Static  Stability = "static"  // never during a campaign
	Session Stability = "session" // rarely
	Turn    Stability = "turn"    // every turn
)

// Status says whether a block is in the prompt, and if not, why.
//
//   - kept
//   - truncated
//   - dropped
//   - empty: only white space after expansion
//   - not_due: the author's note has an interval
//   - disabled: switched off, or a duplicate
//   - unlisted: the layout has no such slot
//   - unused: an outlet that no text uses
//   - before_start: older than the history start
//   - trigger: for a different kind of generation
type Status string

// The statuses.
const (
	Kept              Status = "kept"
	statusTruncated   Status = "truncated"
	Dropped           Status = "dropped"
	statusEmpty       Status = "empty"        // only white space after expansion
	statusNotDue      Status = "not_due"      // the author's note has an interval
	Disabled          Status = "disabled"     // switched off, or a duplicate
	Unlisted          Status = "unlisted"     // the layout has no such slot
	statusUnused      Status = "unused"       // an outlet that no text uses
	statusBeforeStart Status = "before_start" // older than the history start
	Trigger           Status = "trigger"      // for a different kind of generation
)

// Reasons of dropped, empty and disabled blocks.
const (
	reasonBudget      = "budget"
	reasonHistoryStop = "history_stop" // a newer line, or an earlier example, did not fit
	reasonGroupCap    = "group_cap"
	reasonDuplicate   = "duplicate_key"
	reasonNoTools     = "no_tools"
	reasonNoSpeaker   = "no_speaker" // a part of the examples without a known speaker
)

// codeNoSpeaker is the code of a problem: a part of the examples was left out because no line of it
// begins with a known speaker. See [Slot.SpokenOnly].
const codeNoSpeaker talewright.Code = reasonNoSpeaker

// Block is one piece of prompt text. It goes into a slot of the layout, into the chat at a depth,
// or is an outlet that a macro shows.
type Block struct {
	// Key names the block in the report. It must be unique in one build. If two blocks have the
	// same key, the later one is used, and the report lists the other.
	Key    string   `json:"key"`
	Source Source   `json:"source,omitzero"`
	Role   llm.Role `json:"role,omitempty"` // user or assistant, else the system's
	Name   string   `json:"name,omitempty"` // speaker, for providers that know one

	// Slot is the name of a slot of the layout.
	Slot string `json:"slot,omitempty"`
	// Depth, if not nil, places the block in the chat instead: before the n-th newest element of
	// the history. 0 is after the newest.
	Depth *int `json:"depth,omitempty"`
	// Outlet, if not empty, makes the text available only to {{outlet::name}}. It is sent nowhere
	// else.
	Outlet string `json:"outlet,omitempty"`
	// Order sorts the blocks of a slot or of a depth, smaller first. Blocks of the same order keep
	// the order of the input. nil is 100.
	Order *int `json:"order,omitempty"`

	// Text is a template, or data if Literal is set.
	Text    string `json:"text"`
	Literal bool   `json:"literal,omitempty"`
	// Original is the template that Text replaces. {{original}} in Text expands to it. nil:
	// nothing.
	Original *string `json:"original,omitempty"`
	// Format, if not empty, is a template around the expanded text, at most 16 times in place of
	// {0}. An empty text gets no format.
	Format string `json:"format,omitempty"`
	// Above and Below are pieces directly before and after the text, joined by newlines. They are
	// kept or dropped with it. Their own places and keeps are ignored. An author's note with lore
	// around it is such a block.
	Above []Block `json:"above,omitempty"`
	Below []Block `json:"below,omitempty"`

	// Keep is the priority under the budget: blocks with a larger keep stay longer. nil means the
	// keep of the slot. A Required block is never dropped.
	Keep     *int `json:"keep,omitempty"`
	Required bool `json:"required,omitempty"`
	Truncate Cut  `json:"truncate,omitempty"`
	// MaxTokens limits the text; 0 means no limit. A longer text is cut before the blocks are
	// chosen, at the end that Truncate names, else at its end. Whole lines are removed; a single
	// line that is too long is cut within the line. So a text that a model or a player can enlarge
	// may be Required without filling the prompt. The report says "truncated". MaxTokens does not
	// apply to examples.
	MaxTokens int `json:"max_tokens,omitempty"`

	Stability Stability `json:"stability,omitempty"`
	// Withheld, if not empty, keeps the block out of the prompt. The report shows this status for
	// it.
	Withheld Status `json:"withheld,omitempty"`
	// Reason is a remark for the report.
	Reason string `json:"reason,omitempty"`
}

// role returns the role of the message: user or assistant, else system. No provider accepts a
// different role.
func (b *Block) role() llm.Role {
	if b.Role == llm.User || b.Role == llm.Assistant {
		return b.Role
	}
	return llm.System
}

// remark returns the author's remark, or a remark on an invalid role.
func (b *Block) remark() string {
	switch b.Role {
	case "", llm.System, llm.User, llm.Assistant:
		return b.Reason
	}
	return cmp.Or(b.Reason, "unknown_role "+string(b.Role))
}

func (b *Block) kind() Kind { return cmp.Or(b.Source.Kind, KindHost) }

// cutEnd returns the end at which a block is cut to its bound.
func (b *Block) cutEnd() Cut {
	if b.Truncate == CutStart {
		return CutStart
	}
	return CutEnd
}

// lessStable returns the stability of a message with two texts.
func lessStable(a, b Stability) Stability {
	rank := func(s Stability) int { return slices.Index([]Stability{Static, Session, Turn}, s) }
	if rank(b) > rank(a) {
		return b
	}
	return a
}
