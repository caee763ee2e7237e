package turn

import (
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/token"
	"github.com/talewright/talewright/worldbook"
)

// past is what a machine knows of the turns before: it is written down once, and each
// turn adds to it. TestTurnCostsWhatIsNew fails without it.
type past struct {
	// chats are the conversations up to the head, by the name of the character and who hears
	// them: with several players both may change from turn to turn.
	chats  map[string]*chatLog   // by [scenery.chatKey]
	tokens map[string]int        // of the lines that a prompt has room for
	fired  stage.Fired           // of rules and reactions
	read   map[string]state.Turn // in the log: turns that the head does not hold
	reach  int                   // how many turns the running one looks back at least
	window window
}

// begin forgets what the turn before has read, if that is much: what is needed of it is asked
// again.
func (p *past) begin() {
	if len(p.read) > max(maxRead, 2*p.reach) {
		p.read = nil
	}
	p.reach = 0
}

// chatLog is a conversation as the world book reads it.
type chatLog struct {
	head     string // the turn that it ends with
	gone     int    // turns before those whose messages it has
	earlier  int    // messages of those
	greeting string
	names    map[string]string // of those who speak the lines, by id
	// messages are the greeting, if there is one and no turn is gone, and for each turn a line
	// and the replies to it. The room behind them is for the running turn.
	messages []worldbook.Message
	said     []said               // who said each of them
	starts   []int                // the first message of each turn
	scripted map[int]scriptedLine // of messages, by their place
}

// said tells who said a message.
type said struct {
	role    llm.Role // user for a player, assistant for whom the model plays
	speaker string   // id of a member of the cast, "" for the one whom it plays without a cast

	only     []string // those who heard it, where it is to be marked
	withheld bool     // it is not for the viewer: the message counts, and says nothing
}

// maxChats is how many names of the character are kept in mind.
const maxChats = 8

// chat is the conversation as the world book reads it, the new line and what has been said to
// it last. It is valid until something more is said.
func (sc scenery) chat() []worldbook.Message { return sc.wholeChat().heard() }

// wholeChat is the conversation with everything that was said in this turn.
func (sc scenery) wholeChat() shownChat {
	log := sc.conversation()
	n, now := len(log.messages), len(log.messages)
	if sc.line {
		log.say(sc.userName(), sc.in.Text, said{role: llm.User, only: sc.mark(sc.in.Audience)})
	}
	if sc.head != nil && len(log.starts) > 0 { // the last turn is the running one
		now = log.starts[len(log.starts)-1]
	}
	sc.reply(log, sc.spoken, sc.mark(sc.in.Audience))
	all := shownChat{messages: log.messages, said: log.said, hidden: log.earlier, now: now}
	log.messages, log.said = log.messages[:n], log.said[:n] // with the room of all
	return all
}

// say puts a message behind the conversation.
func (log *chatLog) say(name, text string, by said) {
	log.messages = append(log.messages, worldbook.Message{Name: name, Text: text})
	log.said = append(log.said, by)
}

// reply puts what members of the cast said behind the conversation.
func (sc scenery) reply(log *chatLog, list []state.Reply, only []string) {
	for _, r := range list {
		log.say(sc.memberName(r.Speaker), r.Text, said{role: llm.Assistant, speaker: r.Speaker, only: only})
	}
}

