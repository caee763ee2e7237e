package turn

import (
	"fmt"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/script"
)

// Begin returns the campaign that a setup describes. The error joins all problems of the setup,
// each with its place.
func Begin(g *game.Game, s state.Setup) (state.Campaign, error) {
	c, err := draft.Campaign(g, s, MaxReplyBytes)
	if err != nil {
		return state.Campaign{}, err
	}
	makeVisibilityStrict(&c, slices.ContainsFunc(s.Turns, func(t state.Turn) bool { return len(t.Audience) > 0 }), g.Settings())
	greet(&c, g, s.CreatedAt, len(s.Turns) > 0, new(openingPrograms)) // the record has the whole campaign
	c.Version = 0                                                     // the version before the record that creates the campaign
	draft.Adopt(&c, s.Turns, g.Settings().Freeze(c.GlobalSettings, c.Settings).Int(settingkey.MaxAlternatives))
	c.AddCheckpoint(state.StartLabel, s.CreatedAt, 0)
	c.Version, c.TurnsHeld = 1, turnsHeldAtFirst(g, c)
	if _, err := c.HeadValue(); err != nil { // preserved members may be invalid JSON
		return state.Campaign{}, fmt.Errorf("campaign: setup: %w", err)
	}
	return c, nil
}

// turnsHeldAtFirst returns how many of its first turns the head of a new campaign holds; 0 means
// all.
func turnsHeldAtFirst(g *game.Game, c state.Campaign) int {
	values := g.Settings().Freeze(c.GlobalSettings, c.Settings)
	w := past.Window{Past: new(past.WindowPast), Turn: draft.Turn{
		Game: g, Campaign: &c, State: &c.State, In: new(state.Submission), Dialog: new(game.DialogType), Values: values}}
	w.Past.Reach = w.Reach(0)
	return w.TurnsHeld(c)
}

// openingPrograms are the programs of templates in openings, see [Record].Programs: in a replay the
// recorded ones, and those that ran so far.
type openingPrograms struct{ recorded, ran []tree.Value }

// greet sets the greeting that opens the campaign. If the state names a greeting of a card, that
// greeting is the text of an author: its macros are expanded once, and the variables that they set
// are kept. Scripts run on every opening text, unless the story has begun elsewhere (begun).
func greet(c *state.Campaign, g *game.Game, at time.Time, begun bool, programs *openingPrograms) {
	n, ofAuthor := draft.Greeting(state.Setup{Greeting: c.State.Greeting, GreetingID: c.State.GreetingID}, g)
	if !ofAuthor && (begun || c.State.Greeting == "") {
		return
	}
	t := play.New(g, *c, state.Submission{ActorID: c.State.Selected.ActorID, At: at},
		g.Settings().Freeze(c.GlobalSettings, c.Settings))
	t.Recorded, t.Stage.Pending.Trace.Programs = programs.recorded, programs.ran
	text := c.State.Greeting
	if ofAuthor {
		opening := g.Openings()[n]
		text = opening.Text
		if opening.Speaker != "" {
			t.Casting.Speakers = []string{opening.Speaker}
		}
	}
	texts := t.Texts()
	if ofAuthor {
		text = texts.Opening(text, g.Openings()[n].Speaker)
		t.Stage.WriteTemplates(texts.Written)
		// A later [Choose] of a different greeting starts from the variables before this one.
		if before, after := c.State.Variables, t.Stage.Pending.State.Variables; !before.Equal(after) {
			c.State.BeforeGreeting, c.State.AfterGreeting, c.State.Variables = &before, &after, after
		}
	}
	programs.ran = texts.Trace.Programs
	c.State.Greeting = texts.Stored(text, script.Where{Placement: script.AIOutput})
	c.State.Macros, c.State.Random = texts.State.Macros, t.Stage.Dice.Cursor
}
