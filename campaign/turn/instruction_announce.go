package turn

import (
	"bytes"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Announce lets hooks hear of something that has happened between turns: the host
// gives back what [Todo.Announce] holds, one after the other, or announces events
// of its own. What belongs to an instruction goes with it, see [Submit].
type Announce struct {
	Event   string     `json:"event"`
	Payload tree.Value `json:"payload,omitzero"` // an object
	Channel string     `json:"channel,omitempty"`
	At      time.Time  `json:"at,omitzero"`
	// Audience are those who know of it: what hooks make of it is as private; empty: everybody.
	Audience []string `json:"audience,omitempty"`
}

func (Announce) inputType() string { return "announce" }

func (in Announce) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in Announce) apply(m *Machine) (Stop, error) {
	t := betweenTurns(m, in.At)
	t.Order.In.Channel, t.Order.In.Audience = in.Channel, in.Audience
	t.Order.In.Events = []state.HostEvent{{Event: in.Event, Payload: in.Payload}}
	return atAnnounce, nil
}

// announced commits what hooks did.
func announced(m *Machine) Stop {
	t := m.turn
	return m.commit(RecordKind(Announce{}.inputType()), t.Order.In.At, play.StagedCampaign(t), nil, Todo{Host: t.Stage.Staged.Host})
}

// settles: announcements come in the order in which they are due.
func (in Announce) settles(left *Todo) bool {
	if len(left.Announce) == 0 || !sameInput(left.Announce[0], in) {
		return false // one of the host's
	}
	left.Announce = left.Announce[1:]
	return true
}

// sameInput compares two inputs as the log has them.
func sameInput(a, b Input) bool {
	x, errA := openjson.Marshal(a)
	y, errB := openjson.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

// wantedByHooks leaves out the announcements that no hook waits for.
func wantedByHooks(m *Machine, list ...Announce) []Announce {
	var out []Announce
	for _, a := range list {
		if m.game.Hooks().Wants(a.Event) {
			out = append(out, a)
		}
	}
	return out
}

// afterCommit lists what there is to tell of a committed turn.
func afterCommit(m *Machine, done play.Finished) []Announce {
	t := m.turn
	text := func(key, value string) tree.Value {
		return tree.Object(tree.Member{Key: key, Value: tree.Text(value)})
	}
	list := []Announce{{Event: game.EventTurnCommitted, Payload: text("turn_id", done.Turn.ID)}}
	if done.Milestone {
		list = append(list, milestoneAdvanced(done.Next.State.Milestone, t.Order.In.At))
	}
	if play.SaysSomething(t) {
		list = append(list, Announce{Event: act.AfterSend, Payload: text("text", done.Turn.Text)})
	}
	for i := range list {
		list[i].At, list[i].Channel, list[i].Audience = t.Order.In.At, t.Order.In.Channel, t.Order.In.Audience
	}
	return wantedByHooks(m, list...)
}

// milestoneAdvanced tells of a step, which a turn or the host has made.
func milestoneAdvanced(m state.Milestone, at time.Time) Announce {
	return Announce{Event: game.EventMilestoneAdvanced, At: at,
		Payload: tree.Object(tree.Member{Key: "value", Value: tree.Float(m.Value)})}
}
