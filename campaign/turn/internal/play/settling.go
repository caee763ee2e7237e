package play

import (
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules/event"
)

// The settling part works out what follows from an output that counts, and makes the record of the turn and the
// campaign after it.

// WorkOut lets everything follow from an output that has passed: what its text asks for
// in the languages of the dialects, then the events of the turn for rules and reactions.
func WorkOut(t *Turn) {
	if !t.Casting.Active() { // else it has been done reply by reply
		t.Stage.ModelAsks(t.Written(), t.Out.Asks)
	}
	EndVariables(t)
	TurnEvents(t)
}

// EndVariables lets time pass for the variables, once a turn.
func EndVariables(t *Turn) {
	if t.Order.Continues != nil { // a turn that goes on has ended before
		t.Stage.EndVariables(nil)
		return
	}
	round := memvars.Turn{Reply: t.Casting.Written(t.Written()), Player: t.Order.Lines()}
	if t.View().Mode() != state.AudienceOff {
		round.Witnesses = t.Order.In.Audience
	}
	t.Stage.EndVariables(&round)
}

// TurnEvents raises the events of a finished turn, in their fixed order. The
// directives whose time is over go first.
func TurnEvents(t *Turn) {
	p := &t.Stage.Staged
	n := t.Stage.Number
	p.State.Ledger, _ = p.State.Ledger.Expire(n)
	p.State.LoreEdits = p.State.LoreEdits.Expire(n)
	// What changed is in the events of the turn already, with the names that rules know.
	if t.Order.Continues != nil { // the turn is over, but there is more to hear of its reply
		if !t.Casting.Active() { // else it has been heard
			t.Stage.Chain(event.ModelMessage(t.Narration()))
		}
		return
	}
	heard := event.OfTurn(t.Order.In.Text, t.ShownText(), n, nil)
	switch {
	case t.Casting.Active():
		heard = t.Casting.RemainingEvents(&t.Order, heard)
	case !t.Order.HasLine:
		heard = heard[1:] // nobody said anything
	}
	t.Stage.Chain(heard...)
}
