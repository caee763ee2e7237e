package game

import (
	"slices"
	"strings"
)

// Opening is a text that can begin a story.
type Opening struct {
	// ID is the [state.Setup.GreetingID] of the opening, for modules of mode greeting. If it is empty,
	// the ID is the index in [Game.Openings].
	ID string
	// Speaker is the ID of the member of the cast who says it. It is empty without a cast.
	Speaker string
	Text    string
}

// Openings returns the texts that can begin a story. [state.Setup.GreetingID] is the ID of one of them,
// or its index in the list, from 0. The texts are the greetings of the card. With a cast they are the greetings of its
// members, in list order: for each card the greetings for groups first, then its other greetings,
// without empty ones. [People.Openings] come last. The slice is new.
func (g *Game) Openings() []Opening {
	var out []Opening
	if c := g.content.People.Card; c != nil {
		for _, text := range c.Greetings() {
			out = append(out, Opening{Text: text})
		}
	}
	for _, m := range g.content.People.Cast {
		if m.Card == nil {
			continue
		}
		for _, text := range slices.Concat(m.Card.GroupOnlyGreetings, m.Card.Greetings()) {
			if strings.TrimSpace(text) != "" {
				out = append(out, Opening{Speaker: m.CharacterID, Text: text})
			}
		}
	}
	return append(out, g.content.People.Openings...)
}
