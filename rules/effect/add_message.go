package effect

import "encoding/json"

// AddMessage appends to the messages that hooks added to this turn.
type AddMessage struct {
	Content string `json:"content"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "add-message".
func (AddMessage) EffectType() string { return "add-message" }

func (AddMessage) effect() {}
