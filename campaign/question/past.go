package question

import "slices"

// Past asks for what the log knows of the past.
type Past struct {
	// State is the reference to a state, see [state.StateRef]; empty: none is wanted.
	State string
	// Turns are the ids of turns, in the order of their numbers.
	Turns []string
	// Jumps asks for those on the pages of [state.Campaign.Attic], Branch for a branch there.
	Jumps  bool
	Branch string
}

// Words are what is asked for.
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
