package play

import (
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules/event"
)

// The settling files apply the consequences of an accepted output, and make the record of the turn
// and the campaign after it.

// ApplyConsequences applies the consequences of an accepted output: the requests of its text in the dialects,
// then the events of the turn for rules and reactions.
func ApplyConsequences(t *Turn) {
	if !t.Casting.Active() { // with a cast this was done for each reply
		t.Stage.ApplyRequests(t.Written(), t.Out.Requests)
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
		t.Stage.ContinueVariables()
		return
	}
	round := memvars.Turn{Player: t.Order.Lines()}
	if t.View().Mode() != state.AudienceOff {
		round.Witnesses = t.Order.In.Audience
	}
	t.Stage.EndVariables(round)
}

// TurnEvents raises the events of a finished turn, in their fixed order. Before that it removes the
// expired directives.
func TurnEvents(t *Turn) {
	p := &t.Stage.Pending
	number := t.Stage.Number
	p.State.Ledger, _ = p.State.Ledger.Expire(number)
	p.State.LoreEdits = p.State.LoreEdits.Expire(number)
	if t.Order.Continues != nil { // the turn is over, but its reply is longer now
		if !t.Casting.Active() { // with a cast the rules have already run
			t.Stage.Chain(event.ModelMessage(t.Narration()))
		}
		return
	}
	raised := event.OfTurn(t.Order.In.Text, t.ShownText(), number, nil) // nil: the stage has queued the events of changes
	switch {
	case t.Casting.Active():
		raised = t.Casting.RemainingEvents(&t.Order, raised)
	case !t.Order.HasLine:
		raised = raised[1:] // there is no player's line
	}
	t.Stage.Chain(raised...)
}
