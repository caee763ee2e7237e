package effect

import "encoding/json"

// RemoveEntry removes an entry from the world book of a campaign. An entry that was added during
// play is deleted. An entry of a book is no longer used. [UpdateEntry] does not restore it;
// [AddEntry] with its id does.
type RemoveEntry struct {
	ID string `json:"entryId"` // book and uid, or only a uid

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// EffectType returns "remove-entry".
func (RemoveEntry) EffectType() string { return "remove-entry" }

func (RemoveEntry) effect() {}

func (k command) removeEntry(id string) { k.toHost(RemoveEntry{ID: id}) }