// conversation is the past up to the turn before, as far back as the head and the running
// turn need it.
func (sc scenery) conversation() *chatLog {
	char, s, viewer := sc.tellerName(), &sc.next.State, sc.viewer()
	held := sc.held()
	gone := s.TurnCount - max(held, min(sc.past.reach, s.TurnCount))
	log := sc.past.chats[sc.chatKey()]
	if log == nil || log.greeting != s.Greeting || !sc.sameNames(log.names) || log.gone > gone {
		log = sc.newChat(char, gone)
	}
	var turns []*state.Turn // newest first
	found := log.head == s.HeadTurnID
	if !found && gone < s.TurnCount {
		for one := range sc.back() {
			turns = append(turns, one)
			if found = one.ParentID == log.head; found || len(turns) == s.TurnCount-gone {
				break
			}
		}
	}
	if !found && log.stepBack(sc.next, s.HeadTurnID) { // to answer once more
		found, turns = true, nil
	}
	if !found { // it begins, or it is the past of another branch
		log = sc.newChat(char, gone)
	}
	for _, one := range slices.Backward(turns) {
		name, known := log.names[one.ActorID]
		if !known {
			name = sc.nameOf(one.ActorID)
			log.names[one.ActorID] = name
		}
		if len(log.starts) == 0 && log.gone > 0 {
			log.earlier = sc.opening() + 2*log.gone + one.EarlierReplies
		}
		log.starts = append(log.starts, len(log.messages))
		if !viewer.Sees(one.Audience) {
			log.withhold(one)
			continue
		}
		only := viewer.Mark(one.Audience)
		ofCast := one.Trace.Cast != nil || len(one.Replies) > 0
		if one.UserInput != "" { // somebody said something
			log.say(name, one.UserInput, said{role: llm.User, only: only})
		}
		if sc.reply(log, one.Replies, only); !ofCast {
			log.say(char, one.Text, said{role: llm.Assistant, only: only})
		}
	}
	log.head = s.HeadTurnID
	log.drop(gone)
	return log
}

// stepBack takes the last turns off, a few of them, until the conversation ends with the given
// one. It reports false if it does not get there: then the conversation is of no more use.
func (log *chatLog) stepBack(c *state.Campaign, head string) bool {
	const few = 4
	steps := 0
	for one := range c.Back(log.head) {
		if steps++; steps > few || !log.dropTurn(one.ParentID) {
			return false
		}
		if log.head == head {
			return true
		}
	}
	return false
}

// dropTurn takes the last turn off. It reports false if there is none.
func (log *chatLog) dropTurn(parent string) bool {
	n := len(log.starts) - 1
	if n < 0 {
		return false
	}
	from := log.starts[n]
	log.messages, log.said, log.starts, log.head = log.messages[:from], log.said[:from], log.starts[:n], parent
	maps.DeleteFunc(log.scripted, func(i int, _ scriptedLine) bool { return i >= from })
	return true
}

// tookOver is told of a turn that was committed: another version of one that was there takes
// its place.
func (p *past) tookOver(t state.Turn, turns []state.Turn) {
	if n := len(turns); n > 0 && turns[n-1].ID == t.ID && len(t.Continued) == 0 && t.Original == "" && t.EditFindings == nil {
		return // a new one
	}
	maps.DeleteFunc(p.chats, func(_ string, log *chatLog) bool {
		return log.head != t.ID || !log.dropTurn(t.ParentID)
	})
}

// drop forgets the messages of turns that are gone.
func (log *chatLog) drop(gone int) {
	turns := gone - log.gone
	if turns <= 0 {
		return
	}
	n := len(log.messages)
	if turns < len(log.starts) {
		n = log.starts[turns]
	}
	log.gone, log.earlier = gone, log.earlier+n
	log.messages, log.said = log.messages[n:], log.said[n:]
	log.starts = log.starts[min(turns, len(log.starts)):]
	for i := range log.starts {
		log.starts[i] -= n
	}
}

// opening is the number of messages before the first turn.
func (sc scenery) opening() int {
	if sc.next.State.Greeting == "" {
		return 0
	}
	return 1
}

// newChat is a conversation without turns.
func (sc scenery) newChat(char string, gone int) *chatLog {
	if len(sc.past.chats) >= maxChats || sc.past.chats == nil {
		sc.past.chats = map[string]*chatLog{}
	}
	log := &chatLog{gone: gone, greeting: sc.next.State.Greeting, names: map[string]string{}}
	if gone == 0 {
		log.head = state.StartTurnID
		if log.greeting != "" {
			log.say(char, log.greeting, said{role: llm.Assistant})
		}
	}
	sc.past.chats[sc.chatKey()] = log
	return log
}

