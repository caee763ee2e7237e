package campaign_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
)

// TestPointersAreInputsToo: a pointer to an input is accepted as the input, with all its limits. A
// nil pointer is refused.
func TestPointersAreInputsToo(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{}, "")
	var none *turn.Submit
	for _, in := range []turn.Input{nil, none, (*turn.Replied)(nil)} {
		if err := m.Step(in); !errors.Is(err, turn.ErrInvalidInput) {
			t.Errorf("%T: %v", in, err)
		}
	}
	step(t, m, &turn.Submit{Text: "I wait."},
		&turn.Replied{Text: "Dust falls. " + strings.Repeat("x", turn.MaxReplyBytes)})
	reply, ok := m.Journal()[1].(turn.Replied)
	if !ok || !reply.Cut || len(reply.Text) > turn.MaxReplyBytes {
		t.Errorf("a reply beyond the bound is %T, cut %t, %d bytes", m.Journal()[1], reply.Cut, len(reply.Text))
	}

	e := newEngine(t, campaign.Config{Store: &campaign.MemoryStore{}, Model: scripted("Dust falls.")})
	if _, err := e.Do(t.Context(), "cave", none); !errors.Is(err, turn.ErrInvalidInput) {
		t.Errorf("an engine: %v", err)
	}
	o, err := e.Do(t.Context(), "cave", &turn.Submit{Text: "I wait."})
	if err != nil || o.Status != turn.Completed || !o.Turn.Timestamp.Equal(noon) {
		t.Errorf("an engine: %v %s", err, o)
	}
}
