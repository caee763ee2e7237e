package draft

import (
	"maps"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/worldbook"
)

// The chat part is what was said in a campaign, as the world book and prompts read it: the
// conversation up to the head, which grows with every turn ([Log]), what of it a prompt shows
// ([Shown]), and how many tokens its lines take ([Tokens]).
//
// Nothing here is safe for concurrent use.

// Log is a conversation as the world book reads it, and as far as it is in memory.
type Log struct {
	Head     string // the turn that it ends with
	Gone     int    // turns before those whose messages it has
	Earlier  int    // messages of those
	Greeting string
	Names    map[string]string // of those who speak the lines, by id
	// Messages are the greeting, if there is one and no turn is gone, and for each turn a line
	// and the replies to it. The room behind them is for the running turn.
	Messages []worldbook.Message
	Said     []Said           // who said each of them
	Starts   []int            // the first message of each turn
	Scripted map[int]Scripted // of messages, by their place
}

// Said tells who said a message.
type Said struct {
	Role    llm.Role // user for a player, assistant for whom the model plays
	Speaker string   // id of a member of the cast, "" for the one whom it plays without a cast

	Only     []string // those who heard it, where it is to be marked
	Withheld bool     // it is not for the viewer: the message counts, and says nothing
}

// Scripted is what scripts have made of a line of the past.
type Scripted struct {
	Fits   string // the scripts, see [script.Set.Steady]
	Text   string
	Failed []script.Ran
	Least  int // tokens that it takes in a prompt at least
}

// New is a conversation without turns, of which so many are gone. name is the name of the one who says
// the greeting.
func New(greeting, name string, by Said, gone int) *Log {
	log := &Log{Gone: gone, Greeting: greeting, Names: map[string]string{}}
	if gone == 0 {
		log.Head = state.StartTurnID
		if greeting != "" {
			log.Say(name, greeting, by)
		}
	}
	return log
}

// Voices are the names under which messages stand, and who hears them.
type Voices struct {
	Teller string                 // whom the model plays without a cast
	Name   func(id string) string // of a character
	Member func(id string) string // of a member of the cast
	Viewer state.Viewer
}

// Reply puts what members of the cast said behind the conversation; only are those who heard it,
// where it is to be marked.
func (log *Log) Reply(list []state.Reply, only []string, v Voices) {
	for _, r := range list {
		log.Say(v.Member(r.Speaker), r.Text, Said{Role: llm.Assistant, Speaker: r.Speaker, Only: only})
	}
}

// Add puts a turn behind the conversation.
func (log *Log) Add(t *state.Turn, v Voices) {
	name, known := log.Names[t.ActorID]
	if !known {
		name = v.Name(t.ActorID)
		log.Names[t.ActorID] = name
	}
	if len(log.Starts) == 0 && log.Gone > 0 {
		log.Earlier = log.Opening() + 2*log.Gone + t.EarlierReplies
	}
	log.Starts = append(log.Starts, len(log.Messages))
	if !v.Viewer.Sees(t.Audience) {
		log.withhold(t)
		return
	}
	only := v.Viewer.Mark(t.Audience)
	if t.UserInput != "" { // somebody said something
		log.Say(name, t.UserInput, Said{Role: llm.User, Only: only})
	}
	if log.Reply(t.Replies, only, v); t.Trace.Cast == nil && len(t.Replies) == 0 {
		log.Say(v.Teller, t.Text, Said{Role: llm.Assistant, Only: only})
	}
}

// MessagesOf is how many messages a turn is: the line, if somebody has said one, and the replies, of which
// a cast may give none.
func MessagesOf(t *state.Turn) int {
	n := len(t.Replies)
	if n == 0 && t.Trace.Cast == nil {
		n = 1
	}
	if t.UserInput != "" {
		n++
	}
	return n
}

// EarlierReplies are those of the turn behind one, nil for the first: see [state.Turn].
func EarlierReplies(before *state.Turn) int {
	if before == nil {
		return 0
	}
	return before.EarlierReplies + MessagesOf(before) - 2
}

// Opening is the number of messages before the first turn.
func (log *Log) Opening() int {
	if log.Greeting == "" {
		return 0
	}
	return 1
}

// withhold puts the messages of a turn that the viewer did not hear behind the conversation,
// without what they say: the others keep their places.
func (log *Log) withhold(t *state.Turn) {
	for i := range MessagesOf(t) {
		by := Said{Role: llm.Assistant, Withheld: true}
		if i == 0 && t.UserInput != "" {
			by.Role = llm.User
		}
		log.Say("", "", by)
	}
}

// Say puts a message behind the conversation.
func (log *Log) Say(name, text string, by Said) {
	log.Messages = append(log.Messages, worldbook.Message{Name: name, Text: text})
	log.Said = append(log.Said, by)
}

// StepBack takes the last turns off, a few of them, until the conversation ends with the given
// one. It reports false if it does not get there: then the conversation is of no more use.
func (log *Log) StepBack(c *state.Campaign, head string) bool {
	const few = 4
	steps := 0
	for one := range c.Back(log.Head) {
		if steps++; steps > few || !log.DropTurn(one.ParentID) {
			return false
		}
		if log.Head == head {
			return true
		}
	}
	return false
}

// DropTurn takes the last turn off. It reports false if there is none.
func (log *Log) DropTurn(parent string) bool {
	n := len(log.Starts) - 1
	if n < 0 {
		return false
	}
	from := log.Starts[n]
	log.Messages, log.Said, log.Starts, log.Head = log.Messages[:from], log.Said[:from], log.Starts[:n], parent
	maps.DeleteFunc(log.Scripted, func(i int, _ Scripted) bool { return i >= from })
	return true
}

// Drop forgets the messages of turns that are gone.
func (log *Log) Drop(gone int) {
	turns := gone - log.Gone
	if turns <= 0 {
		return
	}
	n := len(log.Messages)
	if turns < len(log.Starts) {
		n = log.Starts[turns]
	}
	log.Gone, log.Earlier = gone, log.Earlier+n
	log.Messages, log.Said = log.Messages[n:], log.Said[n:]
	log.Starts = log.Starts[min(turns, len(log.Starts)):]
	for i := range log.Starts {
		log.Starts[i] -= n
	}
}
