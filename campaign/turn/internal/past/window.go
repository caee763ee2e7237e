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

// The window part is the part of a campaign's past that a turn looks back at: the conversation as it goes on
// ([Window]), which turns of the head or of the log that takes, the lines and the room that a prompt has for
// them, and what is kept of all that from one turn to the next ([WindowPast]). In go a view of the turn and what is
// kept; out come messages, turns and numbers.
//
// Nothing here is safe for concurrent use.

// Window is what a turn sees of the past, and what of it a prompt may show.
type Window struct {
	draft.Turn
	Past *WindowPast
}

// Chat is the conversation as the world book reads it, the new line and what has been said to
// it last. It is valid until something more is said.
func (w Window) Chat() []worldbook.Message { return w.WholeChat().Heard() }

// WholeChat is the conversation with everything that was said in this turn.
func (w Window) WholeChat() draft.Shown {
	log := w.Conversation()
	n, now := len(log.Messages), len(log.Messages)
	if w.HasLine {
		log.Say(w.UserName(), w.In.Text, draft.Said{Role: llm.User, Only: w.Viewer().Mark(w.In.Audience)})
	}
	if w.Continues != nil && len(log.Starts) > 0 { // the last turn is the running one
		now = log.Starts[len(log.Starts)-1]
	}
	if len(w.Spoken) > 0 {
		log.Reply(w.Spoken, w.Viewer().Mark(w.In.Audience), w.voices())
	}
	all := draft.Shown{Messages: log.Messages, Said: log.Said, Hidden: log.Earlier, Now: now}
	log.Messages, log.Said = log.Messages[:n], log.Said[:n] // with the room of all
	return all
}

// Conversation is the past up to the turn before, as far back as the head and the running
// turn need it.
func (w Window) Conversation() *draft.Log {
	s := &w.Campaign.State
	gone := s.TurnCount - max(w.heldTurns(), min(w.Past.Reach, s.TurnCount))
	log := w.Past.chats[w.chatKey()]
	if log == nil || log.Greeting != s.Greeting || !w.sameNames(log.Names) || log.Gone > gone {
		log = w.newChat(gone)
	}
	var turns []*state.Turn // newest first
	found := log.Head == s.HeadTurnID
	if !found && gone < s.TurnCount {
		for one := range w.back() {
			turns = append(turns, one)
			if found = one.ParentID == log.Head; found || len(turns) == s.TurnCount-gone {
				break
			}
		}
	}
	if !found && log.StepBack(w.Campaign, s.HeadTurnID) { // to answer once more
		found, turns = true, nil
	}
	if !found { // it begins, or it is the past of another branch
		log = w.newChat(gone)
	}
	if len(turns) > 0 {
		voices := w.voices()
		for _, one := range slices.Backward(turns) {
			log.Add(one, voices)
		}
	}
	log.Head = s.HeadTurnID
	log.Drop(gone)
	return log
}

// voices are the names of those who speak, and who hears them.
func (w Window) voices() draft.Voices {
	return draft.Voices{Teller: w.TellerName(), Name: w.ActorName, Member: w.MemberName, Viewer: w.Viewer()}
}

// newChat is a conversation without turns.
func (w Window) newChat(gone int) *draft.Log {
	if len(w.Past.chats) >= maxChats || w.Past.chats == nil {
		w.Past.chats = map[string]*draft.Log{}
	}
	opener, name := w.Opener()
	log := draft.New(w.Campaign.State.Greeting, name, draft.Said{Role: llm.Assistant, Speaker: opener}, gone)
	w.Past.chats[w.chatKey()] = log
	return log
}

// sameNames reports whether nobody has got another name.
func (w Window) sameNames(names map[string]string) bool {
	for id, name := range names {
		if w.ActorName(id) != name {
			return false
		}
	}
	return true
}

// chatKey names the conversation that the viewer hears.
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

// ShownChat is the conversation that the context mode and the dialog type show: the
// newest turns, and the greeting before the first.
func (w Window) ShownChat() draft.Shown {
	whole, starts := w.WholeChat(), w.Conversation().Starts
	switch limit := w.shownTurns(w.Campaign.State.TurnCount); {
	case limit >= len(starts):
		return whole
	case limit <= 0:
		return whole.From(whole.Now)
	default:
		return whole.From(starts[len(starts)-limit])
	}
}

// MacroChat is what the context mode and the dialog type show, had the prompt room for it.
func (w Window) MacroChat(shown draft.Shown) draft.Macro {
	turns := w.Campaign.State.TurnCount
	if w.shownTurns(turns) < turns {
		return draft.Macro{Shown: shown}
	}
	return draft.Macro{Shown: shown, Earlier: shown.Hidden}
}

// LeastTokens is what a line takes in a prompt at least.
func (w Window) LeastTokens(text string) int {
	return w.Past.Tokens.Least(w.Game.Counter(), text)
}

// Oldest is the index of the oldest message that the prompt may have room for. The one
// after it is sure to be too much: a prompt takes lines from the newest on, and ends
// with the first that does not fit.
func (w Window) Oldest(c draft.Shown) int {
	room := w.Game.Content().Budget.Context
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

// CastLines are the newest messages before this turn, back to the player's last one: nothing before
// it counts for who speaks next.
func (w Window) CastLines() []cast.Line {
	log := w.Conversation()
	var out []cast.Line
	for i, player := len(log.Messages)-1, false; i >= 0 && !player; i-- {
		line := cast.Line{By: cast.ByNarrator, Name: log.Messages[i].Name, Text: log.Messages[i].Text}
		switch by := log.Said[i]; {
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

// DepthOf is how many messages stand behind the last reply of a turn that leads to the head: the
// running turn's line, and what was said in between, be it by one or by several.
func (w Window) DepthOf(t *state.Turn) int {
	said := w.WholeChat()
	log := w.Conversation()
	switch at := t.Index - log.Gone; { // behind it
	case at > 0 && at < len(log.Starts):
		return len(said.Messages) - log.Starts[at]
	case at > 0:
		return len(said.Messages) - len(log.Messages)
	}
	before := log.Opening() + 2*(t.Index-1) + t.EarlierReplies + draft.MessagesOf(t)
	return said.Hidden + len(said.Messages) - before
}
