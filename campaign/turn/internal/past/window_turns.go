package past

import (
	"cmp"
	"iter"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/prompt/script"
)

// The head of a campaign holds as many turns as the next prompt can use. Where a turn needs
// more, since it was rolled back far, or since a setting wants more, it asks for them.

// back yields the turns that lead to the head, newest first: those that it holds, and those
// before them that were read in the log.
func (w Window) back() iter.Seq[*state.Turn] {
	return func(yield func(*state.Turn) bool) {
		id := w.Campaign.State.HeadTurnID
		for t := range w.Campaign.Back(id) {
			if id = t.ParentID; !yield(t) {
				return
			}
		}
		for {
			t, ok := w.Past.Read[id]
			if id = t.ParentID; !ok || !yield(&t) {
				return
			}
		}
	}
}

// heldTurns is how many turns that lead to the head it holds.
func (w Window) heldTurns() int {
	h, c := &w.Past.held, w.Campaign
	now := held{head: c.State.HeadTurnID, turns: len(c.Turns)}
	if len(c.Turns) > 0 {
		now.first = &c.Turns[0]
	}
	if now.first != nil && h.same(now) {
		return h.count
	}
	for range c.Back(now.head) {
		now.count++
	}
	*h = now
	return now.count
}

// held is what is known of the turns that a head holds.
type held struct {
	head  string
	first *state.Turn
	turns int
	count int // of those that lead to the head
}

func (h *held) same(now held) bool {
	return h.head == now.head && h.first == now.first && h.turns == now.turns
}

// Played is a turn that is at hand.
func (w Window) Played(id string) (*state.Turn, bool) {
	if _, ok := w.Past.Read[id]; ok { // seldom: a copy costs a turn
		t := w.Past.Read[id]
		return &t, true
	}
	for i := len(w.Campaign.Turns) - 1; i >= 0; i-- {
		if t := &w.Campaign.Turns[i]; t.ID == id {
			return t, true
		}
	}
	return nil, false
}

// Reach is how many turns a prompt looks back at, or more; so many and some more of them, where
// that depends on turns which are not at hand yet. limit is that of the dialog type, 0: none.
func (w Window) Reach(limit int) int {
	all := w.Campaign.State.TurnCount
	retrieved := 0
	if want := w.Game.Content().Retrieval; want.Limit > 0 {
		retrieved = cmp.Or(want.Depth, 4)
	}
	messages := max(RecallTexts, retrieved, w.Game.Book().Reach())
	reach := messages/2 + 1
	if shown := w.shownAtMost(all, limit); shown < all {
		if limit == w.Dialog.HistoryTurns { // else it is not this turn that looks back
			shown = turnsHeard(w, shown)
		}
		reach = max(reach, shown)
	} else if reach < all {
		reach = max(reach, w.turnsFitting(all))
	}
	return min(reach, all)
}

// turnsHeard is how many turns one has to go back to find so many that the viewer has heard. Where the
// turns at hand do not suffice, it is some more than those.
func turnsHeard(w Window, turns int) int {
	viewer := w.Viewer()
	if viewer.SeesAll() || turns <= 0 {
		return turns
	}
	n, left := 0, turns
	for t := range w.back() {
		if left == 0 || n == turns+maxUnheard {
			return n
		}
		if n++; viewer.Sees(t.Audience) {
			left--
		}
	}
	if left > 0 {
		n = min(n+readAtOnce, turns+maxUnheard)
	}
	return n
}

// maxUnheard bounds the turns that are passed over because others alone have heard them.
const maxUnheard = 64

