package hooks

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
)

// State is what hooks remember. It is one JSON value, part of a campaign's saved
// state; the zero State is new. Methods and [Run] return changed copies, which share
// what did not change: treat the lists and maps of a state as read-only, and any
// number of goroutines may start from it. Ids that are no UTF-8 are mended wherever they
// come from, so that a state is the same after it was stored and loaded.
type State struct {
	// Turn belongs to one conversation and lasts until the next BeginTurn.
	Turn Turn `json:"turn"`
	// Triggered lists, by hook id, the conversations in which a
	// once_per_conversation hook is used up.
	Triggered map[string][]string `json:"triggered,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Turn is the part of the state that a new turn resets.
type Turn struct {
	ID     string   `json:"id,omitempty"`
	Count  int      `json:"count"`            // hooks that ran
	Ran    []string `json:"ran,omitempty"`    // their ids, in order
	Denied []string `json:"denied,omitempty"` // ids of hooks that were denied, in order
	// DefaultKeys counts the prompt keys that were given out without being asked for.
	DefaultKeys map[string]int `json:"default_keys,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// BeginTurn returns the state for a new turn: no hook has run, none was denied,
// no default key is taken. What was triggered stays. The host removes turn-scoped
// injections at the same moment; see [act.Injections.BeginTurn].
func (s State) BeginTurn(id string) State {
	s.Turn = Turn{ID: utf8text.Mend(id), Extra: s.Turn.Extra}
	return s
}

// Forget returns the state without the memory of a removed hook.
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

// use returns the state that remembers the pair.
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

// MarshalJSON writes the known fields and then the unknown ones.
func (s State) MarshalJSON() ([]byte, error) { return openjson.Write(s) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (s *State) UnmarshalJSON(data []byte) error { return openjson.Read(data, s) }

// MarshalJSON writes the known fields and then the unknown ones.
func (t Turn) MarshalJSON() ([]byte, error) { return openjson.Write(t) }

// UnmarshalJSON keeps members that it does not know in Extra.
func (t *Turn) UnmarshalJSON(data []byte) error { return openjson.Read(data, t) }
