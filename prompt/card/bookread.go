package card

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// book reads a book from a value. The second result is false for other kinds
// than objects.
func (r *reader) book(path string, raw json.RawMessage) (Book, bool) {
	members, ok := r.object(path, raw)
	if !ok {
		return Book{}, false
	}
	return r.bookMembers(path, members), true
}

// bookMembers reads a book from its members, which become Extra. The calls stand
// in the order in which problems are reported.
func (r *reader) bookMembers(path string, members map[string]json.RawMessage) Book {
	at := source{r, path, members}
	b := Book{
		Name:              take(at, "name", (*reader).text),
		Description:       take(at, "description", (*reader).text),
		ScanDepth:         takeOptional(at, "scan_depth", (*reader).count),
		TokenBudget:       takeOptional(at, "token_budget", (*reader).count),
		RecursiveScanning: takeOptional(at, "recursive_scanning", (*reader).truth),
		Extensions:        take(at, "extensions", (*reader).object),
		Entries:           take(at, "entries", (*reader).entries),
	}
	b.Extra = at.rest(b.members())
	return b
}

// entries reads the list of entries. An object counts as one too: its members in
// JavaScript's order, which is number keys ascending and then the others as
// written.
func (r *reader) entries(path string, raw json.RawMessage) ([]BookEntry, bool) {
	var names []string
	var values []json.RawMessage
	switch kindOf(raw) {
	case aList:
		values = elementsOf(raw)
	case anObject:
		r.add(BadType, path, "an object where a list is asked; read in the order of its keys")
		names, values = r.inKeyOrder(path, raw)
	default:
		r.add(BadType, path, kindOf(raw).String()+" where a list is asked; read as empty")
		return nil, false
	}
	if len(values) > maxBookEntries {
		r.add(TooLarge, path, fmt.Sprintf("%d entries; the first %d are read",
			len(values), maxBookEntries))
		values = values[:maxBookEntries]
	}
	list := make([]BookEntry, 0, len(values))
	for i, value := range values {
		at := member(path, strconv.Itoa(i))
		if names != nil {
			at = member(path, names[i])
		}
		if members, ok := r.object(at, value); ok {
			list = append(list, r.entry(at, members))
		}
	}
	return list, true
}

// inKeyOrder returns names and values of an object in JavaScript's order.
func (r *reader) inKeyOrder(path string, raw json.RawMessage) ([]string, []json.RawMessage) {
	var names []string
	eachMember(raw, func(name string, _ json.RawMessage) { names = append(names, name) })
	members, _ := r.object(path, raw)
	if len(names) > len(members) { // of a repeated name the first place counts
		seen := make(map[string]bool, len(members))
		names = slices.DeleteFunc(names, func(name string) bool {
			again := seen[name]
			seen[name] = true
			return again
		})
	}
	slices.SortStableFunc(names, compareKeys)
	values := make([]json.RawMessage, len(names))
	for i, name := range names {
		values[i] = members[name]
	}
	return names, values
}

// compareKeys orders number keys by value and puts them before other keys, which
// are equal among themselves. "7" is a number key, "07" and "-7" are not.
func compareKeys(a, b string) int {
	x, isX := numberKey(a)
	y, isY := numberKey(b)
	switch {
	case isX && isY:
		return cmp.Compare(x, y)
	case isX:
		return -1
	case isY:
		return 1
	}
	return 0
}

// numberKey reads the canonical form of a number below 2^32-1.
func numberKey(key string) (uint64, bool) {
	n, err := strconv.ParseUint(key, 10, 64)
	return n, err == nil && n < math.MaxUint32 && strconv.FormatUint(n, 10) == key
}

// entry reads an entry from its members, which become Extra.
func (r *reader) entry(path string, members map[string]json.RawMessage) BookEntry {
	at := source{r, path, members}
	e := BookEntry{
		Keys:           take(at, "keys", (*reader).texts),
		Content:        take(at, "content", (*reader).text),
		Extensions:     take(at, "extensions", (*reader).object),
		Enabled:        takeOr(at, "enabled", true, (*reader).truth),
		InsertionOrder: take(at, "insertion_order", (*reader).number),
		CaseSensitive:  takeOptional(at, "case_sensitive", (*reader).truth),
		UseRegex:       take(at, "use_regex", (*reader).truth),
		Constant:       take(at, "constant", (*reader).truth),
		Name:           take(at, "name", (*reader).text),
		Priority:       takeOptional(at, "priority", (*reader).number),
		ID:             take(at, "id", (*reader).id),
		Comment:        take(at, "comment", (*reader).text),
		Selective:      take(at, "selective", (*reader).truth),
		SecondaryKeys:  take(at, "secondary_keys", (*reader).texts),
		Position:       cmp.Or(take(at, "position", (*reader).text), AfterChar),
	}
	e.Extra = at.rest(e.members())
	return e
}

// id reads an entry's id, which stays as it is written.
func (r *reader) id(path string, raw json.RawMessage) (json.RawMessage, bool) {
	if k := kindOf(raw); k == aNumber || k == aText {
		return raw, true
	}
	r.add(BadType, path, kindOf(raw).String()+" where an id is asked; read as missing")
	return nil, false
}

// count reads a whole number that fits an int on every platform.
func (r *reader) count(path string, raw json.RawMessage) (int, bool) {
	n, ok := r.whole(path, raw)
	if ok && (n < -1<<31 || n > 1<<31-1) {
		r.add(BadType, path, "a number out of range; read as missing")
		return 0, false
	}
	return int(n), ok
}
