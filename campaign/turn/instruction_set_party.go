package turn

import (
	"fmt"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// SetParty replaces the party. Members lists all members of the new party, in order; each is a
// known character. A character who leaves the party stays in the campaign. ActorID, if given, is
// the next active actor and must be a member who can act. Without it the active actor stays. If
// that actor leaves, the first member who can act becomes active.
//
// The party and the characters are part of the state. An instruction that returns to an earlier state
// ([Undo], [RollBack], [Regenerate], [Choose]) also brings back its party. A host whose players join
// and leave compares the party after such an instruction, and sets it again if it differs.
type SetParty struct {
	Members []string  `json:"members"`
	ActorID string    `json:"actor_id,omitempty"`
	At      time.Time `json:"at,omitzero"`
}

func (SetParty) inputType() string { return "set_party" }

func (in SetParty) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	s := &next.State
	isLeft := make(map[string]bool, len(s.Characters)) // the characters who are not members yet
	for _, c := range s.Characters {
		isLeft[c.ID] = true
	}
	for i, id := range in.Members {
		if !isLeft[id] {
			return idle, &state.Refusal{Code: state.InvalidParty,
				Detail: fmt.Sprintf("members[%d]: %q is not a character, or is given twice", i, id)}
		}
		isLeft[id] = false
	}
	if len(in.Members) == 0 {
		return idle, &state.Refusal{Code: state.InvalidParty, Detail: "members: empty; name at least one character"}
	}
	s.Selected.Party = slices.Clone(in.Members)
	if in.ActorID != "" {
		s.Selected.ActorID = in.ActorID
	}
	switch {
	case in.ActorID != "" && !s.InParty(in.ActorID):
		return idle, refusal(state.ActorNotInParty)
	case in.ActorID != "" && !mayAct(m, *s, in.ActorID):
		return idle, refusal(state.ActorCannotAct)
	case s.InParty(s.Selected.ActorID):
	default:
		s.Selected.ActorID = in.Members[0]
		if i := slices.IndexFunc(in.Members, func(id string) bool { return mayAct(m, *s, id) }); i >= 0 {
			s.Selected.ActorID = in.Members[i]
		}
	}
	return m.change(in, in.At, next), nil
}
