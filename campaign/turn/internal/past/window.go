package past

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/worldbook"
)

// The window files have the part of a campaign's past that a turn reads. [Window] is the
// conversation, with the needed turns of the head and of the log, and the lines and the budget of a
// prompt. [WindowPast] is the data kept from one turn to the next.
//
// The types are not safe for concurrent use.

// Window is a turn's view of the past, with the part that a prompt may show.
type Window struct {
	draft.Turn
	Past *WindowPast
}

// Chat returns the conversation as the world book reads it. It ends with the new line and the
// replies to it so far. The result is valid until the next message is added.
func (w Window) Chat() []worldbook.Message { return w.WholeChat().Heard() }

// WholeChat returns the conversation with all messages of this turn.
func (w Window) WholeChat() draft.Shown {
	log := w.Conversation()
	n, now := len(log.Messages), len(log.Messages)
	if w.HasLine {
		log.Say(w.PlayerNames(w.In.ActorID), w.In.Text, draft.MessageSource{Role: llm.User, Only: w.Viewer().Mark(w.In.Audience)})
	}
	if w.Continues != nil && len(log.Starts) > 0 { // the last turn is the running one
		now = log.Starts[len(log.Starts)-1]
	}
	if len(w.Spoken) > 0 {
		log.AddReplies(w.Spoken, w.Viewer().Mark(w.In.Audience), w.voices())
	}
	all := draft.Shown{Messages: log.Messages, Sources: log.Sources, Hidden: log.Earlier, Now: now}
	log.Messages, log.Sources = log.Messages[:n], log.Sources[:n] // with the capacity for all messages
	return all
}

// Conversation returns the past up to the previous turn, as far back as the head and the running
// turn need it.
func (w Window) Conversation() *draft.Log {
	s := &w.Campaign.State
	gone := s.TurnCount - max(w.heldTurns(), min(w.Past.Reach, s.TurnCount))
	log := w.Past.chats[w.chatKey()]
	if log == nil || log.Greeting != s.Greeting || !w.sameNames(log.Names) || log.Gone > gone {
		log = w.newChat(gone)
	}
	turns, isConnected := w.turnsAfter(log.Head, s.TurnCount-gone)
	if !isConnected && log.StepBack(w.Campaign, s.HeadTurnID) { // for a new answer to the same line
		turns = nil
	} else if !isConnected { // the conversation is new, or belongs to a different branch
		log = w.newChat(gone)
	}
	if len(turns) > 0 {
		voices := w.voices()
		for _, turn := range slices.Backward(turns) {
			log.Add(turn, voices)
		}
	}
	log.Head = s.HeadTurnID
	log.Drop(gone)
	return log
}

// turnsAfter returns the turns between a turn and the head, newest first, at most as many as limit. It
// reports false if the turn is not found before them.
func (w Window) turnsAfter(id string, limit int) (turns []*state.Turn, found bool) {
	if found = id == w.Campaign.State.HeadTurnID; found || limit <= 0 {
		return nil, found
	}
	for turn := range w.backFromHead() {
		turns = append(turns, turn)
		if found = turn.ParentID == id; found || len(turns) == limit {
			break
		}
	}
	return turns, found
}

// voices returns the names of the speakers, and the viewer.
func (w Window) voices() draft.Voices {
	return draft.Voices{Teller: w.TellerNames(), Player: w.PlayerNames, Member: w.MemberNames, Viewer: w.Viewer()}
}

// newChat returns a conversation without turns.
func (w Window) newChat(gone int) *draft.Log {
	if len(w.Past.chats) >= maxChats || w.Past.chats == nil {
		w.Past.chats = map[string]*draft.Log{}
	}
	opener, _ := w.Opener()
	names := w.TellerNames()
	if opener != "" {
		names = w.MemberNames(opener)
	}
	log := draft.New(w.Campaign.State.Greeting, names, draft.MessageSource{Role: llm.Assistant, Speaker: opener}, gone)
	w.Past.chats[w.chatKey()] = log
	return log
}

// sameNames reports whether all names are still the same.
func (w Window) sameNames(names map[string][]string) bool {
	for id, known := range names {
		if !slices.Equal(w.PlayerNames(id), known) {
			return false
		}
	}
	return true
}

// chatKey returns the key of the conversation that the viewer hears.
func (w Window) chatKey() string {
	viewer := w.Viewer()
	key := w.TellerName()
	if viewer.Character != "" {
		key += "\x00" + viewer.Character
	}
	if viewer.Marks {
		key += "\x00marks"
	}
	if viewer.Shared {
		key += "\x00shared\x00" + strings.Join(viewer.Group, "\x00")
	}
	return key
}

// ShownChat returns the conversation that the context mode and the dialog type show: the newest
// turns, and the greeting before the first turn.
func (w Window) ShownChat() draft.Shown {
	whole, starts := w.WholeChat(), w.Conversation().Starts
	if limit := w.shownTurns(w.Campaign.State.TurnCount); limit < len(starts) {
		return whole.From(starts[len(starts)-limit])
	}
	return whole
}

// MacroChat returns the conversation that the context mode and the dialog type would show without a
// limit of the prompt.
func (w Window) MacroChat(shown draft.Shown) draft.Macro {
	turns := w.Campaign.State.TurnCount
	if w.shownTurns(turns) < turns {
		return draft.Macro{Shown: shown}
	}
	return draft.Macro{Shown: shown, Earlier: shown.Hidden}
}

// LeastTokens returns the minimum number of tokens of a line in a prompt.
func (w Window) LeastTokens(text string) int {
	return w.Past.Tokens.Least(w.Game.Counter(), text)
}

// Oldest returns the index of the oldest message that may fit into the prompt. The messages before
// it certainly do not fit: a prompt takes lines from the newest on, and ends at the first line that
// does not fit.
func (w Window) Oldest(c draft.Shown) int {
	room := w.Game.Content().Prompt.Budget.Context
	if room <= 0 {
		return 0
	}
	from, least := c.Now, 0
	for from > 0 && least <= room {
		from--
		least += w.LeastTokens(c.Messages[from].Text)
	}
	w.Past.Tokens.Forget(c.Len()-from, func(i int) string { return c.Messages[from+i].Text })
	return from
}

// CastLines returns the newest messages before this turn, back to the player's last message.
// Earlier messages do not affect who speaks next.
func (w Window) CastLines() []cast.Line {
	log := w.Conversation()
	var out []cast.Line
	for i, player := len(log.Messages)-1, false; i >= 0 && !player; i-- {
		line := cast.Line{By: cast.ByNarrator, Name: log.Messages[i].Name, Text: log.Messages[i].Text}
		switch by := log.Sources[i]; {
		case by.Role == llm.User:
			line.By, player = cast.ByPlayer, true
		case by.Speaker != "":
			line.By, line.ID = cast.ByMember, by.Speaker
		}
		out = append(out, line)
	}
	slices.Reverse(out)
	return out
}

// DepthOf returns the number of messages after the last reply of a turn that leads to the head.
// These are all messages of later turns and the messages of the running turn.
func (w Window) DepthOf(t *state.Turn) int {
	said := w.WholeChat()
	log := w.Conversation()
	switch at := t.Index - log.Gone; { // number of turns in the log up to this turn
	case at > 0 && at < len(log.Starts):
		return len(said.Messages) - log.Starts[at]
	case at > 0:
		return len(said.Messages) - len(log.Messages)
	}
	before := log.Opening() + 2*(t.Index-1) + t.EarlierReplies + draft.MessagesOf(t)
	return said.Hidden + len(said.Messages) - before
}
