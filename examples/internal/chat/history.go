package chat

import (
	"context"
	"slices"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
)

// maxHistory is the number of turns that a user reads again.
const maxHistory = 50

// Past is a message of a turn that was played before, or the greeting.
type Past struct {
	Private bool // only some players read it
	Message
}

// History returns the newest turns of a room as far as a user may read them, oldest first. The newest
// turn of the campaign has its buttons. A short history begins with the greeting. The error is
// [campaign.ErrNotFound] if the room has no campaign.
func (b *Bot) History(ctx context.Context, room, user string) (past []Past, err error) {
	c, err := b.Engine.Campaign(ctx, room)
	if err != nil {
		return nil, err
	}
	who := characterOf(c, user)
	s := &screen{bot: b, update: Update{Room: room}, campaign: c}
	for t, err := range b.Engine.History(ctx, room, state.HistoryPage{Viewer: who, Limit: maxHistory}) {
		if err != nil {
			return nil, err
		}
		m, _ := s.message(campaign.Outcome{Turn: &t.Turn, Version: c.Version}, who)
		if t.ID != c.State.HeadTurnID {
			m.Buttons = nil
		}
		past = append(past, Past{Private: len(t.Audience) > 0, Message: m})
	}
	if c.State.Greeting != "" && len(past) < maxHistory {
		past = append(past, Past{Message: Message{Text: c.State.Greeting}})
	}
	slices.Reverse(past)
	return past, nil
}
