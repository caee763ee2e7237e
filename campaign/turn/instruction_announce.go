package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
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
	t := m.betweenTurns(in.At)
	t.in.Channel, t.in.Audience = in.Channel, in.Audience
	t.in.Events = []state.HostEvent{{Event: in.Event, Payload: in.Payload}}
	return atAnnounce, nil
}

// announced commits what hooks did.
func (m *Machine) announced() Stop {
	t := m.turn
	return m.commit(RecordKind(Announce{}.inputType()), t.in.At, t.stagedCampaign(), nil, Todo{Host: t.staged.host})
}

// settles: announcements come in the order in which they are due.
func (in Announce) settles(left *Todo) bool {
	if len(left.Announce) == 0 || !sameInput(left.Announce[0], in) {
		return false // one of the host's
	}
	left.Announce = left.Announce[1:]
	return true
}
