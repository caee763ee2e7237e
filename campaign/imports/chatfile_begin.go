package imports

import (
	"encoding/json"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// member is the member in which turns and campaigns keep the data they were read from.
const member = "sillytavern"

// AddTo makes the chat the history of a setup. It replaces the greeting and the turns of the setup.
// The names of the setup's characters identify the speakers, and the setup's actor says the lines
// of the player.
func (f ChatFile) AddTo(s *state.Setup) {
	opening, lines := f.split()
	s.Greeting, s.Turns = "", nil
	names := f.speakers(*s)
	for i, l := range lines {
		t := l.turn(names)
		t.ActorID = s.Selected.ActorID
		if t.ActorID == "" && len(s.Characters) > 0 {
			t.ActorID = s.Characters[0].ID
		}
		if i == len(lines)-1 {
			for _, other := range l.others(t) {
				s.Turns = append(s.Turns, other)
				t.AlternativeOf = again
			}
		}
		s.Turns = append(s.Turns, t)
	}
	for _, m := range opening {
		if !m.Hidden {
			s.Greeting = m.Text
		}
	}
	if s.Greeting == "" && len(lines) > 0 {
		s.GreetingID = "" // the card's greeting is not in this chat
	}
	if s.Extra == nil {
		s.Extra = map[string]json.RawMessage{}
	}
	s.Extra[member] = tree.Object(
		tree.Member{Key: "header", Value: f.writeHeader()},
		tree.Member{Key: "messages", Value: originalMessages(opening)}).AppendJSON(nil)
}

// again marks a turn of a setup as an alternative answer to the line of the turn before it.
const again = "again"

// line has the messages of one turn: a line of the player, if there is one, the answers to it, and
// hidden messages between them. All messages that are not hidden have the same audience.
type line []ChatMessage

// split divides a chat into the greeting, with the hidden messages around it, and the turns.
func (f ChatFile) split() (opening []ChatMessage, lines []line) {
	greeted := false
	for _, m := range f.Messages {
		switch {
		case len(lines) == 0 && (m.Hidden || !m.User && !greeted && len(m.Audience) == 0):
			greeted = greeted || !m.Hidden
			opening = append(opening, m)
		case len(lines) == 0, m.User && !m.Hidden, !m.Hidden && !state.SameAudience(lines[len(lines)-1].audience(), m.Audience):
			lines = append(lines, line{m})
		default:
			lines[len(lines)-1] = append(lines[len(lines)-1], m)
		}
	}
	return opening, lines
}

// audience returns the characters who hear the messages.
func (l line) audience() []string {
	for _, m := range l {
		if !m.Hidden {
			return m.Audience
		}
	}
	return nil
}

// speakers returns the IDs of the speaking characters by name, or nil if there is at most one.
func (f ChatFile) speakers(s state.Setup) map[string]string {
	ids := map[string]string{}
	for _, m := range f.Messages {
		if !m.User && !m.Hidden {
			ids[m.Name] = m.Name // a speaker who is not a character of the game keeps the name
		}
	}
	if len(ids) < 2 {
		return nil
	}
	for _, c := range s.Characters {
		if _, speaks := ids[c.Name]; speaks {
			ids[c.Name] = c.ID
		}
	}
	return ids
}

func (l line) turn(names map[string]string) state.Turn {
	t := state.Turn{Audience: l.audience(), Extra: map[string]json.RawMessage{
		member: tree.Object(tree.Member{Key: "messages", Value: originalMessages(l)}).AppendJSON(nil)}}
	var said []string
	for _, m := range l {
		switch {
		case m.Hidden:
			continue
		case m.User:
			t.UserInput = m.Text
		default:
			said = append(said, m.Text)
			if names != nil {
				t.Replies = append(t.Replies, state.Reply{Speaker: names[m.Name], Text: m.Text})
			}
		}
		t.Timestamp = m.Sent
	}
	t.Text = strings.Join(said, "\n\n")
	return t
}

// maxOthers is the maximum number of alternative answers that become turns: a campaign keeps no
// more (the setting alternatives.max). The original data of the chosen answer keeps the others.
const maxOthers = 100

// others returns the last alternatives to the chosen answer, in the order of the swipes.
func (l line) others(chosen state.Turn) []state.Turn {
	answer := l.answer()
	if answer < 0 || len(chosen.Replies) > 1 {
		return nil
	}
	var out []state.Turn
	swipes := l[answer].Swipes
	for i, text := range swipes {
		if i != l[answer].Swipe && i >= len(swipes)-maxOthers {
			t := chosen
			t.Text, t.Extra = text, nil
			if len(out) > 0 {
				t.AlternativeOf = again
			}
			if len(t.Replies) > 0 {
				t.Replies = []state.Reply{{Speaker: t.Replies[0].Speaker, Text: text}}
			}
			out = append(out, t)
		}
	}
	return out
}

// answer returns the index of the only message that is not the player's, or -1 if there is not
// exactly one.
func (l line) answer() int {
	at := -1
	for i, m := range l {
		if !m.User && !m.Hidden {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// originalMessages returns messages as a JSON list, in their original form.
func originalMessages(list []ChatMessage) tree.Value {
	out := make([]tree.Value, len(list))
	for i, m := range list {
		out[i] = m.write()
	}
	return tree.Array(out...)
}
