package effect

import "encoding/json"

// AddEntry adds an entry to a world book at run time.
type AddEntry struct {
	// ID is the uid of the entry. Use it to change, force or remove the entry. An entry that was
	// added with the same book and id is replaced. Without an ID it gets a uid of its own.
	ID        string   `json:"entryId,omitempty"`
	BookID    string   `json:"bookId"`
	Name      string   `json:"name,omitempty"`
	Content   string   `json:"content"`
	Keywords  []string `json:"keywords,omitempty"`
	EntryType string   `json:"entryType,omitempty"`
	Priority  int      `json:"priority"`
	AlwaysOn  bool     `json:"alwaysOn,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	// Literal marks an entry whose words come from a model or a player. Its keys are plain text,
	// and its content is used unchanged, without macros and decorators.
	Literal bool `json:"literal,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "add-entry".
func (AddEntry) EffectType() string { return "add-entry" }

func (AddEntry) effect() {}

func (e AddEntry) asData() Effect {
	e.Literal = true
	return e
}
