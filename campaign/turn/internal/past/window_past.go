package past

import (
	"maps"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

// WindowPast caches a machine's knowledge of earlier turns. Each turn adds to it, so that a turn does
// not read the whole past again.
type WindowPast struct {
	// chats are the conversations up to the head, by the name of the model's character and the
	// viewer. With several players both may change from turn to turn.
	chats  map[string]*draft.Log // by [Window.chatKey]
	Tokens draft.Tokens          // of the lines that fit into a prompt
	Read   map[string]state.Turn // turns read from the log, which the head does not hold
	Reach  int                   // minimum number of turns that the running turn looks back
	held   heldCount
}

// Begin drops the turns that earlier turns have read, if they are many. If a turn is needed, it is
// read again.
func (p *WindowPast) Begin() {
	if len(p.Read) > max(maxRead, 2*p.Reach) {
		p.Read = nil
	}
	p.Reach = 0
}

// maxChats is the maximum number of cached conversations.
const maxChats = 8

// TurnCommitted updates the cache after the commit of a turn. If the turn is a new version of an
// existing turn, it is removed from the conversations that end with it. All other conversations are
// dropped.
func (p *WindowPast) TurnCommitted(t state.Turn, turns []state.Turn) {
	if n := len(turns); n > 0 && turns[n-1].ID == t.ID && len(t.Continued) == 0 && t.Original == "" && t.EditFindings == nil {
		return // a new turn
	}
	maps.DeleteFunc(p.chats, func(_ string, log *draft.Log) bool {
		return log.Head != t.ID || !log.DropTurn(t.ParentID)
	})
}

// Keep stores a turn that was read in the log.
func (p *WindowPast) Keep(t state.Turn) {
	if p.Read == nil {
		p.Read = map[string]state.Turn{}
	}
	p.Read[t.ID] = t
}

// QuestionFor returns the question for the turns that are not in memory, nil if all are.
func (p *WindowPast) QuestionFor(ids []string, head *state.Campaign) *question.Past {
	if ids = p.Lacks(ids, head); ids == nil {
		return nil
	}
	return &question.Past{Turns: ids}
}

// Lacks returns the turns that the head does not hold and that were not read in the log.
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
