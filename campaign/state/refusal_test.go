package state_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/state"
)

// TestRefusalSaysWhatToDo: a refusal without a detail of its own says what would be carried out.
func TestRefusalSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]*state.Refusal{
		"campaign: refused: empty_input: the line is blank: turn.Proceed goes on without one": {Code: state.EmptyInput},
		"campaign: refused: empty_input: the host says so":                                    {Code: state.EmptyInput, Detail: "the host says so"},
		"campaign: refused: unknown_turn":                                                     {Code: state.UnknownTurn},
	} {
		if got := r.Error(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
