package turn

import (
	"cmp"
	"iter"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
)

// The head of a campaign holds as many turns as the next prompt can use. Where a turn needs
// more, since it was rolled back far, or since a setting wants more, it asks for them.

// back yields the turns that lead to the head, newest first: those that it holds, and those
// before them that were read in the log.
func (sc scenery) back() iter.Seq[*state.Turn] {
	return func(yield func(*state.Turn) bool) {
		id := sc.Campaign.State.HeadTurnID
		for t := range sc.Campaign.Back(id) {
			if id = t.ParentID; !yield(t) {
				return
			}
		}
		for {
			t, ok := sc.past.read[id]
			if id = t.ParentID; !ok || !yield(&t) {
				return
			}
		}
	}
}

// held is how many turns that lead to the head it holds.
func (sc scenery) held() int {
	w, c := &sc.past.window, sc.Campaign
	if now := (window{head: c.State.HeadTurnID, turns: len(c.Turns)}); len(c.Turns) > 0 {
		if now.first = &c.Turns[0]; w.same(now) {
			return w.held
		}
		*w = now
	} else {
		*w = now
	}
	for range c.Back(w.head) {
		w.held++
	}
	return w.held
}

// window is what is known of the turns that a head holds.
type window struct {
	head  string
	first *state.Turn
	turns int
	held  int // of those that lead to the head
}

func (w *window) same(now window) bool {
	return w.head == now.head && w.first == now.first && w.turns == now.turns
}

// turn is a turn that is at hand.
func (sc scenery) turn(id string) (*state.Turn, bool) {
	if t, ok := sc.past.read[id]; ok {
		return &t, true
	}
	for i := len(sc.Campaign.Turns) - 1; i >= 0; i-- {
		if t := &sc.Campaign.Turns[i]; t.ID == id {
			return t, true
		}
	}
	return nil, false
}

// whichTurns asks for turns that the running one needs and the head does not hold.
func whichTurns(t *run) *question.Past {
	if t.past.reach > 0 {
		return nil // they are at hand
	}
	sc := t.scenery()
	reach := sc.reach(sc.Dialog.HistoryTurns)
	if q := t.past.asksFor(sc.Campaign.Newest(sc.Campaign.State.HeadTurnID, reach), sc.Campaign); q != nil {
		return q
	}
	t.past.reach = reach
	return nil
}

// reach is how many turns a prompt looks back at, or more; so many and some more of them, where
// that depends on turns which are not at hand yet. limit is that of the dialog type, 0: none.
func (sc scenery) reach(limit int) int {
	all := sc.Campaign.State.TurnCount
	retrieved := 0
	if want := sc.Game.Content().Retrieval; want.Limit > 0 {
		retrieved = cmp.Or(want.Depth, 4)
	}
	messages := max(recalledTexts, retrieved, sc.Game.Book().Reach())
	reach := messages/2 + 1
	if shown := sc.shownOf(all, limit); shown < all {
		if limit == sc.Dialog.HistoryTurns { // else it is not this turn that looks back
			shown = heard(sc, shown)
		}
		reach = max(reach, shown)
	} else if reach < all {
		reach = max(reach, sc.fitting(all))
	}
	return min(reach, all)
}

// heard is how far back so many turns are that the viewer has heard, in turns. Where that is further
// than the turns at hand it is some more than those.
func heard(sc scenery, turns int) int {
	viewer := sc.Viewer()
	if viewer.Character == "" || turns <= 0 {
		return turns
	}
	n, left := 0, turns
	for t := range sc.back() {
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

// fitting is how many of the newest turns a prompt may have room for, at most so many.
func (sc scenery) fitting(limit int) int {
	room := sc.Game.Content().Budget.Context
	if room <= 0 {
		return limit
	}
	if rewritesHistory(sc.Game) {
		room *= scriptsShorten
	}
	n, least, viewer := 0, 0, sc.Viewer()
	for t := range sc.back() {
		if n == limit || least > room {
			return n
		}
		if n++; !viewer.Sees(t.Audience) {
			continue
		}
		least += sc.leastTokens(t.UserInput)
		for _, r := range t.Replies {
			least += sc.leastTokens(r.Text)
		}
		if len(t.Replies) == 0 {
			least += sc.leastTokens(t.Text)
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

// keeps is how many turns the head holds after a turn: what the next one needs, what a rollback
// within the checkpoints needs, and what no summary tells of yet. 0 means all.
func (sc scenery) keeps(next state.Campaign) int {
	if sc.Values.ContextMode() == setting.FullContext && sc.Game.Content().Budget.Context <= 0 {
		return 0
	}
	reach := sc.past.reach
	if sc.Dialog.HistoryTurns > 0 { // which the next turn may not have
		reach = sc.reach(0)
	}
	line := reach + 1 + min(checkpointLimit(sc.Values), maxSlack)
	if after := sc.Game.Content().SummarizeAfter; after > 0 {
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
