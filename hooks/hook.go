package hooks

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// Scope says which events a hook is for.
type Scope string

// The scopes. A scoped hook with an empty id of its kind accepts every event.
const (
	ScopeGlobal       Scope = "global"       // every event; the id fields are ignored
	ScopeCharacter    Scope = "character"    // events with the hook's CharacterID
	ScopeConversation Scope = "conversation" // events with the hook's ConversationID
	ScopeUser         Scope = "user"         // events with the hook's UserID
)

// Logic joins the top-level keys of a hook's conditions.
type Logic string

// The two ways to join conditions.
const (
	And Logic = "and" // all keys are true
	Or  Logic = "or"  // at least one key is true
)

// TriggerMode limits how often a hook runs.
type TriggerMode string

// The trigger modes.
const (
	Always              TriggerMode = "always"
	OncePerConversation TriggerMode = "once_per_conversation" // used up after success or partial
)

// ErrorMode says how a failed action affects the later actions.
type ErrorMode string

// The error modes.
const (
	Continue ErrorMode = "continue" // continue with the next action
	Abort    ErrorMode = "abort"    // the rest of the attempt is marked aborted
)

// The defaults of a hook.
const (
	defaultPriority  = 100
	defaultTimeoutMS = 3000
)

// Hook is an author's rule: on this event, under these conditions, do these actions. It is plain
// data; [Compile] checks it. Only Name and Event are required.
//
// JSON: a null member counts as missing; event may be a string or a list.
type Hook struct {
	// ID is unique. If it is empty, Compile makes an id from the hook's content: "hook_" and 12
	// hexadecimal digits.
	ID          string `json:"id,omitempty"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Enabled nil means true. A disabled hook is never a candidate and leaves no record.
	Enabled *bool `json:"enabled,omitempty"`
	// Event lists the patterns. One of them must match; see [act.MatchType].
	Event Patterns `json:"event"`
	Scope Scope    `json:"scope,omitempty"` // empty means global

	CharacterID    string `json:"character_id,omitempty"`
	ConversationID string `json:"conversation_id,omitempty"`
	UserID         string `json:"user_id,omitempty"`

	// Priority nil means 100. Hooks with a smaller number run first; hooks with equal numbers run
	// in the order of registration.
	Priority *int `json:"priority,omitempty"`
	// Conditions is an object of keys and expected values. If it is absent, there are no
	// conditions. The package documentation lists the keys.
	Conditions     tree.Value   `json:"conditions,omitzero"`
	ConditionLogic Logic        `json:"condition_logic,omitempty"` // empty means and
	Actions        []act.Action `json:"actions,omitempty"`         // run in this order
	Permissions    Permissions  `json:"permissions,omitzero"`

	// TimeoutMS is the time limit of one attempt in milliseconds; 0 means 3000. [Limits] are upper
	// limits for TimeoutMS and MaxRetries.
	TimeoutMS int `json:"timeout_ms,omitempty"`
	// MaxRetries is the number of attempts after the first; negative counts as 0.
	MaxRetries  int         `json:"max_retries,omitempty"`
	TriggerMode TriggerMode `json:"trigger_mode,omitempty"` // empty means always
	OnError     ErrorMode   `json:"on_error,omitempty"`     // empty means continue
	// Atomic hooks commit nothing if an action still fails after the last attempt.
	Atomic bool `json:"atomic,omitempty"`

	CreatedAt string `json:"created_at,omitempty"` // RFC 3339; kept, not interpreted
	UpdatedAt string `json:"updated_at,omitempty"` // RFC 3339; kept, not interpreted

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Permissions restrict a hook. They are for hooks from imported cards. An empty list does not
// restrict. Comparison is exact and case-sensitive.
//
// JSON: each list may also be a single string, which is read as a list with one element.
type Permissions struct {
	// Channels is the allow list. An event from a different channel, or with no known channel, is
	// denied.
	Channels []string `json:"channels,omitempty"`
	// DenyChannels is checked after Channels.
	DenyChannels []string `json:"deny_channels,omitempty"`
	// Actions lists the action types that the hook may use; other types are forbidden.
	Actions []string `json:"actions,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Patterns is a list of event patterns. One of them must match. In JSON a list with one element is
// written as a string.
type Patterns []string

// On returns the patterns as [Patterns].
func On(patterns ...string) Patterns { return patterns }

// enabled returns Enabled, or true if it is nil.
func (h *Hook) enabled() bool { return h.Enabled == nil || *h.Enabled }

// priority returns Priority, or the default if it is nil.
func (h *Hook) priority() int { return orDefault(h.Priority, defaultPriority) }

// inScope reports whether the event is in the hook's scope.
func (h *Hook) inScope(e *act.Event) bool {
	switch h.Scope {
	case ScopeCharacter:
		return h.CharacterID == "" || h.CharacterID == e.CharacterID
	case ScopeConversation:
		return h.ConversationID == "" || h.ConversationID == e.ConversationID
	case ScopeUser:
		return h.UserID == "" || h.UserID == e.UserID
	}
	return true
}

// permits checks the allow list and then the deny list.
func (p *Permissions) permits(channel string) bool {
	if len(p.Channels) > 0 && (channel == "" || !slices.Contains(p.Channels, channel)) {
		return false
	}
	return !slices.Contains(p.DenyChannels, channel)
}
