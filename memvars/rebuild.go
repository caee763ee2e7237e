package memvars

import "github.com/talewright/talewright/memvars/tree"

// Message is one message of a history, with who wrote it. What a host changed
// outside of messages belongs into the history as a message of the system.
type Message struct {
	Actor Actor  `json:"actor"`
	Text  string `json:"text"`
}

// Rebuild plays a whole history on the initial document: every message is applied as its
// actor, and each of the model's ends a turn. The result is the same, byte for byte, as that
// of live play with the same options.
//
// The messages of the player since the last reply belong to the turn, as in live
// play. Every message is applied by itself: joined into one, the days and the
// flags between them would be lost.
func (s *System) Rebuild(initial tree.Document, history []Message) (tree.Document, State) {
	d, st := initial, s.Begin(initial)
	var player []string
	for _, m := range history {
		d, _ = s.Apply(d, m.Text, m.Actor)
		switch m.Actor {
		case User:
			player = append(player, m.Text)
		case AI:
			d, st, _ = s.EndTurn(d, st, Turn{Reply: m.Text, Player: player})
			player = nil
		}
	}
	return d, st
}

// Verify rebuilds the history and compares: it returns what would have to change
// in d to make it right, nothing if it is. intact is true if even the spelling
// and the order of keys agree.
func (s *System) Verify(
	d, initial tree.Document, history []Message,
) (repair []tree.Change, intact bool) {
	want, _ := s.Rebuild(initial, history)
	repair = tree.Diff(d, want)
	return repair, len(repair) == 0 && d.String() == want.String()
}
