package campaign

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
)

// TestServicesThatAreGone: a turn that began with a memory and a retriever continues in an engine
// without them.
func TestServicesThatAreGone(t *testing.T) {
	t.Parallel()
	if got, err := (memoryFeed{}).recall(t.Context(), state.Campaign{}, memory.Query{}); err == nil {
		t.Errorf("recalled %+v", got)
	}
	if got, err := (&task{engine: new(Engine)}).retrieve(question.Retrieve{}); err == nil {
		t.Errorf("retrieved %+v", got)
	}
}

// TestRewrittenTurnsForMemories: a memory gets the turns that were rewritten since its last call, up
// to the newest turn that it has. For a loaded campaign these are the turns of the last two records.
func TestRewrittenTurnsForMemories(t *testing.T) {
	t.Parallel()
	c := state.Campaign{Version: 20, Rewritten: map[string]int64{"turn_0004": 20, "turn_0002": 19, "turn_0003": 18, "turn_0009": 20, "turn_0001": 12}}
	for _, w := range []struct {
		version int64
		upTo    int
		want    []string
	}{
		{0, 9, []string{"turn_0002", "turn_0004", "turn_0009"}}, {0, 8, []string{"turn_0002", "turn_0004"}},
		{17, 4, []string{"turn_0002", "turn_0003", "turn_0004"}}, {11, 1, []string{"turn_0001"}}, {12, 1, nil}, {20, 9, nil},
	} {
		r := memoryFeed{sent: &memoryProgress{version: w.version}}
		if got := r.rewrittenTurns(c, w.upTo); !slices.Equal(got, w.want) {
			t.Errorf("since %d up to turn %d: %q, want %q", w.version, w.upTo, got, w.want)
		}
	}
}
