package imports

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// ChatNames are the names of speakers that the campaign does not name.
type ChatNames struct {
	// User is the name of an actor who is not a character. Character is the name for texts without
	// a speaker.
	User, Character string
}

// ChatOf converts a campaign into a chat: its greeting, and the turns that lead to its head. Pass
// the turns of the campaign, oldest first. [campaign.Engine.History] has all of them or, for one
// player, the turns that this player has heard. [state.Campaign.BranchTurns] has only the turns in
// memory, which are all turns only in a short campaign. The answers to the line of the head become
// the swipes of the last message. Messages of private turns have their audience.
func ChatOf(c state.Campaign, turns []state.Turn, names ChatNames) ChatFile {
	w := writer{c: c, names: names}
	chat := originalData(c.Extra)
	out := ChatFile{UserName: names.User, CharacterName: names.Character}
	if header := chat.Get("header"); header.IsObject() {
		out.readHeader(header)
	}
	opening := messagesOf(chat)
	if f := (ChatFile{Messages: opening}); f.greeting() == c.State.Greeting {
		out.Messages = opening
	} else if c.State.Greeting != "" {
		out.Messages = []ChatMessage{{Name: names.Character, Text: c.State.Greeting, Sent: c.CreatedAt}}
	}
	for _, t := range turns {
		out.Messages = append(out.Messages, w.line(t)...)
	}
	return out
}

// greeting returns the text of an opening.
func (f ChatFile) greeting() string {
	text := ""
	for _, m := range f.Messages {
		if !m.Hidden {
			text = m.Text
		}
	}
	return text
}

// writer converts turns into messages.
type writer struct {
	c     state.Campaign
	names ChatNames
}

// line returns the messages of a turn: the original ones if they still say the same.
func (w writer) line(t state.Turn) line {
	l := line(messagesOf(originalData(t.Extra)))
	if len(l) == 0 || !l.says(t) {
		l = w.written(t)
	}
	if t.ID == w.c.State.HeadTurnID {
		w.swipe(l, t)
	}
	return l
}

// says reports whether the messages still have the text of the turn.
func (l line) says(t state.Turn) bool {
	names := map[string]string(nil)
	if len(t.Replies) > 0 {
		names = map[string]string{}
	}
	was := l.turn(names)
	return was.UserInput == t.UserInput && was.Text == t.Text && len(was.Replies) == len(t.Replies) &&
		state.SameAudience(was.Audience, t.Audience)
}

// written returns a turn as new messages.
func (w writer) written(t state.Turn) line {
	var l line
	if t.UserInput != "" {
		l = append(l, ChatMessage{Name: w.name(t.ActorID, w.names.User), User: true, Text: t.UserInput, Sent: t.Timestamp})
	}
	for _, r := range t.Replies {
		l = append(l, ChatMessage{Name: w.name(r.Speaker, r.Speaker), Text: r.Text, Sent: t.Timestamp})
	}
	if len(t.Replies) == 0 && t.Text != "" {
		l = append(l, ChatMessage{Name: w.names.Character, Text: t.Text, Sent: t.Timestamp})
	}
	for i := range l {
		l[i].Audience = t.Audience
	}
	return l
}

// name returns the name of a character, or other if there is no such character.
func (w writer) name(id, other string) string {
	if c, ok := w.c.State.Character(id); ok {
		return c.Name
	}
	return other
}

// swipe adds the alternative answers to the answer of the head.
func (w writer) swipe(l line, t state.Turn) {
	answers := w.c.Answers()
	at := l.answer()
	if at < 0 || len(answers) < 2 {
		return
	}
	// The original swipes come first, in their order, including those that the campaign does not
	// keep as answers.
	m := &l[at]
	var texts, read []string
	for _, id := range answers {
		one, ok := w.c.Turn(id)
		if !ok {
			continue
		}
		texts = append(texts, one.Text)
		was := line(messagesOf(originalData(one.Extra)))
		if i := was.answer(); i >= 0 && len(was[i].Swipes) > len(read) {
			read = was[i].Swipes
		}
	}
	left := map[string]int{}
	for _, text := range read {
		left[text]++
	}
	all := slices.Clip(read)
	for _, text := range texts {
		if left[text]--; left[text] < 0 {
			all = append(all, text)
		}
	}
	if m.Text == t.Text && slices.Equal(m.Swipes, all) {
		return // unchanged
	}
	m.Swipes, m.Swipe = all, max(slices.Index(all, t.Text), 0)
}

// originalData returns the original data of a turn or a campaign.
func originalData(extra map[string]json.RawMessage) tree.Value {
	v, _ := tree.ParseValue(extra[member]) // a missing member is no value
	return v
}

// messagesOf returns the messages of the original data.
func messagesOf(kept tree.Value) []ChatMessage {
	var out []ChatMessage
	for _, v := range kept.Get("messages").Elements() {
		if v.IsObject() {
			m, _ := readMessage(v, "")
			out = append(out, m)
		}
	}
	return out
}
