package past

import (
	"cmp"
	"iter"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/prompt/script"
)

// The head of a campaign holds as many turns as the next prompt can use. If a turn needs more,
// after a long rollback or because of a setting, it asks for them.

// backFromHead yields the turns that lead to the head, newest first: the turns that the head holds, and
// earlier turns that were read in the log.
func (w Window) backFromHead() iter.Seq[*state.Turn] {
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

// heldTurns returns how many turns that lead to the head the head holds.
func (w Window) heldTurns() int {
	h, c := &w.Past.held, w.Campaign
	now := heldCount{head: c.State.HeadTurnID, turns: len(c.Turns), count: h.count}
	if len(c.Turns) > 0 {
		now.first = &c.Turns[0]
	}
	if now != *h {
		now.count = 0
		for range c.Back(now.head) {
			now.count++
		}
		*h = now
	}
	return now.count
}

// heldCount caches the result of heldTurns. It is valid for the same head and the same list of turns.
type heldCount struct {
	head  string
	first *state.Turn
	turns int
	count int // number of turns that lead to the head
}

// Played returns a turn that is in memory.
func (w Window) Played(id string) (*state.Turn, bool) {
	if _, ok := w.Past.Read[id]; ok { // this is rare, because a copy costs a whole turn
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

// Reach returns at least the number of turns that a prompt looks back. If the number depends on
// turns that are not in memory, it returns the number of turns in memory plus some more. The
// argument limit is the limit of the dialog type; 0 means no limit.
func (w Window) Reach(limit int) int {
	all := w.Campaign.State.TurnCount
	retrieved := 0
	if want := w.Game.Content().Lore.Retrieval; want.Limit > 0 {
		retrieved = cmp.Or(want.Depth, 4)
	}
	messages := max(RecallTexts, retrieved, w.Game.Book().Reach())
	reach := messages/2 + 1
	if shown := w.shownAtMost(all, limit); shown < all {
		if limit == w.Dialog.HistoryTurns { // otherwise limit is not for this turn
			shown = turnsHeard(w, shown)
		}
		reach = max(reach, shown)
	} else if reach < all {
		reach = max(reach, w.turnsFitting(all))
	}
	return min(reach, all)
}

// turnsHeard returns how many turns back the last of the given number of turns is that the viewer
// has heard. If the turns in memory are not enough, it returns their number plus some more.
func turnsHeard(w Window, turns int) int {
	viewer := w.Viewer()
	if viewer.Character == "" && !viewer.Shared {
		return turns
	}
	n, left := 0, turns
	for t := range w.backFromHead() {
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

// maxUnheard limits the number of turns that are skipped because the viewer did not hear them.
const maxUnheard = 64

// turnsFitting returns how many of the newest turns may fit into a prompt, at most limit.
func (w Window) turnsFitting(limit int) int {
	room := w.Game.Content().Prompt.Budget.Context
	if room <= 0 {
		return limit
	}
	if RewritesHistory(w.Game) {
		room *= scriptsShorten
	}
	n, least, viewer := 0, 0, w.Viewer()
	for t := range w.backFromHead() {
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
	// scriptsShorten is the assumed factor by which scripts shorten lines of the history for a
	// prompt.
	scriptsShorten = 8
	// readAtOnce is the number of further turns to read if the turns in memory do not fill the
	// prompt.
	readAtOnce = 32
)

// TurnsHeld returns how many turns the head holds after a turn. It covers the turns that the next
// turn needs, that a rollback within the checkpoints needs, and that no summary covers yet. 0 means
// all.
func (w Window) TurnsHeld(next state.Campaign) int {
	if w.Values.ContextMode() == setting.FullContext && w.Game.Content().Prompt.Budget.Context <= 0 {
		return 0
	}
	reach := w.Past.Reach
	if w.Dialog.HistoryTurns > 0 { // the next turn may have a different dialog type
		reach = w.Reach(0)
	}
	line := reach + 1 + min(w.Values.Int(settingkey.MaxCheckpoints), maxSlack)
	if after := w.Game.Content().Prompt.SummarizeAfter; after > 0 {
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
	// Turns of other branches are between them. Rounding makes the number change rarely.
	n := (min(next.TurnCounter-oldest+1, 4*line) + 7) / 8 * 8
	if n >= len(next.Turns) && next.TurnsHeld == 0 {
		return 0 // no turn has to be dropped yet
	}
	return n
}

// maxSlack limits the number of held turns beyond the turns for prompts.
const maxSlack = 16

// shownTurns returns how many of the given number of turns the context mode and the dialog type
// show. It includes the turns between them that the viewer has not heard.
func (w Window) shownTurns(turns int) int {
	shown := w.shownAtMost(turns, w.Dialog.HistoryTurns)
	if shown < turns {
		shown = turnsHeard(w, shown)
	}
	return shown
}

// shownAtMost returns how many of the given number of turns the context mode shows, with the limit
// of a dialog type, at least one.
func (w Window) shownAtMost(turns, limit int) int {
	if w.Values.ContextMode() != setting.FullContext {
		turns = w.Values.Int(settingkey.RecentTurns)
	}
	if limit > 0 {
		turns = min(turns, limit)
	}
	return turns
}

// FirstShown returns the index of the first turn that the prompt certainly shows word for word.
// With a budget, only the recent turns are certain.
func (w Window) FirstShown() int {
	before := w.Number() - 1
	shown := w.shownTurns(before)
	if w.Game.Content().Prompt.Budget.Context > 0 {
		shown = min(shown, w.Values.Int(settingkey.RecentTurns))
	}
	return max(before-shown, 0) + 1
}

// maxRead limits the turns outside the head that stay in memory from one turn to the next.
const maxRead = 512

// RecallTexts is the number of newest messages in a query to the memory.
const RecallTexts = 3

// RewritesHistory reports whether scripts change lines of the history for the prompt.
func RewritesHistory(g *game.Game) bool {
	return g.Scripts().Wants(script.Where{Placement: script.UserInput, ForPrompt: true}) ||
		g.Scripts().Wants(script.Where{Placement: script.AIOutput, ForPrompt: true})
}
