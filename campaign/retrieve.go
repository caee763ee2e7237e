package campaign

import (
	"context"

	"github.com/talewright/talewright/worldbook"
)

// Retrieval asks for lore by meaning before each scan: the answer of a
// [worldbook.Retriever] to the newest Depth messages, at most Limit entries, which are
// active then without a key. A Limit of 0 asks nothing; a Depth of 0 means 4.
type Retrieval struct {
	Depth int
	Limit int
}

func (r Retrieval) depth() int {
	if r.Depth == 0 {
		return 4
	}
	return r.Depth
}

// RetrieveQuestion asks which entries belong to the newest messages, oldest first.
type RetrieveQuestion struct {
	Messages []worldbook.Message
	Limit    int
}

// whichLore asks for entries by meaning, if the content wants that.
func (m *Machine) whichLore() (Todo, bool) {
	want := m.game.content.Retrieval
	if want.Limit <= 0 {
		return Todo{}, false
	}
	chat := m.turn.chat()
	newest := chat[max(0, len(chat)-max(want.depth(), 0)):]
	return Todo{Retrieve: &RetrieveQuestion{Messages: newest, Limit: want.Limit}}, true
}

// retrieved lights up what was found.
func (m *Machine) retrieved(found Retrieved) Stop {
	t := m.turn
	if found.Error != "" {
		t.warn("retriever: %s", found.Error)
	}
	for _, id := range found.IDs[:min(len(found.IDs), m.game.content.Retrieval.Limit)] {
		t.forced = append(t.forced, worldbook.Forced{ID: id})
	}
	return onward
}

// retrieve asks the host's retriever.
func (r *runner) retrieve(q RetrieveQuestion) Input {
	if r.engine.cfg.Retriever == nil {
		return Retrieved{Error: "no retriever is configured"}
	}
	ids, err := r.engine.cfg.Retriever.Retrieve(context.WithoutCancel(r.ctx), q.Messages, q.Limit)
	if err != nil {
		return Retrieved{Error: err.Error()}
	}
	return Retrieved{IDs: ids}
}
