package cast

import (
	"fmt"
	"slices"
)

// repeatSpeaker chooses the last speaker for a new answer or a continuation.
func (c *chooser) repeatSpeaker() error {
	if len(c.Chat) == 0 {
		return ErrNoLine
	}
	m, why, ok := c.speakerBefore(false)
	if !ok || m.Gone {
		return fmt.Errorf("%w: %q spoke last", ErrGone, m.ID)
	}
	c.addSpeaker(m, why)
	return nil
}

// chooseQuiet chooses for a text that is not shown: the last speaker, hidden or not, else the first
// member of the list.
func (c *chooser) chooseQuiet() {
	if len(c.Chat) > 0 {
		if m, why, ok := c.speakerBefore(true); ok && c.addSpeaker(m, why) {
			return
		}
	}
	c.addSpeaker(c.Members[0], reasonFirst)
}

// speakerBefore returns the member who speaks again: the speaker of the newest line, by ID, else by
// name. If that line is hidden or is the player's or the narrator's, it is the last member who
// spoke, by ID. Without such a speaker, a member is drawn. The result is false if the member is unknown.
func (c *chooser) speakerBefore(withHidden bool) (Member, Reason, bool) {
	newest, _ := c.newest()
	id := newest.ID
	if !newest.byMember() || newest.Hidden {
		if id = c.lastID(withHidden); id == "" {
			return c.dice.shuffle(c.Members)[0], reasonDrawn, true
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

// lastID returns the ID of the newest line with a known member as its speaker.
func (c *chooser) lastID(withHidden bool) string {
	for _, l := range slices.Backward(c.Chat) {
		if l.byMember() && l.ID != "" && (withHidden || !l.Hidden) {
			return l.ID
		}
	}
	return ""
}
