package main

import (
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/storetest"
)

// TestStore runs the tests for stores: lost races, repeated entries, restarts, strange IDs,
// cancelled calls.
func TestStore(t *testing.T) {
	again := func(_ *testing.T, s campaign.Store) campaign.Store { return fileStore{s.(fileStore).folder} }
	storetest.Run(t,
		func(t *testing.T) campaign.Store { return fileStore{t.TempDir()} },
		storetest.Options{Reopen: again, Beside: again})
}
