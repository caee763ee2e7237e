package storetest

import (
	"context"
	"strings"

	"github.com/talewright/talewright/campaign"
)

// keyOf returns a key of the form that the engine makes.
func keyOf(digit string) string { return strings.Repeat(digit, 32) }

// appendWithKey writes the entry of a version with a key.
func (e *exam) appendWithKey(version int64, key string) {
	e.Helper()
	e.must(e.store.Append(e.Context(), e.id, entryWithKey(version, key), nil), "Append of entry %d", version)
}

// entryWithKey returns the entry of a version with a key.
func entryWithKey(version int64, key string) campaign.Entry {
	out := entry(version, "")
	out.Key = key
	return out
}

// wantKeyVersion checks the version that both stores find for a key.
func (e *exam) wantKeyVersion(key string, want int64) {
	e.Helper()
	for i := range 2 {
		version, err := e.oneOfTwo(i).Find(e.Context(), e.id, key)
		if err != nil || version != want {
			e.Errorf("the key %q is of entry %d, %v; want entry %d", key, version, err, want)
		}
	}
}

func testKeys(e *exam) {
	e.wantFindError(campaign.ErrNotFound)
	e.append(1, nil)
	e.appendWithKey(2, keyOf("a"))
	e.appendWithKey(3, keyOf("b"))
	e.appendWithKey(4, keyOf("a")) // of the same turn, which was changed
	e.appendWithKey(5, "")
	late := entryWithKey(5, keyOf("c"))
	late.Data = []byte("late")
	e.wantError("late Append", e.store.Append(e.Context(), e.id, late, nil), campaign.ErrVersionConflict)
	e.must(e.store.Append(e.Context(), e.id, entryWithKey(3, keyOf("b")), nil), "the same entry again")
	for key, want := range map[string]int64{keyOf("a"): 2, keyOf("b"): 3, keyOf("c"): 0, keyOf("A"): 0, "a": 0, "": 0} {
		e.wantKeyVersion(key, want)
	}
	for _, got := range e.records(1) {
		if want := []string{keyOf("a"), keyOf("b"), keyOf("a"), ""}[got.Version-2]; got.Key != want {
			e.Errorf("entry %d comes back with the key %q, want %q", got.Version, got.Key, want)
		}
	}
	e.id += "/other"
	e.append(1, nil)
	e.wantKeyVersion(keyOf("a"), 0)
	e.appendWithKey(2, keyOf("b"))
	e.wantKeyVersion(keyOf("b"), 2)
	_, err := e.store.Find(e.cancelled(), e.id, keyOf("a"))
	e.wantError("Find", err, context.Canceled)
	e.must(e.store.Delete(e.Context(), e.id), "Delete")
	e.wantFindError(campaign.ErrDeleted)
}

// wantFindError looks up a key of a campaign and expects an error.
func (e *exam) wantFindError(want error) {
	e.Helper()
	_, err := e.store.Find(e.Context(), e.id, keyOf("a"))
	e.wantError("Find", err, want)
}

func testRestartKeys(e *exam) {
	e.append(1, nil)
	e.appendWithKey(2, keyOf("a"))
	e.restart()
	e.second = e.store
	e.wantKeyVersion(keyOf("a"), 2)
	e.appendWithKey(3, keyOf("b"))
	e.wantKeyVersion(keyOf("b"), 3)
}
