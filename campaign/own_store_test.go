package campaign_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/storetest"
)

// TestOwnStore: the store of the example passes the store tests.
func TestOwnStore(t *testing.T) {
	t.Parallel()
	open := func(t *testing.T, path string) campaign.Store {
		s, err := openFileStore(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.file.Close() }) // it may be closed already
		return s
	}
	storetest.Run(t, func(t *testing.T) campaign.Store { return open(t, filepath.Join(t.TempDir(), "campaigns")) },
		storetest.Options{Reopen: func(t *testing.T, s campaign.Store) campaign.Store {
			file := s.(*fileStore).file
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, file.Name())
		}})
}

// TestOwnStoreIsCutOff: a line that was not written completely is removed, and the log continues.
func TestOwnStoreIsCutOff(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "campaigns")
	for n := range int64(3) {
		s, err := openFileStore(path)
		if err != nil {
			t.Fatal(err)
		}
		saved, err := s.Load(t.Context(), "mill")
		if int64(len(saved.Entries)) != n || err != nil && n > 0 {
			t.Errorf("%d entries, %v; want %d", len(saved.Entries), err, n)
		}
		err = s.Append(t.Context(), "mill", campaign.Entry{Version: n + 1, Data: []byte("{}")}, nil)
		_, torn := s.file.WriteString(`{"ID": "mi`)
		if err := errors.Join(err, torn, s.file.Close()); err != nil {
			t.Fatal(err)
		}
	}
}
