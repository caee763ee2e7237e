package state

import (
	"slices"
	"strconv"

	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// The lorebook part holds what play has changed about the world book of a campaign: entries that
// were added, and [LoreEdits], which say what was changed, removed and forced. The compiled book itself
// is the authors' and stays as it is; a rollback takes the changes back with the rest of the state.
//
// An entry has an id of a book and a uid: [AddedEntryID]. Effects may name it by the uid alone, and mean all
// entries that have it.
//
// Everything here is a plain value: functions return changed copies and modify no argument.

// AddedEntryID is the id of an entry that was added during play: the n-th, from 0. One without an id of its
// own is called by its place.
func AddedEntryID(n int, e effect.AddEntry) worldbook.ID {
	uid := e.ID
	if uid == "" {
		uid = "added-" + strconv.Itoa(n+1)
	}
	return worldbook.ID{Book: e.BookID, UID: uid}
}

// FindAddedLore are the places of the entries that a name means: an id in full, or a uid.
func FindAddedLore(list []effect.AddEntry, name string) (places []int) {
	for i, e := range list {
		if id := AddedEntryID(i, e); id.UID == name || id.String() == name {
			places = append(places, i)
		}
	}
	return places
}

// AddLore adds an entry, in the place of the one that has its book and id, if there is one.
func AddLore(list []effect.AddEntry, e effect.AddEntry) []effect.AddEntry {
	if e.ID == "" {
		taken := func(uid string) bool {
			return slices.ContainsFunc(list, func(old effect.AddEntry) bool { return old.ID == uid })
		}
		for n := len(list); taken(AddedEntryID(len(list), e).UID); n++ {
			e.ID = "added-" + strconv.Itoa(n+2) // its place is that of one which stood further behind
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
	if u.Name != nil {
		e.Name = *u.Name
	}
	if u.Content != nil {
		e.Content = *u.Content
	}
	if u.Keywords != nil {
		e.Keywords = u.Keywords
	}
	if u.Priority != nil {
		e.Priority = *u.Priority
	}
	if u.AlwaysOn != nil {
		e.AlwaysOn = *u.AlwaysOn
	}
	e.Literal = e.Literal || u.Literal
	return list
}

// RemoveLore takes the n-th entry out. Those behind it keep their ids.
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
