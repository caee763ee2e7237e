package cast

import "slices"

// choosePooled draws one member from those who have not spoken since the player's last line. If there are
// none, it draws from all except the last speaker.
func (c *chooser) choosePooled(unmuted []Member) {
	spoken := c.spokenIDs()
	pool := without(unmuted, func(m Member) bool { return spoken[m.ID] })
	if len(pool) == 0 {
		pool = unmuted
		if newest, ok := c.newest(); ok && newest.byMember() && newest.ID != "" && len(unmuted) > 1 {
			pool = without(unmuted, func(m Member) bool { return m.ID == newest.ID })
		}
	}
	if i := c.dice.index(len(pool)); i >= 0 {
		c.addSpeaker(pool[i], reasonDrawn)
	}
}

// spokenIDs returns the IDs of members with visible lines since the player's last line.
func (c *chooser) spokenIDs() map[string]bool {
	ids := map[string]bool{}
	if _, said := c.input(); said {
		return ids
	}
	for _, l := range slices.Backward(c.Chat) {
		if l.By == ByPlayer { // hidden lines of the player count, too
			break
		}
		if l.byMember() && !l.Hidden && l.ID != "" {
			ids[l.ID] = true
		}
	}
	return ids
}

func without(members []Member, leftOut func(Member) bool) []Member {
	return slices.DeleteFunc(slices.Clone(members), leftOut)
}
