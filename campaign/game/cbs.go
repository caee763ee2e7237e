package game

import (
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
)

// CBS is the curly-brace language of RisuAI, see [macro.CBS]. [Prompt.CBS] names the cards and books
// whose texts are in this language.

// IsCBSEntry reports whether the text of an entry of lore is in CBS. id is the full ID of the entry.
func (g *Game) IsCBSEntry(id string) bool { return g.lore.templates.cbs[id] }

// CardCBS returns the CBS settings for the texts of a card, with the default values of the card's
// variables. It returns nil for no card and for a card whose texts are not in CBS. once is the Once
// of the settings.
func (g *Game) CardCBS(c *card.Card, once bool) *macro.CBS {
	if c == nil || !g.content.Prompt.writesCBS(c.Name) {
		return nil
	}
	return &macro.CBS{Defaults: g.lore.templates.defaults[c], Once: once}
}

// BookCBS returns the CBS settings for entries of lore, with the default values of the variables of
// the player's card.
func (g *Game) BookCBS() *macro.CBS {
	return &macro.CBS{Defaults: g.lore.templates.defaults[g.content.People.Card]}
}
