package turn

import (
	"bytes"
	"cmp"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Announce runs hooks for an event between turns. The host passes on what [Todo.Announce] holds,
// one after the other, or announces its own events. An event that belongs to an instruction goes
// into that instruction, see [Submit].
type Announce struct {
	Event   string     `json:"event"`
	Payload tree.Value `json:"payload,omitzero"` // an object
	// ActorID is the character whose turn the event belongs to, empty: the active one. UserID is the
	// person. Like Channel they are for hooks.
	ActorID string    `json:"actor_id,omitempty"`
	UserID  string    `json:"user_id,omitempty"`
	Channel string    `json:"channel,omitempty"`
	At      time.Time `json:"at,omitzero"`
	// Audience lists the characters who know the event. The effects of hooks are private to them,
	// too. Empty: everybody.
	Audience []string `json:"audience,omitempty"`
}

func (Announce) inputType() string { return "announce" }

func (in Announce) apply(m *Machine) (Stop, error) {
	t := betweenTurns(m, in.At)
	line := &t.Order.In
	line.ActorID, line.UserID = cmp.Or(in.ActorID, line.ActorID), in.UserID
	line.Channel, line.Audience = in.Channel, in.Audience
	t.Order.In.Events = []state.HostEvent{{Event: in.Event, Payload: in.Payload}}
	return atAnnounce, nil
}

// announced commits the effects of hooks.
func announced(m *Machine) Stop {
	t := m.turn
	return m.commit(RecordKind(Announce{}.inputType()), t.Order.In.At, play.StagedCampaign(t), nil, Todo{Host: t.Stage.Pending.Host})
}

// settles reports whether the announcement is the next in order, and removes it from the list.
func (in Announce) settles(left *Todo) bool {
	if len(left.Announce) == 0 || !sameInput(left.Announce[0], in) {
		return false // an event of the host
	}
	left.Announce = left.Announce[1:]
	return true
}

// sameInput compares the logged forms of two inputs.
func sameInput(a, b Input) bool {
	aJSON, errA := openjson.Marshal(a)
	bJSON, _ := openjson.Marshal(b)
	return errA == nil && bytes.Equal(aJSON, bJSON)
}

// wantedByHooks removes the announcements that no hook waits for.
func wantedByHooks(m *Machine, list ...Announce) []Announce {
	var out []Announce
	for _, a := range list {
		if m.game.Hooks().Wants(a.Event) {
			out = append(out, a)
		}
	}
	return out
}

// afterCommit lists the announcements of a committed turn.
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
	return wantedByHooks(m, ofTurn(t, list...)...)
}

// ofTurn adds the people and the channel of a turn to its announcements.
func ofTurn(t *play.Turn, list ...Announce) []Announce {
	in := &t.Order.In
	for i := range list {
		a := &list[i]
		a.ActorID, a.UserID, a.Channel, a.At, a.Audience = in.ActorID, in.UserID, in.Channel, in.At, in.Audience
	}
	return list
}

// milestoneAdvanced announces a step of the milestone, from a turn or from the host.
func milestoneAdvanced(m state.Milestone, at time.Time) Announce {
	return Announce{Event: game.EventMilestoneAdvanced, At: at,
		Payload: tree.Object(tree.Member{Key: "value", Value: tree.Float(m.Value)})}
}
