package hooks

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
)

// State is the memory of hooks. It is one JSON value, a part of a campaign's saved state. The zero
// State is new. Methods and [Run] return changed copies, which share unchanged parts. Treat the
// lists and maps of a state as read-only; then any number of goroutines may use the same state. Ids
// that are not valid UTF-8 are repaired, so that a state is the same after it was stored and
// loaded.
type State struct {
	// Turn belongs to one conversation and lasts until the next BeginTurn.
	Turn Turn `json:"turn"`
	// Triggered lists, by hook id, the conversations in which a once_per_conversation hook is used
	// up.
	Triggered map[string][]string `json:"triggered,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Turn is the part of the state that a new turn resets.
type Turn struct {
	ID     string   `json:"id,omitempty"`
	Count  int      `json:"count"`            // hooks that ran
	Ran    []string `json:"ran,omitempty"`    // their ids, in order
	Denied []string `json:"denied,omitempty"` // ids of hooks that were denied, in order
	// DefaultKeys counts the default prompt keys that were used, by key.
	DefaultKeys map[string]int `json:"default_keys,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// BeginTurn returns the state for a new turn: no hook has run, no hook was denied, and no default
// key is taken. Triggered does not change. The host removes turn-scoped injections at the same
// time; see [act.Injections.BeginTurn].
func (s State) BeginTurn(id string) State {
	s.Turn = Turn{ID: utf8text.Mend(id), Extra: s.Turn.Extra}
	return s
}

// Forget returns the state without the entries of a removed hook.
func (s State) Forget(hookID string) State {
	hookID = utf8text.Mend(hookID)
	if _, ok := s.Triggered[hookID]; ok {
		s.Triggered = maps.Clone(s.Triggered)
		delete(s.Triggered, hookID)
	}
	return s
}

// Used reports whether a once_per_conversation hook is used up in the conversation.
func (s State) Used(hookID, conversationID string) bool {
	return slices.Contains(s.Triggered[utf8text.Mend(hookID)], utf8text.Mend(conversationID))
}

// use returns the state with the pair marked as used up.
func (s State) use(hookID, conversationID string) State {
	if s.Used(hookID, conversationID) {
		return s
	}
	s.Triggered = maps.Clone(s.Triggered)
	if s.Triggered == nil {
		s.Triggered = map[string][]string{}
	}
	s.Triggered[hookID] = append(slices.Clip(s.Triggered[hookID]), conversationID)
	return s
}

// MarshalJSON writes the known fields first, then the unknown fields.
func (s State) MarshalJSON() ([]byte, error) { return openjson.Write(s) }

// UnmarshalJSON keeps unknown members in Extra.
func (s *State) UnmarshalJSON(data []byte) error { return openjson.Read(data, s) }

// MarshalJSON writes the known fields first, then the unknown fields.
func (t Turn) MarshalJSON() ([]byte, error) { return openjson.Write(t) }

// UnmarshalJSON keeps unknown members in Extra.
func (t *Turn) UnmarshalJSON(data []byte) error { return openjson.Read(data, t) }
