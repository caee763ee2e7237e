package campaign

import (
	"strconv"
	"time"

	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

// greetingNumber is the greeting of the card that a setup asks for, without a text of its own.
func (s Setup) greetingNumber(g *Game) (int, bool) {
	if s.Greeting != "" || g.content.Card == nil {
		return 0, false
	}
	n, err := strconv.Atoi(s.GreetingID)
	return n, err == nil
}

// greet opens the campaign. A greeting of the card that its state names is the text of an
// author: its macros are expanded once, and what they set is kept. Scripts run on whatever
// opens a story, unless that has begun elsewhere.
func (c *Campaign) greet(g *Game, at time.Time, begun bool) {
	n, ofCard := Setup{Greeting: c.State.Greeting, GreetingID: c.State.GreetingID}.greetingNumber(g)
	if !ofCard && (begun || c.State.Greeting == "") {
		return
	}
	t := newTurn(g, *c, Submit{ActorID: c.State.Selected.ActorID, At: at},
		g.settings.Freeze(c.GlobalSettings, c.Settings))
	text := c.State.Greeting
	if ofCard {
		run := macro.NewRun(t.promptEnv())
		text = run.Expand(g.content.Card.Greetings()[n], macro.Full)
		t.keepRun(run)
	}
	c.State.Greeting = t.scripted(text, script.Where{Placement: script.AIOutput})
	c.State.Macros, c.State.Random = t.staged.state.Macros, t.cursor
}
