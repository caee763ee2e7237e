package turn

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/chat"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/worldbook"
)

// past is what a machine knows of the turns before: it is written down once, and each
// turn adds to it. TestTurnCostsWhatIsNew fails without it.
type past struct {
	// chats are the conversations up to the head, by the name of the character and who hears
	// them: with several players both may change from turn to turn.
	chats  map[string]*chat.Log  // by [scenery.chatKey]
	tokens chat.Tokens           // of the lines that a prompt has room for
	fired  stage.Fired           // of rules and reactions
	read   map[string]state.Turn // in the log: turns that the head does not hold
	reach  int                   // how many turns the running one looks back at least
	window window
}

// beginTurn forgets what the turn before has read, if that is much: what is needed of it is asked
// again.
func (p *past) begin() {
	if len(p.read) > max(maxRead, 2*p.reach) {
		p.read = nil
	}
	p.reach = 0
}

// maxChats is how many names of the character are kept in mind.
const maxChats = 8

// chat is the conversation as the world book reads it, the new line and what has been said to
// it last. It is valid until something more is said.
func (sc scenery) chat() []worldbook.Message { return sc.wholeChat().Heard() }

// wholeChat is the conversation with everything that was said in this turn.
func (sc scenery) wholeChat() chat.Shown {
	log := sc.conversation()
	n, now := len(log.Messages), len(log.Messages)
	if sc.Line {
		log.Say(sc.UserName(), sc.In.Text, chat.Said{Role: llm.User, Only: sc.Viewer().Mark(sc.In.Audience)})
	}
	if sc.Head != nil && len(log.Starts) > 0 { // the last turn is the running one
		now = log.Starts[len(log.Starts)-1]
	}
	if len(sc.Spoken) > 0 {
		log.Reply(sc.Spoken, sc.Viewer().Mark(sc.In.Audience), sc.voices())
	}
	all := chat.Shown{Messages: log.Messages, Said: log.Said, Hidden: log.Earlier, Now: now}
	log.Messages, log.Said = log.Messages[:n], log.Said[:n] // with the room of all
	return all
}

// conversation is the past up to the turn before, as far back as the head and the running
// turn need it.
func (sc scenery) conversation() *chat.Log {
	s := &sc.Campaign.State
	gone := s.TurnCount - max(sc.held(), min(sc.past.reach, s.TurnCount))
	log := sc.past.chats[sc.chatKey()]
	if log == nil || log.Greeting != s.Greeting || !sc.sameNames(log.Names) || log.Gone > gone {
		log = sc.newChat(gone)
	}
	var turns []*state.Turn // newest first
	found := log.Head == s.HeadTurnID
	if !found && gone < s.TurnCount {
		for one := range sc.back() {
			turns = append(turns, one)
			if found = one.ParentID == log.Head; found || len(turns) == s.TurnCount-gone {
				break
			}
		}
	}
	if !found && log.StepBack(sc.Campaign, s.HeadTurnID) { // to answer once more
		found, turns = true, nil
	}
	if !found { // it begins, or it is the past of another branch
		log = sc.newChat(gone)
	}
	if len(turns) > 0 {
		voices := sc.voices()
		for _, one := range slices.Backward(turns) {
			log.Add(one, voices)
		}
	}
	log.Head = s.HeadTurnID
	log.Drop(gone)
	return log
}

// voices are the names of those who speak, and who hears them.
func (sc scenery) voices() chat.Voices {
	return chat.Voices{Teller: sc.TellerName(), Name: sc.NameOf, Member: sc.MemberName, Viewer: sc.Viewer()}
}

// tookOver is told of a turn that was committed: another version of one that was there takes
// its place.
func (p *past) tookOver(t state.Turn, turns []state.Turn) {
	if n := len(turns); n > 0 && turns[n-1].ID == t.ID && len(t.Continued) == 0 && t.Original == "" && t.EditFindings == nil {
		return // a new one
	}
	maps.DeleteFunc(p.chats, func(_ string, log *chat.Log) bool {
		return log.Head != t.ID || !log.DropTurn(t.ParentID)
	})
}

