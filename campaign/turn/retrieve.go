package turn

import (
	"cmp"

	"github.com/talewright/talewright/worldbook"
)

// RetrieveQuestion asks which entries belong to the newest messages, oldest first.
type RetrieveQuestion struct {
	Messages []worldbook.Message
	Limit    int
}

// whichLore asks for entries by meaning, if the content wants that.
func (m *Machine) whichLore() (Todo, bool) {
	want := m.game.Content().Retrieval
	if want.Limit <= 0 {
		return Todo{}, false
	}
	chat := m.turn.chat()
	newest := chat[max(0, len(chat)-max(cmp.Or(want.Depth, 4), 0)):]
	return Todo{Retrieve: &RetrieveQuestion{Messages: newest, Limit: want.Limit}}, true
}

// retrieved lights up what was found.
func (m *Machine) retrieved(found Retrieved) Stop {
	t := m.turn
	if found.Error != "" {
		t.warn("retriever: %s", found.Error)
	}
	for _, id := range found.IDs[:min(len(found.IDs), m.game.Content().Retrieval.Limit)] {
		t.forced = append(t.forced, worldbook.Forced{ID: id})
	}
	return onward
}
