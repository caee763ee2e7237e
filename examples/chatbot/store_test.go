package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/storetest"
)

// opened returns the store of a folder. Another one may have been opened before.
func opened(t *testing.T, folder string) *fileStore {
	t.Helper()
	s, err := openStore(filepath.Join(folder, "campaigns.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // it may be closed already
	return s
}

// TestStore runs the tests for stores: lost races, repeated entries, restarts, strange IDs,
// cancelled calls.
func TestStore(t *testing.T) {
	storetest.Run(t,
		func(t *testing.T) campaign.Store { return opened(t, t.TempDir()) },
		storetest.Options{Reopen: func(t *testing.T, s campaign.Store) campaign.Store {
			before := s.(*fileStore)
			if err := before.Close(); err != nil {
				t.Fatal(err)
			}
			return opened(t, filepath.Dir(before.file.Name()))
		}})
}

// TestStoreFailsToWrite checks that a change that cannot be written is not visible, and that damage
// in the middle of the file is an error.
func TestStoreFailsToWrite(t *testing.T) {
	folder := t.TempDir()
	s := opened(t, folder)
	first := campaign.Entry{Version: 1, Data: []byte("{}")}
	err := errors.Join(s.Append(t.Context(), "inn", first, nil), s.Close())
	if err != nil {
		t.Fatal(err)
	}
	second := campaign.Entry{Version: 2, Data: []byte("{}")}
	if err := s.Append(t.Context(), "inn", second, nil); !errors.Is(err, campaign.ErrUnavailable) {
		t.Errorf("Append to a closed file: %v", err)
	}
	if saved, err := s.Load(t.Context(), "inn"); err != nil || len(saved.Entries) != 1 {
		t.Errorf("%d entries, %v", len(saved.Entries), err)
	}
	if err := os.WriteFile(s.file.Name(), []byte("{}}\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openStore(s.file.Name()); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a damaged file: %v", err)
	}
}
