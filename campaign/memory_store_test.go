package campaign_test

import (
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/storetest"
)

// TestStore runs the store tests on the store in memory: ST-01.
func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) campaign.Store { return &campaign.MemoryStore{} }, storetest.Options{Forgets: true})
}