// newChat is a conversation without turns.
func (sc scenery) newChat(gone int) *chat.Log {
	if len(sc.past.chats) >= maxChats || sc.past.chats == nil {
		sc.past.chats = map[string]*chat.Log{}
	}
	log := chat.New(sc.Campaign.State.Greeting, sc.TellerName(), gone)
	sc.past.chats[sc.chatKey()] = log
	return log
}

// sameNames reports whether everybody has the name of before.
func (sc scenery) sameNames(names map[string]string) bool {
	for id, name := range names {
		if sc.NameOf(id) != name {
			return false
		}
	}
	return true
}

// shownChat is the conversation that the context mode and the dialog type show: the
// newest turns, and the greeting before the first.
func (sc scenery) shownChat() chat.Shown {
	whole, starts := sc.wholeChat(), sc.conversation().Starts
	switch limit := sc.shownTurns(sc.Campaign.State.TurnCount); {
	case limit >= len(starts):
		return whole
	case limit <= 0:
		return whole.From(whole.Now)
	default:
		return whole.From(starts[len(starts)-limit])
	}
}

// shownTurns is how many of so many turns the context mode and the dialog type show, with those
// between them that the viewer has not heard.
func (sc scenery) shownTurns(turns int) int {
	shown := sc.shownOf(turns, sc.Dialog.HistoryTurns)
	if shown < turns {
		shown = heard(sc, shown)
	}
	return shown
}

// shownOf is shownTurns for a dialog type that shows at most so many, 0: all.
func (sc scenery) shownOf(turns, limit int) int {
	if sc.Values.ContextMode() != setting.FullContext {
		turns = sc.Values.Int(setting.RecentTurns)
	}
	if limit > 0 {
		turns = min(turns, limit)
	}
	return turns
}

// macroChat is what the context mode and the dialog type show, had the prompt room for it.
func (sc scenery) macroChat(shown chat.Shown) chat.Macro {
	turns := sc.Campaign.State.TurnCount
	if sc.shownTurns(turns) < turns {
		return chat.Macro{Shown: shown}
	}
	return chat.Macro{Shown: shown, Earlier: shown.Hidden}
}

// leastTokens is what a line takes in a prompt at least.
func (sc scenery) leastTokens(text string) int {
	return sc.past.tokens.Least(sc.Game.Counter(), text)
}

// oldest is the index of the oldest message that the prompt may have room for. The one
// after it is sure to be too much: a prompt takes lines from the newest on, and ends
// with the first that does not fit.
func (sc scenery) oldest(c chat.Shown) int {
	room := sc.Game.Content().Budget.Context
	if room <= 0 {
		return 0
	}
	from, least := c.Now, 0
	for from > 0 && least <= room {
		from--
		least += sc.leastTokens(c.Messages[from].Text)
	}
	sc.past.tokens.Forget(c.Len()-from, func(i int) string { return c.Messages[from+i].Text })
	return from
}

// tracePrompt says what the prompt consisted of. The history is one line, and one more
// for what it had no room for: a record is not longer because the game is. shown is
// the number of messages that there were.
func (p *prompter) tracePrompt(r prompt.Report, shown int) {
	history, gone := -1, turntrace.Prompt{Key: historyKey, Status: string(prompt.Dropped), Speaker: p.Speaker}
	out := &p.trace.Prompt
	listed := 0
	for _, line := range r.Lines {
		one := turntrace.Prompt{Key: line.Key, Tokens: line.Tokens, Status: string(line.Status), Reason: line.Reason,
			Speaker: p.Speaker}
		if line.Key == game.SlotMain {
			one.Key = string(game.BlockPersona) // as the block of the request is called
		}
		if line.Source.Kind != prompt.KindHistory {
			*out = append(*out, one)
			continue
		}
		if history < 0 {
			history = len(*out)
			*out = append(*out, turntrace.Prompt{Key: historyKey, Status: string(prompt.Kept), Speaker: p.Speaker})
		}
		switch n := max(line.Count, 1); line.Status {
		case prompt.Kept:
			(*out)[history].Tokens += line.Tokens
			(*out)[history].Count += n
			listed += n
		case prompt.Dropped:
			gone.Reason = line.Reason
		default:
			listed += n
		}
	}
	if gone.Count = shown - listed; gone.Count > 0 && history >= 0 {
		*out = slices.Insert(*out, history, gone)
	}
}

// historyKey is the key of the history in the trace of a prompt.
const historyKey = "history"
