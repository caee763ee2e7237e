package imports

import (
	"encoding/json"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// The chatfile part reads and writes the chats of SillyTavern: files of JSON lines, a header first
// and then a message each, with the answers (swipes) that were not chosen.
//
// A chat that was begun elsewhere goes on as a campaign:
//
//	start, err := Card(png, Options{ID: "seraphina", Player: "Mara"})
//	chat, problems := imports.ParseChat(data)
//	chat.AddTo(&start.Setup)
//	_, err = engine.Create(ctx, start.Setup)
//
// The engine's own sentences are those of the card's content; a chat does not change them.
// A campaign that was played becomes a chat, see [ChatOf].
//
// # What becomes of a chat
//
// Each line of the player begins a turn, and what the characters say behind it is that turn's
// answer; several messages are its [state.Reply] list. What they say before the first line is the
// greeting of the setup, and further turns without a line. Hidden messages (is_system) are
// prompted nowhere. The last 100 swipes of the last answer become turns; the campaign keeps as many of them as the setting
// alternatives.max says, as alternatives for turn.Choose. All swipes are in the chat that is written again. No
// state of a game comes of a chat: there is none in it.
//
// The messages as they were stand in the member "sillytavern" of the turns and of the campaign,
// with everything that is not known here. [ChatOf] writes them back as they are where the turn still
// says the same, so that a chat that was read, played on and written has lost nothing.
//
// # Bounds
//
// Reading is linear in the size of the file. A message nests at most as deep as any document of
// the library ([tree.MaxDepth]); one that is no JSON object is reported with its line and left
// out. Everything is pure and safe for concurrent use.

// member is where turns and campaigns keep what they were read from.
const member = "sillytavern"

// AddTo makes the chat the history of a setup: its greeting and its turns. What the setup has of
// both is replaced; the names of its characters tell who says what, and its actor says the lines
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
	if s.Extra == nil {
		s.Extra = map[string]json.RawMessage{}
	}
	s.Extra[member] = tree.Object(
		tree.Member{Key: "header", Value: f.writeHeader()},
		tree.Member{Key: "messages", Value: raws(opening)}).AppendJSON(nil)
}

// again marks a turn of a setup as another answer to the line of the one before it.
const again = "again"

// line is what becomes one turn: a line of the player's, if there is one, what is said behind it,
// and what is hidden between.
type line []ChatMessage

// split cuts a chat into the greeting, with what is hidden before and behind it, and the turns.
func (f ChatFile) split() (opening []ChatMessage, lines []line) {
	greeted := false
	for _, m := range f.Messages {
		switch {
		case len(lines) == 0 && (m.Hidden || !m.User && !greeted):
			greeted = greeted || !m.Hidden
			opening = append(opening, m)
		case len(lines) == 0, m.User && !m.Hidden:
			lines = append(lines, line{m})
		default:
			lines[len(lines)-1] = append(lines[len(lines)-1], m)
		}
	}
	return opening, lines
}

// speakers are the ids of the characters that say something, by name; nil if one alone does.
func (f ChatFile) speakers(s state.Setup) map[string]string {
	ids := map[string]string{}
	for _, m := range f.Messages {
		if !m.User && !m.Hidden {
			ids[m.Name] = m.Name // who is no character of the game keeps the name
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
	t := state.Turn{Extra: map[string]json.RawMessage{
		member: tree.Object(tree.Member{Key: "messages", Value: raws(l)}).AppendJSON(nil)}}
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

// maxOthers is how many answers in addition to the chosen one become turns: a campaign keeps no more
// (setting.MaxAlternatives). The others stay in what the chosen one was read from.
const maxOthers = 100

// others returns the last answers in addition to the one that is chosen, in the order of the swipes.
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

// answer is the place of the one message that is not the player's, -1 if there are none or several.
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

// raws are messages as a list of JSON.
func raws(list []ChatMessage) tree.Value {
	out := make([]tree.Value, len(list))
	for i, m := range list {
		out[i] = m.write()
	}
	return tree.Array(out...)
}
