package game

import (
	"slices"
	"strings"
)

// Opening is a text with which a story can begin.
type Opening struct {
	// Speaker is the id of the member of the cast who says it. It is empty without a cast.
	Speaker string
	Text    string
}

// Openings returns the texts with which a story can begin, in the order in which
// [state.Setup.GreetingID] counts them from 0. They are the greetings of the card. With a cast they
// are those of its members, in list order: the greetings of each card for groups first, then its other
// greetings, without the empty ones. The slice is new.
func (g *Game) Openings() []Opening {
	var out []Opening
	if c := g.content.Card; c != nil {
		for _, text := range c.Greetings() {
			out = append(out, Opening{Text: text})
		}
	}
	for _, m := range g.content.Cast {
		if m.Card == nil {
			continue
		}
		for _, text := range slices.Concat(m.Card.GroupOnlyGreetings, m.Card.Greetings()) {
			if strings.TrimSpace(text) != "" {
				out = append(out, Opening{Speaker: m.CharacterID, Text: text})
			}
		}
	}
	return out
}
