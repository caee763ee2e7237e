package turn

import (
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks/on"
)

// endIfVetoed ends the turn that a rule or hook has forbidden. Only what its acceptance changed
// stays, and what hooks said to the player is said.
func endIfVetoed(m *Machine) Stop {
	t := m.turn
	if t.stage.Texts.Veto == nil {
		return onward
	}
	outcome := Outcome{
		Status: Refused, Reason: string(state.Vetoed), Detail: t.stage.Texts.Veto.Reason,
		Messages: t.stage.Staged.Messages, DialogType: t.dialog.kind.ID, DialogTypeSource: t.dialog.source, Audience: t.order.in.Audience,
	}
	if !t.headChanged {
		return m.endWith(outcome)
	}
	return m.commit(RecordFailed, t.order.in.At, unplayed(t), nil, Todo{Outcome: &outcome})
}

// untold reports whether the host does not list an event among those of the submission. Else
// it is the host who knows when it happened and what it carries.
func untold(event string) func(*run) bool {
	return func(t *run) bool {
		for _, e := range t.order.in.Events {
			var own [1]string
			for _, name := range on.NamesOf(event, &own) {
				if e.Event == name {
					return false
				}
			}
		}
		return true
	}
}
