package past

import (
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
)

// TestCalibration: a report of the provider changes the ratio of tokens, unless there is no report or
// the server has read only a part of the prompt.
func TestCalibration(t *testing.T) {
	t.Parallel()
	usage := &llm.Usage{PromptTokens: 1200}
	for name, c := range map[string]struct {
		ratio    float64
		attempts []state.Attempt
		want     float64
	}{
		"no attempt":           {1, nil, 1},
		"the first report":     {0, []state.Attempt{{Usage: usage}}, 1.2},
		"a later report":       {1, []state.Attempt{{Usage: usage, ModelWarnings: []llm.Warning{{Code: "slow"}}}}, 1.05},
		"a report of nothing":  {1, []state.Attempt{{Usage: &llm.Usage{}}}, 1},
		"a part of the prompt": {1, []state.Attempt{{Usage: usage, ModelWarnings: []llm.Warning{{Code: promptCut}}}}, 1},
	} {
		if got := Calibrated(c.ratio, 1000, c.attempts); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestReadTurnsAreDropped: turns that were read stay for the next turn, unless they are many more than
// the turn before looked back.
func TestReadTurnsAreDropped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ read, reach, want int }{{maxRead, 0, maxRead}, {maxRead + 1, 0, 0}, {maxRead + 1, maxRead, maxRead + 1}} {
		p := WindowPast{Read: map[string]state.Turn{}, Reach: c.reach}
		for n := range c.read {
			p.Read[state.TurnID(n+1)] = state.Turn{}
		}
		if p.Begin(); len(p.Read) != c.want || p.Reach != 0 {
			t.Errorf("%d turns, %d back: %d stay", c.read, c.reach, len(p.Read))
		}
	}
}
