package turn

import (
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars/tree"
)

// wanted leaves out the announcements that no hook waits for.
func (m *Machine) wanted(list ...Announce) []Announce {
	var out []Announce
	for _, a := range list {
		if m.game.Hooks().Wants(a.Event) {
			out = append(out, a)
		}
	}
	return out
}

// afterCommit lists what there is to tell of a committed turn.
func (m *Machine) afterCommit(t *run, record state.Turn, milestone bool) []Announce {
	text := func(key, value string) tree.Value {
		return tree.Object(tree.Member{Key: key, Value: tree.Text(value)})
	}
	list := []Announce{{Event: game.EventTurnCommitted, Payload: text("turn_id", record.ID)}}
	if milestone {
		value := tree.Float(t.staged.state.Milestone.Value)
		list = append(list, Announce{Event: game.EventMilestoneAdvanced,
			Payload: tree.Object(tree.Member{Key: "value", Value: value})})
	}
	list = append(list, Announce{Event: hooks.EventAfterSend, Payload: text("text", record.Text)})
	for i := range list {
		list[i].At, list[i].Channel = t.in.At, t.in.Channel
	}
	return m.wanted(list...)
}
