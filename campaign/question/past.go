package question

import "slices"

// Past asks the log for turns, states and branches that the head does not hold.
type Past struct {
	// State is the reference to a state, see [state.StateRef]; empty: no state is needed.
	State string
	// Turns lists IDs of turns, in the order of their numbers.
	Turns []string
	// Jumps asks for the jumps on the pages of [state.Campaign.Archive]. Branch asks for one branch
	// there.
	Jumps  bool
	Branch string
}

// Words returns the parts of the question as a list of words.
func (q Past) Words() []string {
	out := slices.Clone(q.Turns)
	if q.State != "" {
		out = append(out, q.State)
	}
	if q.Branch != "" {
		out = append(out, q.Branch)
	}
	if q.Jumps {
		out = append(out, "jumps")
	}
	return out
}
