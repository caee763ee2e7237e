package cast

// chooseNatural chooses the members that the newest line names, then those whose draw says so, else one
// at random.
func (c *chooser) chooseNatural(unmuted []Member) {
	last, banned := c.lastSpeaker()
	isBanned := func(m Member) bool { return banned && m.Name == last }
	c.addNamed(unmuted, isBanned)

	var drawPool []Member // for the last step: those with a talkativeness above 0, else all
	for _, m := range c.dice.shuffle(unmuted) {
		switch {
		case m.Gone:
			c.addNote(m.ID, reasonGone, nil)
		case isBanned(m):
			c.addNote(m.ID, reasonSpokeLast, nil)
		default:
			if c.drawTalkativeness(m); m.talkativeness() > 0 {
				drawPool = append(drawPool, m)
			}
		}
	}
	if len(c.choice.Speakers) > 0 {
		return
	}
	if len(drawPool) == 0 {
		drawPool = unmuted
	}
	for range drawPool { // a member without a card uses a draw
		if c.addSpeaker(drawPool[c.dice.index(len(drawPool))], reasonDrawn) {
			return
		}
	}
}

// drawTalkativeness makes a member speak if its talkativeness is not below a drawn number.
func (c *chooser) drawTalkativeness(m Member) {
	x := c.dice.next()
	if m.talkativeness() >= x {
		c.addDrawnSpeaker(m, reasonTalkative, &x)
	} else {
		c.addNote(m.ID, reasonSilent, &x)
	}
}

// addNamed adds the members that the newest line names, in the order of mention.
func (c *chooser) addNamed(unmuted []Member, isBanned func(Member) bool) {
	text, said := c.input()
	if !said {
		if newest, ok := c.newest(); ok && !newest.Hidden {
			text = newest.Text
		}
	}
	if text == "" {
		return
	}
	var candidates []Member
	var names []string
	for _, m := range unmuted {
		if !m.Gone && !isBanned(m) {
			candidates, names = append(candidates, m), append(names, m.Name)
		}
	}
	for _, i := range mentioned(text, names) {
		c.addSpeaker(candidates[i], reasonNamed)
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
