package tavern

import (
	"encoding/json"

	"github.com/talewright/talewright/internal/openjson"
)

// PromptOrder is the order for one character of the program.
type PromptOrder struct {
	CharacterID int     `json:"character_id"`
	Order       []Entry `json:"order"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Entry is a prompt in an order. One that is switched off keeps its place: the
// main prompt is an anchor for what stands beside it even then.
type Entry struct {
	ID      string `json:"identifier"`
	Enabled bool   `json:"enabled"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
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

// MarshalJSON writes the known fields and then the unknown ones.
func (o PromptOrder) MarshalJSON() ([]byte, error) {
	type plain PromptOrder
	return openjson.Encode(plain(o), o.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra. On an error the
// receiver stays as it was.
func (o *PromptOrder) UnmarshalJSON(data []byte) error {
	type plain PromptOrder
	var read plain
	extra, err := openjson.Decode(data, &read)
	if err != nil {
		return err
	}
	*o = PromptOrder(read)
	o.Extra = extra
	return nil
}

// MarshalJSON writes the known fields and then the unknown ones.
func (e Entry) MarshalJSON() ([]byte, error) {
	type plain Entry
	return openjson.Encode(plain(e), e.Extra)
}

// UnmarshalJSON keeps members that it does not know in Extra. On an error the
// receiver stays as it was.
func (e *Entry) UnmarshalJSON(data []byte) error {
	type plain Entry
	var read plain
	extra, err := openjson.Decode(data, &read)
	if err != nil {
		return err
	}
	*e = Entry(read)
	e.Extra = extra
	return nil
}
