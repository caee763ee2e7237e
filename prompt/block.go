package prompt

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
)

// Kind names what a block comes from. It decides the order of expansion and the
// order of texts at one depth.
type Kind string

// The kinds. The empty kind is [KindHost].
const (
	KindHost      Kind = "host"
	KindPrompt    Kind = "prompt" // entry of a list of prompts, expanded in the order of the input
	KindNote      Kind = "note"   // author's note
	KindCard      Kind = "card"
	KindPersona   Kind = "persona"
	KindWorld     Kind = "world"
	KindDirective Kind = "directive"
	KindHook      Kind = "hook"
	KindInjection Kind = "injection"
	KindHistory   Kind = "history"
	KindFollowUp  Kind = "follow_up"
	KindControl   Kind = "control" // chat marker, control prompt, prefill
)

// Source says where a block comes from.
type Source struct {
	Kind Kind   `json:"kind,omitempty"`
	ID   string `json:"id,omitempty"` // card field, book and uid, rule, hook; empty: the block's key
}

// Cut says which lines of a block go when it does not fit.
type Cut string

// The cuts. The empty cut is none: such a block is kept whole or dropped.
const (
	CutStart Cut = "start" // the first lines go, as in a log
	CutEnd   Cut = "end"   // the last lines go
)

// Stability says how often a text changes, which is what provider caches care
// about.
type Stability string

// The stabilities. The empty one means: that of the slot, and [Turn] at a depth.
const (
	Static  Stability = "static"  // never during a campaign
	Session Stability = "session" // rarely
	Turn    Stability = "turn"    // every turn
)

// Status says what became of a block.
type Status string

// The statuses.
const (
	Kept        Status = "kept"
	Truncated   Status = "truncated"
	Dropped     Status = "dropped"
	Empty       Status = "empty"        // only white space after expansion
	NotDue      Status = "not_due"      // the author's note has an interval
	Disabled    Status = "disabled"     // switched off, or a duplicate
	Unlisted    Status = "unlisted"     // the layout has no such slot
	Unused      Status = "unused"       // an outlet that no text shows
	BeforeStart Status = "before_start" // older than the history start
	Trigger     Status = "trigger"      // for another kind of generation
)

// Reasons of dropped, empty and disabled blocks.
const (
	ReasonBudget      = "budget"
	ReasonHistoryStop = "history_stop" // a newer line, or an earlier example, did not fit
	ReasonGroupCap    = "group_cap"
	ReasonDuplicate   = "duplicate_key"
	ReasonNoTools     = "no_tools"
	ReasonNoSpeaker   = "no_speaker" // a part of the examples without a known speaker
)

// NoSpeaker is the code of the problem of a part of the examples that was left out since no
// known speaker begins a line of it, see [Slot.SpokenOnly].
const NoSpeaker talewright.Code = ReasonNoSpeaker

// Block is one piece of prompt text. It stands in a slot of the layout, or in
// the chat at a depth, or behind a macro as an outlet.
type Block struct {
	// Key names the block in the report. It is unique in one build; of two
	// blocks with one key the later wins, and the report says so.
	Key    string   `json:"key"`
	Source Source   `json:"source,omitzero"`
	Role   llm.Role `json:"role,omitempty"` // user or assistant, else the system's
	Name   string   `json:"name,omitempty"` // speaker, for providers that know one

	// Slot is the name of a slot of the layout.
	Slot string `json:"slot,omitempty"`
	// Depth, if not nil, places the block in the chat instead: before the n-th
	// newest element of the history, 0 is behind the newest.
	Depth *int `json:"depth,omitempty"`
	// Outlet, if not empty, makes the text one that {{outlet::name}} shows.
	// It is sent nowhere else.
	Outlet string `json:"outlet,omitempty"`
	// Order sorts the blocks of a slot or of a depth, smaller first; ties keep
	// the order of the input. nil is 100.
	Order *int `json:"order,omitempty"`

	// Text is a template, or data if Literal is set.
	Text    string `json:"text"`
	Literal bool   `json:"literal,omitempty"`
	// Original is what {{original}} stands for in Text: the template that this
	// one replaces. nil: nothing.
	Original *string `json:"original,omitempty"`
	// Format, if not empty, is a template around the expanded text, in which {0}
	// stands for it, at most 16 times. There is none around an empty text.
	Format string `json:"format,omitempty"`
	// Above and Below are pieces directly before and after the text, joined by
	// newlines. They share its fate; their own places and keeps count for
	// nothing. An author's note with lore around it is such a block.
	Above []Block `json:"above,omitempty"`
	Below []Block `json:"below,omitempty"`

	// Keep is the resistance against the budget, larger is kept longer; nil is
	// that of the slot. A Required block is never dropped.
	Keep     *int `json:"keep,omitempty"`
	Required bool `json:"required,omitempty"`
	Truncate Cut  `json:"truncate,omitempty"`
	// MaxTokens bounds the text, 0 is no bound. A longer one is cut before anything
	// competes for room, at the end that Truncate names, else at its end: whole lines
	// go, and of a line that is too long by itself a part. So text that a model or a
	// player can grow may be Required without ever filling the prompt. The report
	// says [Truncated]. It does not hold for examples.
	MaxTokens int `json:"max_tokens,omitempty"`

	Stability Stability `json:"stability,omitempty"`
	// Withheld, if not empty, keeps the block out of the prompt; the report
	// gives this status for it.
	Withheld Status `json:"withheld,omitempty"`
	// Reason is a remark for the report.
	Reason string `json:"reason,omitempty"`
}

// role is that of the message. A block is the system's unless it is the user's or the
// assistant's: no provider takes another word.
func (b *Block) role() llm.Role {
	if b.Role == llm.User || b.Role == llm.Assistant {
		return b.Role
	}
	return llm.System
}

// remark is that of its author, or one on a role that a block cannot have.
func (b *Block) remark() string {
	switch b.Role {
	case "", llm.System, llm.User, llm.Assistant:
		return b.Reason
	}
	return cmp.Or(b.Reason, "unknown_role "+string(b.Role))
}

func (b *Block) kind() Kind { return cmp.Or(b.Source.Kind, KindHost) }

// bound is the end at which a block is cut to its bound.
func (b *Block) bound() Cut {
	if b.Truncate == CutStart {
		return CutStart
	}
	return CutEnd
}

// lessStable is the stability of two texts in one message.
func lessStable(a, b Stability) Stability {
	rank := func(s Stability) int { return slices.Index([]Stability{Static, Session, Turn}, s) }
	if rank(b) > rank(a) {
		return b
	}
	return a
}
