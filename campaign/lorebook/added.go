package lorebook

import (
	"slices"
	"strconv"

	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// ID is the id of an entry that was added during play: the n-th, from 0. One without an id of its
// own is called by its place.
func ID(n int, e effect.AddEntry) worldbook.ID {
	uid := e.ID
	if uid == "" {
		uid = "added-" + strconv.Itoa(n+1)
	}
	return worldbook.ID{Book: e.BookID, UID: uid}
}

// Find are the places of the entries that a name means: an id in full, or a uid.
func Find(list []effect.AddEntry, name string) (places []int) {
	for i, e := range list {
		if id := ID(i, e); id.UID == name || id.String() == name {
			places = append(places, i)
		}
	}
	return places
}

// Add adds an entry, in the place of the one that has its book and id, if there is one.
func Add(list []effect.AddEntry, e effect.AddEntry) []effect.AddEntry {
	if e.ID == "" {
		taken := func(uid string) bool {
			return slices.ContainsFunc(list, func(old effect.AddEntry) bool { return old.ID == uid })
		}
		for n := len(list); taken(ID(len(list), e).UID); n++ {
			e.ID = "added-" + strconv.Itoa(n+2) // its place is that of one which stood further behind
		}
		return append(slices.Clip(list), e)
	}
	for i, old := range list {
		if ID(i, old) == ID(len(list), e) {
			list = slices.Clone(list)
			list[i] = e
			return list
		}
	}
	return append(slices.Clip(list), e)
}

// Update changes the n-th entry.
func Update(list []effect.AddEntry, n int, u effect.UpdateEntry) []effect.AddEntry {
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

// Remove takes the n-th entry out. Those behind it keep their ids.
func Remove(list []effect.AddEntry, n int) []effect.AddEntry {
	list = slices.Clone(list)
	for i := n + 1; i < len(list); i++ {
		list[i].ID = ID(i, list[i]).UID
	}
	if list = slices.Delete(list, n, n+1); len(list) == 0 {
		return nil
	}
	return list
}
