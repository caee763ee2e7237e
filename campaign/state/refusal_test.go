package state_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/state"
)

// TestRefusalSaysWhatToDo: a refusal without a detail has advice.
func TestRefusalSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for code, part := range map[state.RefusalCode]string{
		state.StaleHead: "send the line with its id", state.CampaignEnded: "turn.RollBack", state.NotActiveActor: "turn.SelectActor",
		state.RollbackUnavailable: "rollback.max_checkpoints", state.UnknownDecision: "accept_text", state.UnknownCharacter: "the audience",
		state.QueueFull: "later", state.NoAutoRound: "cast.auto_replies",
	} {
		if got := (&state.Refusal{Code: code}).Error(); !strings.Contains(got, part) {
			t.Errorf("%s\nwant %s in it", got, part)
		}
	}
	for want, r := range map[string]*state.Refusal{
		"campaign: refused: empty_input: the line is blank: use turn.Proceed for a turn without a line": {Code: state.EmptyInput},
		"campaign: refused: empty_input: the host says so":                                              {Code: state.EmptyInput, Detail: "the host says so"},
		"campaign: refused: unknown_turn":                                                               {Code: state.UnknownTurn},
	} {
		if got := r.Error(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
