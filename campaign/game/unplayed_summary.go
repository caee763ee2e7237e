package game

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/template"
)

// scriptedCard counts the scripted parts of a card and of its own lorebook.
type scriptedCard struct {
	part          string   // the path of the card
	book          string   // the path of the entries of its lorebook; "" without a lorebook
	name          string   // the name of the character
	file          string   // the name of the card, which owns its regex scripts
	templates     int      // texts with templates
	compiled      []string // the texts whose templates compile
	helperScripts string   // a list of the scripts of TavernHelper; it may be empty
	hasUnplayed   bool     // one of these scripts does something that is not played
	regex         int      // regex scripts
}

// addCard begins to count the scripted parts of a card.
func (u *usageCheck) addCard(part string, c *card.Card) *scriptedCard {
	counted := scriptedCard{part: part, name: c.CharName(), file: c.Name, regex: countScripts(c.Extensions["regex_scripts"])}
	if book, _ := c.WorldBook(); len(book.Entries) > 0 {
		counted.book = bookPath(book) + ".entries["
	}
	u.cards = append(u.cards, counted)
	return &u.cards[len(u.cards)-1]
}

// countTemplate counts a text with templates for the card that it belongs to.
func (u *usageCheck) countTemplate(path, text string, compiles bool) {
	if !hasTemplate(text) {
		return
	}
	for i := range u.cards {
		c := &u.cards[i]
		if !strings.HasPrefix(path, c.part+".") && (c.book == "" || !strings.HasPrefix(path, c.book)) {
			continue
		}
		if c.templates++; compiles {
			c.compiled = append(c.compiled, text)
		}
		return
	}
}

// countPlayed returns how many texts that compile read no name that [usageCheck.vetTemplates] reported.
// It reports a name only once, but each text that reads the name fails.
func (u *usageCheck) countPlayed(texts []string) int {
	if len(u.unknownNames) == 0 {
		return len(texts)
	}
	played := 0
	for _, text := range texts {
		alone := template.Vet(template.Env{}, template.Piece{Text: text})
		if !slices.ContainsFunc(alone, func(p talewright.Problem) bool { return u.unknownNames[p.Text] }) {
			played++
		}
	}
	return played
}

// reportSummaries reports for each card with an unplayed part how many of its scripted parts are
// played. A card with only one scripted part gets no summary: that part has a problem of its own.
func (u *usageCheck) reportSummaries() {
	for _, c := range u.cards {
		var parts []string
		played := u.countPlayed(c.compiled)
		hasUnplayed := c.hasUnplayed || played < c.templates
		if c.templates > 0 {
			result := "all played"
			if played < c.templates {
				result = fmt.Sprintf("%d played", played)
			}
			parts = append(parts, fmt.Sprintf("templates: %d (%s)", c.templates, result))
		}
		if c.helperScripts != "" {
			parts = append(parts, c.helperScripts)
		}
		if c.regex > 0 {
			result := "in Prompt.Scripts"
			if !u.hasScripts(script.Character, c.file) {
				result, hasUnplayed = "not run", true
			}
			parts = append(parts, fmt.Sprintf("regex scripts: %d (%s)", c.regex, result))
		}
		if hasUnplayed && (len(parts) > 1 || c.templates > 1) {
			u.warn(codeCardSummary, c.part, c.name, "the card brings %s; the other problems say what to do", strings.Join(parts, "; "))
		}
	}
}
