package tavern

import (
	"encoding/json"
)

// PromptOrder is the order for one character of the program.
type PromptOrder struct {
	CharacterID int     `json:"character_id"`
	Order       []Entry `json:"order"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
	read  presetfileMembers          // known ones as they were
}

// Entry is a prompt in an order. One that is switched off keeps its place: the
// main prompt is an anchor for what stands beside it even then.
type Entry struct {
	ID      string `json:"identifier"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
	read  presetfileMembers          // known ones as they were
}

// globalCharacter is the number under which the program keeps the order that
// holds for every character.
const globalCharacter = 100001

// Order returns the order that holds for every character, or the first one.
func (p Preset) Order() []Entry {
	for _, o := range p.Orders {
		if o.CharacterID == globalCharacter {
			return o.Order
		}
	}
	if len(p.Orders) > 0 {
		return p.Orders[0].Order
	}
	return nil
}

// MarshalJSON writes the order: members that were read and not changed as they
// were, unknown ones last.
func (o PromptOrder) MarshalJSON() ([]byte, error) {
	type plain PromptOrder
	return encode(plain(o), plain{}, o.Extra, o.read)
}

// UnmarshalJSON keeps members that it does not know in Extra. On an error the
// receiver stays as it was.
func (o *PromptOrder) UnmarshalJSON(data []byte) error {
	type plain PromptOrder
	return presetfileRead(data, (*plain)(o), &o.Extra, &o.read)
}

// MarshalJSON writes the entry: members that were read and not changed as they
// were, unknown ones last.
func (e Entry) MarshalJSON() ([]byte, error) {
	type plain Entry
	return encode(plain(e), plain{}, e.Extra, e.read)
}

// UnmarshalJSON keeps members that it does not know in Extra. On an error the
// receiver stays as it was.
func (e *Entry) UnmarshalJSON(data []byte) error {
	type plain Entry
	return presetfileRead(data, (*plain)(e), &e.Extra, &e.read)
}
