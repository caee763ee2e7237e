package state

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// Limits of the lists of [LoreEdits].
const (
	maxLoreChanged = 256
	maxLoreRemoved = 1024
	maxLoreForced  = 64
)

// LoreEdits are the changes to entries of the authors' books. The zero value has no changes.
type LoreEdits struct {
	// Changed are the updates of entries, at most one for each, by full ID.
	Changed []effect.UpdateEntry `json:"changed,omitempty"`
	// Removed are the full IDs of removed entries, in the order of removal.
	Removed []string `json:"removed,omitempty"`
	// Forced are the entries, also added ones, that are active without a key.
	Forced []ForcedLore `json:"forced,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// ForcedLore is an entry that is active without a key up to and including the turn with the index
// Until.
type ForcedLore struct {
	ID    worldbook.ID `json:"id"`
	Until int          `json:"until"`
}

// MarshalJSON writes the known fields and then the unknown ones.
func (e LoreEdits) MarshalJSON() ([]byte, error) { return openjson.Write(e) }

// UnmarshalJSON stores unknown members in Extra.
func (e *LoreEdits) UnmarshalJSON(data []byte) error { return openjson.Read(data, e) }

// IsZero reports whether there are no changes.
func (e LoreEdits) IsZero() bool {
	return len(e.Changed) == 0 && len(e.Removed) == 0 && len(e.Forced) == 0 && len(e.Extra) == 0
}

// Change records an update of an entry. The full ID replaces the ID in the update. It reports false
// if 256 entries are changed.
func (e LoreEdits) Change(id worldbook.ID, update effect.UpdateEntry) (LoreEdits, bool) {
	update.ID = id.String()
	at := slices.IndexFunc(e.Changed, func(c effect.UpdateEntry) bool { return c.ID == update.ID })
	e.Changed = slices.Clone(e.Changed)
	if at >= 0 {
		e.Changed[at] = mergedUpdate(e.Changed[at], update)
		return e, true
	}
	if len(e.Changed) >= maxLoreChanged {
		return e, false
	}
	e.Changed = append(e.Changed, update)
	return e, true
}

// mergedUpdate merges two updates; the second one wins.
func mergedUpdate(first, second effect.UpdateEntry) effect.UpdateEntry {
	first.Name = cmp.Or(second.Name, first.Name)
	first.Content = cmp.Or(second.Content, first.Content)
	first.Priority = cmp.Or(second.Priority, first.Priority)
	first.AlwaysOn = cmp.Or(second.AlwaysOn, first.AlwaysOn)
	if second.Keywords != nil {
		first.Keywords = second.Keywords
	}
	first.Literal = first.Literal || second.Literal
	return first
}

// Remove records the removal of an entry of a book. It reports false if 1,024 entries
// are removed.
func (e LoreEdits) Remove(id worldbook.ID) (LoreEdits, bool) {
	if slices.Contains(e.Removed, id.String()) {
		return e, true
	}
	if len(e.Removed) >= maxLoreRemoved {
		return e, false
	}
	e.Removed = append(slices.Clip(e.Removed), id.String())
	return e.unforced(id), true
}

// Force makes an entry active until a turn. If that turn is before the present one, the entry is no
// longer forced. It reports false if 64 entries are forced.
func (e LoreEdits) Force(id worldbook.ID, until, now int) (LoreEdits, bool) {
	e = e.unforced(id)
	switch {
	case until < now:
		return e, true
	case len(e.Forced) >= maxLoreForced:
		return e, false
	}
	e.Forced = append(slices.Clip(e.Forced), ForcedLore{id, until})
	return e, true
}

func (e LoreEdits) unforced(id worldbook.ID) LoreEdits {
	return e.withoutForced(func(f ForcedLore) bool { return f.ID == id })
}

func (e LoreEdits) withoutForced(drops func(ForcedLore) bool) LoreEdits {
	if !slices.ContainsFunc(e.Forced, drops) {
		return e
	}
	if e.Forced = slices.DeleteFunc(slices.Clone(e.Forced), drops); len(e.Forced) == 0 {
		e.Forced = nil
	}
	return e
}

// Expire removes the forced entries that are no longer forced after a turn.
func (e LoreEdits) Expire(turn int) LoreEdits {
	return e.withoutForced(func(f ForcedLore) bool { return f.Until <= turn })
}

// ForcedIDs returns the entries that are active without a key.
func (e LoreEdits) ForcedIDs() (list []worldbook.Forced) {
	for _, f := range e.Forced {
		list = append(list, worldbook.Forced{ID: f.ID})
	}
	return list
}

// editedLore returns an entry of a book with an update applied.
func editedLore(entry worldbook.Entry, u effect.UpdateEntry) worldbook.Entry {
	update(&entry.Comment, u.Name)
	update(&entry.Content, u.Content)
	update(&entry.Constant, u.AlwaysOn)
	if u.Keywords != nil {
		entry.Keys = u.Keywords
	}
	if u.Priority != nil {
		entry.Order = float64(*u.Priority)
	}
	entry.Literal = entry.Literal || u.Literal
	return entry
}
