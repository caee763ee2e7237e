package campaign_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/memstore"
)

// TestPointersAreInputsToo: a pointer to an input is taken as the input, with all its
// bounds, and one to nothing is refused.
func TestPointersAreInputsToo(t *testing.T) {
	t.Parallel()
	m := begin(t, campaign.Content{}, "")
	var none *campaign.Submit
	for _, in := range []campaign.Input{nil, none, (*campaign.Replied)(nil)} {
		if err := m.Step(in); !errors.Is(err, campaign.ErrInvalidInput) {
			t.Errorf("%T: %v", in, err)
		}
	}
	step(t, m, &campaign.Submit{Text: "I wait."},
		&campaign.Replied{Text: "Dust falls. " + strings.Repeat("x", campaign.MaxReplyBytes)})
	reply, ok := m.Journal()[1].(campaign.Replied)
	if !ok || !reply.Cut || len(reply.Text) > campaign.MaxReplyBytes {
		t.Errorf("a reply beyond the bound is %T, cut %t, %d bytes", m.Journal()[1], reply.Cut, len(reply.Text))
	}

	e := newEngine(t, campaign.Config{Store: &memstore.Store{}, Model: scripted("Dust falls.")})
	if _, err := e.Do(t.Context(), "cave", none); !errors.Is(err, campaign.ErrInvalidInput) {
		t.Errorf("an engine: %v", err)
	}
	o, err := e.Do(t.Context(), "cave", &campaign.Submit{Text: "I wait."})
	if err != nil || o.Status != campaign.Completed || !o.Turn.Timestamp.Equal(noon) {
		t.Errorf("an engine: %v %s", err, o)
	}
}
