package campaign_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
)

// TestAnswersCostWhatIsNew: after 4,000 turns a second answer, a choice and the next turn allocate
// as much as after 100.
func TestAnswersCostWhatIsNew(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates too")
	}
	g := longGame(t)
	allocated := func(turns int) float64 {
		m := longMachine(t, g, longCampaign(t, g, turns))
		const rounds = 4
		return float64(testkit.Bytes(func() {
			for k := range rounds {
				for _, in := range []turn.Input{turn.Regenerate{}, turn.Regenerate{}, turn.Choose{}} {
					if c, ok := in.(turn.Choose); ok {
						c.TurnID = m.Campaign().Answers()[0]
						in = c
					}
					if err := m.Step(in); err != nil {
						t.Fatal(err)
					}
					if m.Todo().Generate != nil {
						step(t, m, turn.Replied{Text: "The gate is open. " + longReply[:40]})
					}
					if m.Todo().Commit == nil {
						t.Fatalf("%T: no commit, but %+v", in, m.Todo())
					}
					step(t, m, turn.Committed{})
				}
				longTurn(t, m, longWarm+k)
			}
		})) / rounds
	}
	few, many := allocated(100), allocated(4000)
	t.Logf("after 100 and 4,000 turns: %.0f and %.0f KB allocated", few/1024, many/1024)
	if many > 1.3*few {
		t.Errorf("answers allocate %.0f KB after 4,000 turns, %.0f KB after 100", many/1024, few/1024)
	}
}
