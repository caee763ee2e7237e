package draft

import (
	"maps"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/worldbook"
)

// The chat files hold the conversation of a campaign, as the world book and prompts read it. [Log]
// is the conversation up to the head and grows with every turn. [Shown] is the part that a prompt
// shows. [Tokens] has the token counts of its lines.
//
// The types are not safe for concurrent use.

// Log is a conversation as the world book reads it, as far as it is in memory.
type Log struct {
	Head     string // the last turn of the conversation
	Gone     int    // number of turns before Messages
	Earlier  int    // number of messages of these turns
	Greeting string
	Names    map[string][]string // names of the players who said lines, by ID
	// Messages has the greeting, if there is one and no turn is gone, and for each turn a line and
	// the replies to it. The capacity after them is for the running turn.
	Messages []worldbook.Message
	Sources  []MessageSource  // the speaker of each message
	Starts   []int            // the index of the first message of each turn
	Scripted map[int]Scripted // scripted messages, by their index
}

// MessageSource says who spoke a message, and who may read it.
type MessageSource struct {
	Role    llm.Role  // user for a player, assistant for the model
	Speaker string    // ID of a member of the cast, "" without a cast
	At      time.Time // of a player's line of an earlier turn

	Only     []string // the characters who heard it, if it is to be marked
	Withheld bool     // the viewer may not see it: the message counts, but has no text
}

// Scripted is the result of scripts on a line of the past.
type Scripted struct {
	Scripts string // the scripts that were used, see [script.Set.Steady]
	Text    string
	Failed  []script.Ran
	Least   int // minimum number of its tokens in a prompt
}

// New returns a conversation without turns. gone is the number of turns that are gone. names are
// the names of the speaker of the greeting.
func New(greeting string, names []string, by MessageSource, gone int) *Log {
	log := &Log{Gone: gone, Greeting: greeting, Names: map[string][]string{}}
	if gone == 0 {
		log.Head = state.StartTurnID
		if greeting != "" {
			log.Say(names, greeting, by)
		}
	}
	return log
}

// Voices has the names of speakers, and the viewer. The first name of a speaker is the name of its
// messages.
type Voices struct {
	Teller []string                 // the model's character, without a cast
	Player func(id string) []string // returns the names of a player's character
	Member func(id string) []string // returns the names of a member of the cast
	Viewer state.Viewer
}

// AddReplies appends the replies of members of the cast. only lists the characters who heard them, if
// they are to be marked.
func (log *Log) AddReplies(list []state.Reply, only []string, v Voices) {
	for _, r := range list {
		log.Say(v.Member(r.Speaker), r.Text, MessageSource{Role: llm.Assistant, Speaker: r.Speaker, Only: only})
	}
}

// Add appends a turn.
func (log *Log) Add(t *state.Turn, v Voices) {
	names, known := log.Names[t.ActorID]
	if !known {
		names = v.Player(t.ActorID)
		log.Names[t.ActorID] = names
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
	if t.UserInput != "" { // the turn has a player's line
		log.Say(names, t.UserInput, MessageSource{Role: llm.User, At: t.Timestamp, Only: only})
	}
	if log.AddReplies(t.Replies, only, v); t.Trace.Cast == nil && len(t.Replies) == 0 {
		log.Say(v.Teller, t.Text, MessageSource{Role: llm.Assistant, Only: only})
	}
}

// MessagesOf returns the number of messages of a turn: the line, if there is one, and the replies.
// A cast may give no reply.
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

// EarlierReplies returns the EarlierReplies of the turn after the given one; nil means that turn is
// the first. See [state.Turn].
func EarlierReplies(before *state.Turn) int {
	if before == nil {
		return 0
	}
	return before.EarlierReplies + MessagesOf(before) - 2
}

// Opening returns the number of messages before the first turn.
func (log *Log) Opening() int {
	if log.Greeting == "" {
		return 0
	}
	return 1
}

// withhold appends the messages of a turn that the viewer did not hear, without their texts. So the
// other messages keep their places.
func (log *Log) withhold(t *state.Turn) {
	for i := range MessagesOf(t) {
		by := MessageSource{Role: llm.Assistant, Withheld: true}
		if i == 0 && t.UserInput != "" {
			by.Role = llm.User
		}
		log.Say(nil, "", by)
	}
}

// Say appends a message of a speaker with the given names.
func (log *Log) Say(names []string, text string, by MessageSource) {
	m := worldbook.Message{Text: text, Role: string(by.Role)}
	if len(names) > 0 {
		m.Name, m.Aliases = names[0], names[1:]
	}
	log.Messages = append(log.Messages, m)
	log.Sources = append(log.Sources, by)
}

// StepBack removes a few of the last turns, until the conversation ends with the given turn. It
// reports false if it does not reach that turn; then the conversation can no longer be used.
func (log *Log) StepBack(c *state.Campaign, head string) bool {
	const few = 4
	steps := 0
	for turn := range c.Back(log.Head) {
		if steps++; steps > few {
			return false
		}
		if log.DropTurn(turn.ParentID); log.Head == head {
			return true
		}
	}
	return false
}

// DropTurn removes the last turn. It reports false if there is none.
func (log *Log) DropTurn(parent string) bool {
	n := len(log.Starts) - 1
	if n < 0 {
		return false
	}
	from := log.Starts[n]
	log.Messages, log.Sources, log.Starts, log.Head = log.Messages[:from], log.Sources[:from], log.Starts[:n], parent
	maps.DeleteFunc(log.Scripted, func(i int, _ Scripted) bool { return i >= from })
	return true
}

// Drop removes the messages of turns that are gone. gone is the number of these turns.
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
	log.Messages, log.Sources = log.Messages[n:], log.Sources[n:]
	log.Starts = log.Starts[min(turns, len(log.Starts)):]
	for i := range log.Starts {
		log.Starts[i] -= n
	}
}
