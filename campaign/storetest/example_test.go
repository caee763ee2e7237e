package storetest_test

import (
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/storetest"
)

// The test of a store. Here it tests the store in memory, which loses its campaigns when the
// program ends.
func ExampleRun() {
	var TestStore = func(t *testing.T) {
		storetest.Run(t, func(*testing.T) campaign.Store { return &campaign.MemoryStore{} }, storetest.Options{Forgets: true})
	}
	_ = TestStore // go test calls it
}
