package game

import (
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
)

// IsCBSEntry reports whether an entry, by its full ID, is in the curly-brace language of RisuAI.
func (g *Game) IsCBSEntry(id string) bool { return g.lore.templates.cbs[id] }

// CardCBS returns the form of the texts of a card if they are in the curly-brace language of RisuAI, with
// the defaults of its variables, else nil. The card may be nil. once is true for texts that are
// expanded once.
func (g *Game) CardCBS(c *card.Card, once bool) *macro.CBS {
	if c == nil || !g.content.Prompt.writesCBS(c.Name) {
		return nil
	}
	return &macro.CBS{Defaults: g.lore.templates.defaults[c], Once: once}
}

// BookCBS returns the form of the lore in the language of RisuAI. It has the defaults of the card.
func (g *Game) BookCBS() *macro.CBS {
	return &macro.CBS{Defaults: g.lore.templates.defaults[g.content.People.Card]}
}
