package state

import (
	"slices"
	"strconv"

	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// The lorebook files hold the changes that play makes to the world book of a campaign. There are
// added entries, and [LoreEdits] for changed, removed and forced entries. The compiled book of the
// authors does not change. A rollback undoes the changes with the rest of the state.
//
// An added entry has the ID of a book and a UID: [AddedEntryID]. Effects may name an entry by the
// UID alone; that means all entries with this UID.
//
// All types are plain values. Functions return changed copies and do not modify their arguments.

// AddedEntryID returns the ID of the n-th entry that was added during play, from 0. The ID of an
// entry without an ID of its own comes from n.
func AddedEntryID(n int, e effect.AddEntry) worldbook.ID {
	uid := e.ID
	if uid == "" {
		uid = "added-" + strconv.Itoa(n+1)
	}
	return worldbook.ID{Book: e.BookID, UID: uid}
}

// FindAddedLore returns the indexes of the entries with a name. The name is a full ID or a UID.
func FindAddedLore(list []effect.AddEntry, name string) (places []int) {
	for i, e := range list {
		if id := AddedEntryID(i, e); id.UID == name || id.String() == name {
			places = append(places, i)
		}
	}
	return places
}

// AddLore adds an entry. An entry with the same book and ID is replaced.
func AddLore(list []effect.AddEntry, e effect.AddEntry) []effect.AddEntry {
	if e.ID == "" {
		taken := func(uid string) bool {
			return slices.ContainsFunc(list, func(old effect.AddEntry) bool { return old.ID == uid })
		}
		for n := len(list); taken(AddedEntryID(len(list), e).UID); n++ {
			e.ID = "added-" + strconv.Itoa(n+2) // skip numbers that are still in use after a removal
		}
		return append(slices.Clip(list), e)
	}
	for i, old := range list {
		if AddedEntryID(i, old) == AddedEntryID(len(list), e) {
			list = slices.Clone(list)
			list[i] = e
			return list
		}
	}
	return append(slices.Clip(list), e)
}

// UpdateLore changes the n-th entry.
func UpdateLore(list []effect.AddEntry, n int, u effect.UpdateEntry) []effect.AddEntry {
	list = slices.Clone(list)
	e := &list[n]
	update(&e.Name, u.Name)
	update(&e.Content, u.Content)
	update(&e.Priority, u.Priority)
	update(&e.AlwaysOn, u.AlwaysOn)
	if u.Keywords != nil {
		e.Keywords = u.Keywords
	}
	e.Literal = e.Literal || u.Literal
	return list
}

// update sets a field of an entry to the value in an update. nil leaves it unchanged.
func update[V any](field, value *V) {
	if value != nil {
		*field = *value
	}
}

// RemoveLore removes the n-th entry. The entries after it keep their IDs.
func RemoveLore(list []effect.AddEntry, n int) []effect.AddEntry {
	list = slices.Clone(list)
	for i := n + 1; i < len(list); i++ {
		list[i].ID = AddedEntryID(i, list[i]).UID
	}
	if list = slices.Delete(list, n, n+1); len(list) == 0 {
		return nil
	}
	return list
}