// sameNames reports whether everybody has the name of before.
func (sc scenery) sameNames(names map[string]string) bool {
	for id, name := range names {
		if sc.nameOf(id) != name {
			return false
		}
	}
	return true
}

// shownChat is the conversation that the context mode and the dialog type show: the
// newest turns, and the greeting before the first.
func (sc scenery) shownChat() shownChat {
	chat, starts := sc.wholeChat(), sc.conversation().starts
	switch limit := sc.shownTurns(sc.next.State.TurnCount); {
	case limit >= len(starts):
		return chat
	case limit <= 0:
		return chat.from(chat.now)
	default:
		return chat.from(starts[len(starts)-limit])
	}
}

// shownTurns is how many of so many turns the context mode and the dialog type show, with those
// between them that the viewer has not heard.
func (sc scenery) shownTurns(turns int) int {
	shown := sc.shownOf(turns, sc.kind.HistoryTurns)
	if shown < turns {
		shown = heard(sc, shown)
	}
	return shown
}

// shownOf is shownTurns for a dialog type that shows at most so many, 0: all.
func (sc scenery) shownOf(turns, limit int) int {
	if sc.values.ContextMode() != setting.FullContext {
		turns = sc.values.Int(setting.RecentTurns)
	}
	if limit > 0 {
		turns = min(turns, limit)
	}
	return turns
}

// shownChat is a conversation that ends with the running turn. It is what macros see of the
// history, however much of that the prompt has room for.
type shownChat struct {
	messages []worldbook.Message
	said     []said
	hidden   int // messages of the whole conversation before these
	now      int // the first message of the running turn
}

// from is the conversation from a message on.
func (c shownChat) from(i int) shownChat {
	return shownChat{c.messages[i:], c.said[i:], c.hidden + i, c.now - i}
}

// Len is the number of messages.
func (c shownChat) Len() int { return len(c.messages) }

// Message returns one of them.
func (c shownChat) Message(i int) macro.Message {
	return macro.Message{Role: string(c.said[i].role), Text: c.messages[i].Text}
}

// macroChat is what macros see of the history, however much of that the prompt has room for.
// Messages that are not at hand have no text.
type macroChat struct {
	shownChat
	earlier int
}

// macroChat is what the context mode and the dialog type show, had the prompt room for it.
func (sc scenery) macroChat(chat shownChat) macroChat {
	turns := sc.next.State.TurnCount
	if sc.shownTurns(turns) < turns {
		return macroChat{shownChat: chat}
	}
	return macroChat{chat, chat.hidden}
}

// Len is the number of messages.
func (c macroChat) Len() int { return c.earlier + c.shownChat.Len() }

// Message returns one of them.
func (c macroChat) Message(i int) macro.Message {
	if i < c.earlier {
		return macro.Message{Role: string(llm.Assistant)}
	}
	return c.shownChat.Message(i - c.earlier)
}

// lines are the newest of the messages, from the given one on, as a prompt takes them.
func (c shownChat) lines(from int) []prompt.Line {
	out := make([]prompt.Line, 0, c.Len()-from)
	for i := from; i < c.Len(); i++ {
		out = append(out, c.line(i))
	}
	return out
}

// line is one of the messages as a prompt takes it. What is said in the running turn is
// required. Members of a cast are told apart by their names.
func (c shownChat) line(i int) prompt.Line {
	by := c.said[i]
	line := prompt.Line{Role: by.role, Text: c.messages[i].Text, Required: i >= c.now}
	if by.role == llm.User || by.speaker != "" {
		line.Name, line.Forced = c.messages[i].Name, by.speaker != ""
	}
	return line
}

