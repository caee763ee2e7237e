package campaign_test

import (
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/storetest"
)

// TestOwnStore: the store of the example passes the store tests, also with two instances.
func TestOwnStore(t *testing.T) {
	t.Parallel()
	same := func(_ *testing.T, s campaign.Store) campaign.Store { return folderStore{s.(folderStore).root} }
	storetest.Run(t, func(t *testing.T) campaign.Store { return folderStore{t.TempDir()} },
		storetest.Options{Reopen: same, Beside: same})
}
