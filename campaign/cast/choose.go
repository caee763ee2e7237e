package cast

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright/worldbook"
)

// Choose returns the speakers of a round, in order. The choice is final: the replies of the round
// do not change it. A choice without speakers is not an error.
//
// Errors wrap [ErrEmpty], [ErrGone], [ErrNoLine], [ErrNoRandom] or [ErrUnknown].
//
// The cost is linear in the lines of the chat. For each member whose name is in a script without
// blanks, it is also linear in the newest line.
func Choose(round Round) (Choice, error) {
	c := chooser{Round: &round, dice: chance{random: round.Random}, speaking: map[string]bool{}}
	err := c.choose()
	if err == nil && c.dice.lacks {
		err = ErrNoRandom
	}
	if err != nil {
		return Choice{}, err
	}
	c.choice.Draws = c.dice.used
	return c.choice, nil
}

// chooser is one run of Choose.
type chooser struct {
	*Round
	dice     chance
	speaking map[string]bool // the IDs of the speakers
	choice   Choice
}

func (c *chooser) choose() error {
	if len(c.Members) == 0 {
		return ErrEmpty
	}
	if c.Force != "" {
		return c.chooseForced()
	}
	switch c.Kind {
	case worldbook.Swipe, worldbook.Continue:
		return c.repeatSpeaker()
	case worldbook.Quiet:
		c.chooseQuiet()
		return nil
	case worldbook.Impersonate:
		c.addSpeaker(c.Members[c.dice.index(len(c.Members))], reasonDrawn)
		return nil
	case worldbook.Normal, Auto, "":
		return c.chooseByOrder()
	}
	return fmt.Errorf("%w: kind %q", ErrUnknown, c.Kind)
}

// chooseByOrder chooses the speakers by the order of the cast.
func (c *chooser) chooseByOrder() error {
	unmuted := c.unmuted()
	switch c.Order {
	case orderNatural, "":
		c.chooseNatural(unmuted)
	case orderList:
		for _, m := range unmuted {
			c.addSpeaker(m, reasonListed)
		}
	case orderManual:
		if _, asked := c.input(); !asked && len(unmuted) > 0 {
			c.addSpeaker(c.dice.shuffle(unmuted)[0], reasonDrawn)
		}
	case orderPooled:
		c.choosePooled(unmuted)
	default:
		return fmt.Errorf("%w: order %q", ErrUnknown, c.Order)
	}
	return nil
}

func (c *chooser) unmuted() []Member {
	var out []Member
	for _, m := range c.Members {
		if m.Muted {
			c.addNote(m.ID, reasonMuted, nil)
		} else {
			out = append(out, m)
		}
	}
	return out
}

// chooseForced makes the member that the host names the speaker.
func (c *chooser) chooseForced() error {
	i := slices.IndexFunc(c.Members, func(m Member) bool { return m.ID == c.Force })
	if i < 0 || c.Members[i].Gone {
		return fmt.Errorf("%w: %q is called", ErrGone, c.Force)
	}
	c.addSpeaker(c.Members[i], reasonForced)
	return nil
}

// addSpeaker adds a speaker, unless it has no card or is already a speaker. It reports whether the member
// was added.
func (c *chooser) addSpeaker(m Member, why Reason) bool { return c.addDrawnSpeaker(m, why, nil) }

// addDrawnSpeaker is addSpeaker with the number that decided, which may be nil.
func (c *chooser) addDrawnSpeaker(m Member, why Reason, draw *float64) bool {
	if m.Gone {
		c.addNote(m.ID, reasonGone, draw)
		return false
	}
	c.addNote(m.ID, why, draw)
	if !c.speaking[m.ID] {
		c.speaking[m.ID] = true
		c.choice.Speakers = append(c.choice.Speakers, m.ID)
	}
	return true
}

func (c *chooser) addNote(id string, why Reason, draw *float64) {
	c.choice.Trace = append(c.choice.Trace, Note{id, why, draw})
}