// turnsFitting is how many of the newest turns a prompt may have room for, at most so many.
func (w Window) turnsFitting(limit int) int {
	room := w.Game.Content().Budget.Context
	if room <= 0 {
		return limit
	}
	if RewritesHistory(w.Game) {
		room *= scriptsShorten
	}
	n, least, viewer := 0, 0, w.Viewer()
	for t := range w.back() {
		if n == limit || least > room {
			return n
		}
		if n++; !viewer.Sees(t.Audience) {
			continue
		}
		least += w.LeastTokens(t.UserInput)
		for _, r := range t.Replies {
			least += w.LeastTokens(r.Text)
		}
		if len(t.Replies) == 0 {
			least += w.LeastTokens(t.Text)
		}
	}
	if least <= room {
		n = min(n+readAtOnce, limit)
	}
	return n
}

const (
	// scriptsShorten is how much shorter scripts make the lines of the history for a prompt,
	// as far as it fills the room that they leave.
	scriptsShorten = 8
	// readAtOnce is how many more turns are read where those at hand leave room.
	readAtOnce = 32
)

// TurnsHeld is how many turns the head holds after a turn: what the next one needs, what a rollback
// within the checkpoints needs, and what no summary tells of yet. 0 means all.
func (w Window) TurnsHeld(next state.Campaign) int {
	if w.Values.ContextMode() == setting.FullContext && w.Game.Content().Budget.Context <= 0 {
		return 0
	}
	reach := w.Past.Reach
	if w.Dialog.HistoryTurns > 0 { // which the next turn may not have
		reach = w.Reach(0)
	}
	line := reach + 1 + min(w.Values.Int(setting.MaxCheckpoints), maxSlack)
	if after := w.Game.Content().SummarizeAfter; after > 0 {
		due := next.State.TurnCount
		if covered, ok := next.Place(next.State.Summary.CoversThrough, next.State.HeadTurnID); ok {
			due -= covered
		}
		line = max(line, min(due, 2*after+maxSlack)+1)
	}
	oldest := 0
	if ids := next.Newest(next.State.HeadTurnID, line); len(ids) > 0 {
		oldest, _ = state.TurnNumber(ids[0])
	}
	// Turns of other branches stand between those. The number changes seldom.
	n := (min(next.TurnCounter-oldest+1, 4*line) + 7) / 8 * 8
	if n >= len(next.Turns) && next.TurnsHeld == 0 {
		return 0 // none has to go yet
	}
	return n
}

// maxSlack bounds the turns that are held beyond those that prompts need.
const maxSlack = 16

// shownTurns is how many of so many turns the context mode and the dialog type show, with those
// between them that the viewer has not heard.
func (w Window) shownTurns(turns int) int {
	shown := w.shownAtMost(turns, w.Dialog.HistoryTurns)
	if shown < turns {
		shown = turnsHeard(w, shown)
	}
	return shown
}

// shownAtMost is how many of so many turns the context mode shows, with the limit of a dialog type; 0: none.
func (w Window) shownAtMost(turns, limit int) int {
	if w.Values.ContextMode() != setting.FullContext {
		turns = w.Values.Int(setting.RecentTurns)
	}
	if limit > 0 {
		turns = min(turns, limit)
	}
	return turns
}

// FirstShown is the index of the first turn that the prompt shows word for word anyway. A prompt
// that has to fit a budget is sure to show the recent ones only.
func (w Window) FirstShown() int {
	before := w.Number() - 1
	shown := w.shownTurns(before)
	if w.Game.Content().Budget.Context > 0 {
		shown = min(shown, w.Values.Int(setting.RecentTurns))
	}
	return max(before-shown, 0) + 1
}

// maxRead bounds the turns beside those of the head that stay in memory from one turn to the
// next.
const maxRead = 512

// RecallTexts is how many of the newest messages memories are looked for with.
const RecallTexts = 3

// RewritesHistory reports whether scripts change lines of the history for the prompt.
func RewritesHistory(g *game.Game) bool {
	return g.Scripts().Wants(script.Where{Placement: script.UserInput, ForPrompt: true}) ||
		g.Scripts().Wants(script.Where{Placement: script.AIOutput, ForPrompt: true})
}
