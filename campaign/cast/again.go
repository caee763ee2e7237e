package cast

import (
	"fmt"
	"slices"
)

// again chooses who answers anew, or goes on: whoever spoke last.
func (c *chooser) again() error {
	if len(c.Chat) == 0 {
		return ErrNoLine
	}
	m, why, ok := c.speakerBefore(false)
	if !ok || m.Gone {
		return fmt.Errorf("%w: %q spoke last", ErrGone, m.ID)
	}
	c.say(m, why)
	return nil
}

// quiet chooses for a text that is not shown: whoever spoke last, hidden or not, else the
// first of the list.
func (c *chooser) quiet() {
	if len(c.Chat) > 0 {
		if m, why, ok := c.speakerBefore(true); ok && c.say(m, why) {
			return
		}
	}
	c.say(c.Members[0], First)
}

// speakerBefore returns who speaks again: the speaker of the newest line, by id, else by name. If
// that line is the player's, the narrator's or hidden, it is the one who spoke last, by id, and
// if there is none, anybody drawn. The result is false for one who is not known.
func (c *chooser) speakerBefore(hiddenToo bool) (Member, Reason, bool) {
	newest, _ := c.newest()
	id := newest.ID
	if !newest.byMember() || newest.Hidden {
		if id = c.lastID(hiddenToo); id == "" {
			return c.chance.shuffle(c.Members)[0], Drawn, true
		}
	}
	if id == "" {
		i := slices.IndexFunc(c.Members, func(m Member) bool { return m.Name == newest.Name })
		if i < 0 {
			return Member{ID: newest.Name}, "", false
		}
		return c.Members[i], Spoke, true
	}
	for _, m := range slices.Concat(c.Members, c.Strangers) {
		if m.ID == id {
			return m, Spoke, true
		}
	}
	return Member{ID: id}, "", false
}

// lastID returns the id of the newest line that a member is known to have said.
func (c *chooser) lastID(hiddenToo bool) string {
	for _, l := range slices.Backward(c.Chat) {
		if l.byMember() && l.ID != "" && (hiddenToo || !l.Hidden) {
			return l.ID
		}
	}
	return ""
}
