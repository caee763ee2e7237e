package cast

// natural chooses the members that the newest line names, then those whose draw says so, else one
// at random.
func (c *chooser) natural(unmuted []Member) {
	last, banned := c.lastSpeaker()
	isBanned := func(m Member) bool { return banned && m.Name == last }
	c.named(unmuted, isBanned)

	var willing []Member // those with a talkativeness above 0
	for _, m := range c.chance.shuffle(unmuted) {
		switch {
		case m.Gone:
			c.note(m.ID, reasonGone, nil)
		case isBanned(m):
			c.note(m.ID, reasonSpokeLast, nil)
		default:
			if c.draw(m); m.talkativeness() > 0 {
				willing = append(willing, m)
			}
		}
	}
	if len(c.choice.Speakers) > 0 {
		return
	}
	if len(willing) == 0 {
		willing = unmuted
	}
	for range willing { // a member without a card uses a draw
		if c.say(willing[c.chance.index(len(willing))], reasonDrawn) {
			return
		}
	}
}

// draw makes a member speak if its talkativeness is not below a drawn number.
func (c *chooser) draw(m Member) {
	x := c.chance.next()
	if m.talkativeness() >= x {
		c.sayAt(m, reasonTalkative, &x)
	} else {
		c.note(m.ID, reasonSilent, &x)
	}
}

// named adds the members that the newest line names, in the order of mention.
func (c *chooser) named(unmuted []Member, isBanned func(Member) bool) {
	text, said := c.input()
	if !said {
		if newest, ok := c.newest(); ok && !newest.Hidden {
			text = newest.Text
		}
	}
	if text == "" {
		return
	}
	var hearing []Member
	var names []string
	for _, m := range unmuted {
		if !m.Gone && !isBanned(m) {
			hearing, names = append(hearing, m), append(names, m.Name)
		}
	}
	for _, i := range mentioned(text, names) {
		c.say(hearing[i], reasonNamed)
	}
}

// lastSpeaker returns the name whose members are banned, and whether there is one.
func (c *chooser) lastSpeaker() (name string, banned bool) {
	if _, said := c.input(); said || c.SelfReply {
		return "", false
	}
	newest, ok := c.newest()
	return newest.Name, ok && newest.By != ByPlayer
}
