package turn

import (
	"strconv"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

// greetingNumber is the greeting of the card that a setup asks for, without a text of its own.
func greetingOf(s state.Setup, g *game.Game) (int, bool) {
	if s.Greeting != "" || g.Content().Card == nil {
		return 0, false
	}
	n, err := strconv.Atoi(s.GreetingID)
	return n, err == nil
}

// greet opens the campaign. A greeting of the card that its state names is the text of an
// author: its macros are expanded once, and what they set is kept. Scripts run on whatever
// opens a story, unless that has begun elsewhere.
func greet(c *state.Campaign, g *game.Game, at time.Time, begun bool) {
	n, ofCard := greetingOf(state.Setup{Greeting: c.State.Greeting, GreetingID: c.State.GreetingID}, g)
	if !ofCard && (begun || c.State.Greeting == "") {
		return
	}
	t := newTurn(g, *c, Submit{ActorID: c.State.Selected.ActorID, At: at},
		g.Settings().Freeze(c.GlobalSettings, c.Settings))
	text := c.State.Greeting
	if ofCard {
		run := macro.NewRun(t.promptEnv())
		text = run.Expand(g.Content().Card.Greetings()[n], macro.Full)
		t.keepRun(run)
	}
	c.State.Greeting = t.scripted(text, script.Where{Placement: script.AIOutput})
	c.State.Macros, c.State.Random = t.staged.state.Macros, t.cursor
}
