package act

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Event is something that happened in the host or the engine. The caller sets its id and its time.
// Ids must be unique, because idempotency keys, derived events and default prompt keys are made
// from them.
type Event struct {
	ID             string     `json:"id,omitempty"`
	Type           string     `json:"type"` // required
	Source         string     `json:"source,omitempty"`
	ConversationID string     `json:"conversation_id,omitempty"`
	CharacterID    string     `json:"character_id,omitempty"`
	UserID         string     `json:"user_id,omitempty"`
	GroupID        string     `json:"group_id,omitempty"`
	Payload        tree.Value `json:"payload,omitzero"`  // an object
	Metadata       tree.Value `json:"metadata,omitzero"` // an object
	CreatedAt      string     `json:"created_at,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Channel returns payload.channel if it is a non-empty text, else
// metadata.channel if it is a text, else "": unknown.
func (e Event) Channel() string {
	if c, ok := e.Payload.Get("channel").AsText(); ok && c != "" {
		return c
	}
	c, _ := e.Metadata.Get("channel").AsText()
	return c
}

// MarshalJSON writes the known fields first, then the unknown fields.
func (e Event) MarshalJSON() ([]byte, error) { return openjson.Write(e) }

// UnmarshalJSON keeps unknown members in Extra. Payload and metadata must be objects; null counts
// as missing.
func (e *Event) UnmarshalJSON(data []byte) error {
	if err := openjson.Read(data, e); err != nil {
		return err
	}
	return errors.Join(
		objectOrNothing("payload", &e.Payload), objectOrNothing("metadata", &e.Metadata))
}

// objectOrNothing checks a member that must be an object, and drops a null. Other programs write
// null for missing values, and conditions would read it as a payload without members.
func objectOrNothing(name string, v *tree.Value) error {
	switch {
	case v.IsNull():
		*v = tree.Value{}
	case v.Exists() && !v.IsObject():
		return fmt.Errorf("hooks: event %s must be an object, not a %s", name, v.Kind())
	}
	return nil
}
