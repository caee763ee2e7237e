package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

// NextAnswer moves the head to the next answer to its line, in the order of
// [state.Campaign.Answers]. Before the first turn it moves to the next greeting of the card. After
// the last answer it is refused as [state.UnknownAlternative]; use [Regenerate] for a new answer.
// [Choose] says which state an answer restores.
type NextAnswer struct {
	At time.Time `json:"at,omitzero"`
}

func (NextAnswer) inputType() string { return "next_answer" }

func (in NextAnswer) apply(m *Machine) (Stop, error) { return chooseNeighbour(m, 1, in.At) }

// chooseNeighbour chooses the answer or the greeting that is step places after the present one. A
// negative step goes back.
func chooseNeighbour(m *Machine, step int, at time.Time) (Stop, error) {
	s := m.base.State
	if s.HeadTurnID == state.StartTurnID {
		n, ok := draft.OpeningIndex(s.GreetingID, m.game)
		if !ok && s.Greeting == "" {
			n = -1 // the story has no greeting yet
		}
		n = min(n, len(m.game.Openings())) + step // the content may have fewer openings now
		return Choose{Greeting: &n, At: at}.apply(m)
	}
	list := m.base.Answers()
	for i, id := range list {
		if to := i + step; id == s.HeadTurnID && to >= 0 && to < len(list) {
			return Choose{TurnID: list[to], At: at}.apply(m)
		}
	}
	return idle, &state.Refusal{Code: state.UnknownAlternative, Detail: "there is no other answer in this direction"}
}