// oldest is the index of the oldest message that the prompt may have room for. The one
// after it is sure to be too much: a prompt takes lines from the newest on, and ends
// with the first that does not fit.
func (sc scenery) oldest(c shownChat) int {
	room := sc.game.Content().Budget.Context
	if room <= 0 {
		return 0
	}
	from, least := c.now, 0
	for from > 0 && least <= room {
		from--
		least += sc.leastTokens(c.messages[from].Text)
	}
	sc.past.forget(c.Len()-from, func(i int) string { return c.messages[from+i].Text })
	return from
}

// forget drops the counts of lines that prompts have no room for any more. There is room
// for n texts.
func (p *past) forget(n int, text func(i int) string) {
	if len(p.tokens) <= 2*n+256 {
		return
	}
	counted := make(map[string]int, n)
	for i := range n {
		if tokens, ok := p.tokens[text(i)]; ok {
			counted[text(i)] = tokens
		}
	}
	p.tokens = counted
}

// leastTokens is what a line takes in a prompt at least.
func (sc scenery) leastTokens(text string) int {
	if n, ok := sc.past.tokens[text]; ok {
		return n
	}
	counter := sc.game.Counter()
	if bare, changed := withoutNames(text); changed {
		return counter.Count(bare)/2 + 1 // not all counters are additive
	}
	if strings.TrimSpace(text) == "" {
		return 0 // it is not sent
	}
	n := counter.Count(text)
	if sc.past.tokens == nil {
		sc.past.tokens = map[string]int{}
	}
	sc.past.tokens[text] = n
	return n
}

// withoutNames is a line without what a prompt may write shorter: names in braces or
// angle brackets, and carriage returns.
func withoutNames(text string) (bare string, changed bool) {
	if !strings.Contains(text, "{{") && !strings.ContainsAny(text, "<\r") {
		return text, false
	}
	var b strings.Builder
	braces, angles := strings.LastIndex(text, "}}"), strings.LastIndexByte(text, '>')
	for at := 0; at < len(text); at++ {
		rest := text[at:]
		switch {
		case rest[0] == '\r':
		case at < braces && strings.HasPrefix(rest, "{{"):
			at += strings.Index(rest, "}}") + 1
		case at < angles && rest[0] == '<':
			at += strings.IndexByte(rest, '>')
		default:
			b.WriteByte(rest[0])
		}
	}
	return b.String(), true
}

// counted is a counter that knows the lines of the history.
type counted struct {
	token.Counter
	lines map[string]int
}

// Count returns the count of a text.
func (c counted) Count(text string) int {
	if n, ok := c.lines[text]; ok {
		return n
	}
	return c.Counter.Count(text)
}

// turnOf finds the turn of a submission with the given id, if the head holds it.
func (m *Machine) turnOf(clientTurnID string) (state.Turn, bool) {
	for i := range m.base.Turns {
		if t := &m.base.Turns[i]; t.ClientTurnID == clientTurnID || slices.ContainsFunc(t.Continued, func(c state.Continuation) bool { return c.ClientTurnID == clientTurnID }) {
			return *t, true
		}
	}
	return state.Turn{}, false
}

// tracePrompt says what the prompt consisted of. The history is one line, and one more
// for what it had no room for: a record is not longer because the game is. shown is
// the number of messages that there were.
func (p *prompter) tracePrompt(r prompt.Report, shown int) {
	history, gone := -1, turntrace.Prompt{Key: historyKey, Status: string(prompt.Dropped), Speaker: p.playing}
	out := &p.trace.Prompt
	listed := 0
	for _, line := range r.Lines {
		one := turntrace.Prompt{Key: line.Key, Tokens: line.Tokens, Status: string(line.Status), Reason: line.Reason,
			Speaker: p.playing}
		if line.Key == game.SlotMain {
			one.Key = string(game.BlockPersona) // as the block of the request is called
		}
		if line.Source.Kind != prompt.KindHistory {
			*out = append(*out, one)
			continue
		}
		if history < 0 {
			history = len(*out)
			*out = append(*out, turntrace.Prompt{Key: historyKey, Status: string(prompt.Kept), Speaker: p.playing})
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
