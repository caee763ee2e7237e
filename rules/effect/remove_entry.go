package effect

import "encoding/json"

// RemoveEntry takes an entry out of the world book of a campaign: one that was added during play is
// gone, one of a book takes no part any more. [UpdateEntry] does not bring it back, [AddEntry] with
// its id does.
type RemoveEntry struct {
	ID string `json:"entryId"` // book and uid, or a uid alone

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "remove-entry".
func (RemoveEntry) EffectType() string { return "remove-entry" }

func (RemoveEntry) effect() {}

func (k command) removeEntry(id string) { k.hand(RemoveEntry{ID: id}) }
