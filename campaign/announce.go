package campaign

import (
	"time"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars"
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

// Announce lets hooks hear of something that has happened between turns: the host
// gives back what [Todo.Announce] holds, one after the other, or announces events
// of its own. What belongs to an instruction goes with it, see [Submit].
type Announce struct {
	Event   string        `json:"event"`
	Payload memvars.Value `json:"payload,omitzero"` // an object
	Channel string        `json:"channel,omitempty"`
	At      time.Time     `json:"at,omitzero"`
}

func (Announce) inputType() string { return "announce" }

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

// announce runs the hooks for an event between turns and commits what they did.
func (m *Machine) announce(in Announce) error {
	values := m.game.settings.Freeze(m.base.GlobalSettings, m.base.Settings)
	m.turn = m.betweenTurns(in.At, values)
	m.turn.in.Channel = in.Channel
	return m.raise(in.Event, members(in.Payload), func() error {
		t := m.turn
		next := t.next
		next.State = t.staged.state
		next.State.Random = t.cursor
		host := t.staged.host
		return m.commit(in.inputType(), in.At, next, nil, func() Todo { return Todo{Host: host} })
	})
}

// betweenTurns is a stage for what happens while no turn runs: nothing that lasts
// until the next turn ends.
func (m *Machine) betweenTurns(at time.Time, values setting.Values) *turn {
	next := m.base.clone()
	t := newTurn(m.game, next, Submit{ActorID: next.State.Selected.ActorID, At: at}, values)
	t.past = &m.past
	t.settled.state.Hooks = next.State.Hooks
	t.settled.state.Injections = next.State.Injections
	t.undo()
	return t
}

// afterCommit lists what there is to tell of a committed turn.
func (m *Machine) afterCommit(t *turn, record Turn, milestone bool) []Announce {
	text := func(key, value string) memvars.Value {
		return memvars.Object(memvars.Member{Key: key, Value: memvars.Text(value)})
	}
	list := []Announce{{Event: EventTurnCommitted, Payload: text("turn_id", record.ID)}}
	if milestone {
		value := memvars.Float(t.staged.state.Milestone.Value)
		list = append(list, Announce{Event: EventMilestoneAdvanced,
			Payload: memvars.Object(memvars.Member{Key: "value", Value: value})})
	}
	list = append(list, Announce{Event: hooks.EventAfterSend, Payload: text("text", record.Text)})
	for i := range list {
		list[i].At, list[i].Channel = t.in.At, t.in.Channel
	}
	return m.wanted(list...)
}
