package past

import (
	"maps"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

// WindowPast is what a machine knows of the turns before: it is written down once, and each
// turn adds to it. TestTurnCostsWhatIsNew fails without it.
type WindowPast struct {
	// chats are the conversations up to the head, by the name of the character and who hears
	// them: with several players both may change from turn to turn.
	chats  map[string]*draft.Log // by [Window.chatKey]
	Tokens draft.Tokens          // of the lines that a prompt has room for
	Fired  draft.Fired           // of rules and reactions
	Read   map[string]state.Turn // in the log: turns that the head does not hold
	Reach  int                   // how many turns the running one looks back at least
	held   held
}

// Begin forgets what the turn before has read, if that is much: what is needed of it is asked
// again.
func (p *WindowPast) Begin() {
	if len(p.Read) > max(maxRead, 2*p.Reach) {
		p.Read = nil
	}
	p.Reach = 0
}

// maxChats is how many names of the character are kept in mind.
const maxChats = 8

// TurnCommitted notes that a turn was committed. If it is another version of one that was there,
// conversations that end with that one forget it.
func (p *WindowPast) TurnCommitted(t state.Turn, turns []state.Turn) {
	if n := len(turns); n > 0 && turns[n-1].ID == t.ID && len(t.Continued) == 0 && t.Original == "" && t.EditFindings == nil {
		return // a new one
	}
	maps.DeleteFunc(p.chats, func(_ string, log *draft.Log) bool {
		return log.Head != t.ID || !log.DropTurn(t.ParentID)
	})
}

// Keep keeps a turn that was read in the log.
func (p *WindowPast) Keep(t state.Turn) {
	if p.Read == nil {
		p.Read = map[string]state.Turn{}
	}
	p.Read[t.ID] = t
}

// Asks asks for those of some turns that are not at hand, nil for none.
func (p *WindowPast) Asks(ids []string, head *state.Campaign) *question.Past {
	if ids = p.Lacks(ids, head); ids == nil {
		return nil
	}
	return &question.Past{Turns: ids}
}

// Lacks are those of some turns that neither the head holds nor the log was asked for.
func (p *WindowPast) Lacks(ids []string, head *state.Campaign) (out []string) {
	first := head.TurnCounter + 1
	if len(head.Turns) > 0 {
		first, _ = state.TurnNumber(head.Turns[0].ID)
	}
	for _, id := range ids {
		n, ok := state.TurnNumber(id)
		if _, read := p.Read[id]; ok && n > 0 && n < first && !read {
			out = append(out, id)
		}
	}
	return out
}
