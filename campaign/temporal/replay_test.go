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

// TestHistoriesReplay plays histories again that a real server has recorded, of turns whose workers
// were killed and of a turn that was cancelled: instructions that run while workers are replaced by
// newer ones go on, and workflows decide nothing by a clock or by chance.
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

// registry takes activities too, which a replayer does not run.
type registry struct {
	worker.WorkflowReplayer
	worker.ActivityRegistry
	worker.NexusServiceRegistry
}

func (registry) RegisterActivityWithOptions(any, activity.RegisterOptions) {}
