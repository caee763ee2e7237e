package effect

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/utf8text"
)

// InjectPrompt adds a hook's text to the prompt; the host does it.
type InjectPrompt struct {
	// Key names the text. An existing text with the key is replaced in place.
	Key      string      `json:"key"`
	Content  string      `json:"content"`
	Priority int         `json:"priority"` // smaller is stronger; the usual value is 55
	Scope    PromptScope `json:"scope"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// PromptScope says how long a hook's text stays in prompts.
type PromptScope string

// The scopes.
const (
	ForTurn    PromptScope = "turn"    // until the turn ends
	ForSession PromptScope = "session" // until it is replaced
)

// EffectType returns "prompt-inject".
func (InjectPrompt) EffectType() string { return "prompt-inject" }

func (InjectPrompt) effect() {}

func (e InjectPrompt) asData() Effect {
	e.Content = utf8text.Escape(e.Content)
	return e
}
