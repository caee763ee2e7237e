package play

import (
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules/event"
)

// The settling files apply the consequences of an accepted output, and make the record of the turn
// and the campaign after it.

// WorkOut applies the consequences of an accepted output: the requests of its text in the dialects,
// then the events of the turn for rules and reactions.
func WorkOut(t *Turn) {
	if !t.Casting.Active() { // with a cast this was done for each reply
		t.Stage.ModelAsks(t.Written(), t.Out.Asks)
	}
	if t.Second != nil {
		t.Stage.ModelCommands(t.Second.Text)
	}
	EndVariables(t)
	TurnEvents(t)
}

// EndVariables advances time for the variables, once a turn.
func EndVariables(t *Turn) {
	if t.Order.Continues != nil { // a continued turn has already ended once
		t.Stage.EndVariables(nil)
		return
	}
	round := memvars.Turn{Reply: t.Casting.Written(t.Written()), Player: t.Order.Lines()}
	if t.View().Mode() != state.AudienceOff {
		round.Witnesses = t.Order.In.Audience
	}
	t.Stage.EndVariables(&round)
}

// TurnEvents raises the events of a finished turn, in their fixed order. Before that it removes the
// expired directives.
func TurnEvents(t *Turn) {
	p := &t.Stage.Pending
	n := t.Stage.Number
	p.State.Ledger, _ = p.State.Ledger.Expire(n)
	p.State.LoreEdits = p.State.LoreEdits.Expire(n)
	// The changes are already in the events of the turn, with the names that rules use.
	if t.Order.Continues != nil { // the turn is over, but its reply is longer now
		if !t.Casting.Active() { // with a cast the rules have already run
			t.Stage.Chain(event.ModelMessage(t.Narration()))
		}
		return
	}
	heard := event.OfTurn(t.Order.In.Text, t.ShownText(), n, nil)
	switch {
	case t.Casting.Active():
		heard = t.Casting.RemainingEvents(&t.Order, heard)
	case !t.Order.HasLine:
		heard = heard[1:] // there is no player's line
	}
	t.Stage.Chain(heard...)
}
