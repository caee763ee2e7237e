package game

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
)

// scriptedCard counts the scripted parts of a card and of its own lorebook.
type scriptedCard struct {
	part, book        string // the paths of the card and of the entries of its book; "" without a book
	name, file        string
	templates, played int
	scripts           string // of TavernHelper, as a list
	misses            bool   // one of them does something that is not played
	regex             int
}

// begin adds a card to the count.
func (u *unplayed) begin(part string, c *card.Card) *scriptedCard {
	one := scriptedCard{part: part, name: c.CharName(), file: c.Name, regex: countScripts(c.Extensions["regex_scripts"])}
	if book, _ := c.WorldBook(); len(book.Entries) > 0 {
		one.book = bookPath(book) + ".entries["
	}
	u.cards = append(u.cards, one)
	return &u.cards[len(u.cards)-1]
}

// count counts a text with templates for the card that it belongs to.
func (u *unplayed) count(path, text string, plays bool) {
	if !hasTemplate(text) {
		return
	}
	for i := range u.cards {
		c := &u.cards[i]
		if !strings.HasPrefix(path, c.part+".") && (c.book == "" || !strings.HasPrefix(path, c.book)) {
			continue
		}
		if c.templates++; plays {
			c.played++
		}
		return
	}
}

// summaries reports for each card how many of its scripted parts are played, if one is not. A card
// with one such part has its own problem.
func (u *unplayed) summaries() {
	for _, c := range u.cards {
		var parts []string
		misses := c.misses || c.played < c.templates
		if c.templates > 0 {
			how := "all played"
			if c.played < c.templates {
				how = fmt.Sprintf("%d played", c.played)
			}
			parts = append(parts, fmt.Sprintf("templates: %d (%s)", c.templates, how))
		}
		if c.scripts != "" {
			parts = append(parts, c.scripts)
		}
		if c.regex > 0 {
			how := "in Prompt.Scripts"
			if !u.hasScripts(script.Character, c.file) {
				how, misses = "not run", true
			}
			parts = append(parts, fmt.Sprintf("regex scripts: %d (%s)", c.regex, how))
		}
		if misses && (len(parts) > 1 || c.templates > 1) {
			u.tell(codeCardSummary, c.part, c.name, "the card brings %s; the other problems say what to do", strings.Join(parts, "; "))
		}
	}
}
