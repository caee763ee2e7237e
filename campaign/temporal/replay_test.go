package temporal_test

import (
	"path/filepath"
	"testing"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/temporal"
	"github.com/talewright/talewright/llm/llmtest"
)

// TestHistoriesReplay replays histories that were recorded on a real server. They have turns with
// killed workers and a cancelled turn. This checks that running instructions continue on newer
// workers, and that workflows use no clock and no random numbers.
func TestHistoriesReplay(t *testing.T) {
	files, err := filepath.Glob("testdata/histories/*.json")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d histories: %v", len(files), err)
	}
	h := newHost(t, game.Content{}, campaign.Config{Model: llmtest.NewScripted()}, "{}")
	for _, file := range files {
		replayer := worker.NewWorkflowReplayer()
		if err := temporal.Register(registry{WorkflowReplayer: replayer}, temporal.Worker{Engine: h.engine}); err != nil {
			t.Fatal(err)
		}
		if err := replayer.ReplayWorkflowHistoryFromJSONFile(nil, file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// registry also accepts activities, which a replayer does not run.
type registry struct {
	worker.WorkflowReplayer
	worker.ActivityRegistry
	worker.NexusServiceRegistry
}

func (registry) RegisterActivityWithOptions(any, activity.RegisterOptions) {}
