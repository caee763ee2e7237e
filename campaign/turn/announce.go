package turn

import (
	"bytes"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/internal/openjson"
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
	if t.saysSomething() {
		list = append(list, Announce{Event: on.AfterSend, Payload: text("text", record.Text)})
	}
	for i := range list {
		list[i].At, list[i].Channel, list[i].Audience = t.in.At, t.in.Channel, t.in.Audience
	}
	return m.wanted(list...)
}

// aftermath is an instruction that may be what another one has led to.
type aftermath interface {
	// settles reports whether it is what is left to do, and takes it off.
	settles(left *Todo) bool
}

// Settle reports whether a record is of something that an earlier instruction has ended with: its
// first announcement, or its summary. That is then no longer to be done.
func (t *Todo) Settle(rec Record) bool {
	if len(rec.Inputs) == 0 {
		return false
	}
	in, ok := rec.Inputs[0].(aftermath)
	return ok && in.settles(t)
}

// sameInput compares two inputs as the log has them.
func sameInput(a, b Input) bool {
	x, errA := openjson.Marshal(a)
	y, errB := openjson.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}
