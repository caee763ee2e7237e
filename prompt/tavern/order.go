package tavern

import "encoding/json"

// PromptOrder is the order for one character of SillyTavern.
type PromptOrder struct {
	CharacterID int     `json:"character_id"`
	Order       []Entry `json:"order"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
	read  presetfileMembers          // known members as they were read
}

// Entry is a prompt in an order. An entry that is switched off keeps its place: the main prompt,
// for example, is still an anchor for the texts next to it.
type Entry struct {
	ID      string `json:"identifier"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
	read  presetfileMembers          // known members as they were read
}

// globalCharacter is the number of the order that applies to every character.
const globalCharacter = 100001

// Order returns the order that applies to every character, or else the first order.
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

// MarshalJSON writes the order. Unchanged members are written as they were read; unknown members
// come last.
func (o PromptOrder) MarshalJSON() ([]byte, error) { return encode(o, PromptOrder{}, o.Extra, o.read) }

// UnmarshalJSON keeps unknown members in Extra. On an error the receiver does not change.
func (o *PromptOrder) UnmarshalJSON(data []byte) error {
	return presetfileRead(data, o, &o.Extra, &o.read)
}

// MarshalJSON writes the entry. Unchanged members are written as they were read; unknown members
// come last.
func (e Entry) MarshalJSON() ([]byte, error) { return encode(e, Entry{}, e.Extra, e.read) }

// UnmarshalJSON keeps unknown members in Extra. On an error the receiver does not change.
func (e *Entry) UnmarshalJSON(data []byte) error {
	return presetfileRead(data, e, &e.Extra, &e.read)
}
