package campaign

import (
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars/tree"
)

// The events of the engine that hooks may wait for, beside those of package hooks.
// All but the first are raised after the commit.
const (
	EventTurnAccepted      = "turn.accepted"      // content
	EventTurnCommitted     = "turn.committed"     // turn_id
	EventTurnConflict      = "turn.conflict"      // kinds
	EventMilestoneAdvanced = "milestone.advanced" // value
	EventRollbackDone      = "rollback.done"      // from_turn_id, to_turn_id
)

// engineEvents lists the events that the engine adds to those of package hooks.
func engineEvents() []string {
	return []string{EventTurnAccepted, EventTurnCommitted, EventTurnConflict,
		EventMilestoneAdvanced, EventRollbackDone}
}

// wanted leaves out the announcements that no hook waits for.
func (m *Machine) wanted(list ...Announce) []Announce {
	var out []Announce
	for _, a := range list {
		if m.game.hooks.Wants(a.Event) {
			out = append(out, a)
		}
	}
	return out
}

// afterCommit lists what there is to tell of a committed turn.
func (m *Machine) afterCommit(t *turn, record Turn, milestone bool) []Announce {
	text := func(key, value string) tree.Value {
		return tree.Object(tree.Member{Key: key, Value: tree.Text(value)})
	}
	list := []Announce{{Event: EventTurnCommitted, Payload: text("turn_id", record.ID)}}
	if milestone {
		value := tree.Float(t.staged.state.Milestone.Value)
		list = append(list, Announce{Event: EventMilestoneAdvanced,
			Payload: tree.Object(tree.Member{Key: "value", Value: value})})
	}
	list = append(list, Announce{Event: hooks.EventAfterSend, Payload: text("text", record.Text)})
	for i := range list {
		list[i].At, list[i].Channel = t.in.At, t.in.Channel
	}
	return m.wanted(list...)
}
