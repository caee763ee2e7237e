package storetest

import (
	"context"
	"errors"
	"strings"

	"github.com/talewright/talewright/campaign"
)

// keyOf returns a key of the form that the engine makes.
func keyOf(digit string) string { return strings.Repeat(digit, 32) }

func (e *exam) keyed(version int64, key string) {
	e.Helper()
	if err := e.store.Append(e.Context(), e.id, withKey(version, key), nil); err != nil {
		e.Fatalf("Append of entry %d: %v", version, err)
	}
}

func withKey(version int64, key string) campaign.Entry {
	out := entry(version, "")
	out.Key = key
	return out
}

// wantKeyed looks up a key, through both stores.
func (e *exam) wantKeyed(key string, want int64) {
	e.Helper()
	for i := range 2 {
		version, err := e.either(i).Find(e.Context(), e.id, key)
		if err != nil || version != want {
			e.Errorf("the key %q is of entry %d, %v; want entry %d", key, version, err, want)
		}
	}
}

func keys(e *exam) {
	e.wantKeysError(campaign.ErrNotFound)
	e.append(1, nil)
	e.keyed(2, keyOf("a"))
	e.keyed(3, keyOf("b"))
	e.keyed(4, keyOf("a")) // of the same turn, which was changed
	e.keyed(5, "")
	late := withKey(5, keyOf("c"))
	late.Data = []byte("late")
	if err := e.store.Append(e.Context(), e.id, late, nil); !errors.Is(err, campaign.ErrVersionConflict) {
		e.Errorf("late Append: %v, want ErrVersionConflict", err)
	}
	if err := e.store.Append(e.Context(), e.id, withKey(3, keyOf("b")), nil); err != nil {
		e.Errorf("the same entry again: %v", err)
	}
	for key, want := range map[string]int64{keyOf("a"): 2, keyOf("b"): 3, keyOf("c"): 0, keyOf("A"): 0, "a": 0, "": 0} {
		e.wantKeyed(key, want)
	}
	for _, got := range e.read(1) {
		if want := []string{keyOf("a"), keyOf("b"), keyOf("a"), ""}[got.Version-2]; got.Key != want {
			e.Errorf("entry %d comes back with the key %q, want %q", got.Version, got.Key, want)
		}
	}
	e.id += "/other"
	e.append(1, nil)
	e.wantKeyed(keyOf("a"), 0)
	e.keyed(2, keyOf("b"))
	e.wantKeyed(keyOf("b"), 2)
	ctx, cancel := context.WithCancel(e.Context())
	cancel()
	if _, err := e.store.Find(ctx, e.id, keyOf("a")); !errors.Is(err, context.Canceled) {
		e.Errorf("Find: %v, want context.Canceled", err)
	}
	if err := e.store.Delete(e.Context(), e.id); err != nil {
		e.Fatalf("Delete: %v", err)
	}
	e.wantKeysError(campaign.ErrDeleted)
}

// wantKeysError looks up a key of a campaign and expects an error.
func (e *exam) wantKeysError(want error) {
	e.Helper()
	_, err := e.store.Find(e.Context(), e.id, keyOf("a"))
	if !errors.Is(err, want) || want == campaign.ErrNotFound && errors.Is(err, campaign.ErrDeleted) {
		e.Errorf("Find: %v, want %v", err, want)
	}
}

func restartKeys(e *exam) {
	e.append(1, nil)
	e.keyed(2, keyOf("a"))
	e.restart()
	e.beside = e.store
	e.wantKeyed(keyOf("a"), 2)
	e.keyed(3, keyOf("b"))
	e.wantKeyed(keyOf("b"), 3)
}
