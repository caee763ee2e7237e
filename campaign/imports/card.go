package imports

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// addCard adds a card, or a story as a card, as the character that the model plays.
func (s *Start) addCard(data []byte, k kind) error {
	if k == storyFile {
		s.addStory(data)
		return nil
	}
	c, found := card.Parse(data)
	if err := found.Err(); err != nil {
		return err
	}
	s.addProblems("card", found)
	s.risuCard(c, data)
	s.Content.People.Card = &c
	s.addScripts(script.Character, c.Name, "card.extensions.regex_scripts", c.Extensions["regex_scripts"])
	s.risuScripts(c)
	s.cardBook(c)
	return nil
}

// greetingOf returns the number of the greeting that the options choose, or 0 if the card does not
// have it.
func (s *Start) greetingOf(c *card.Card) int {
	if s.greeting < 0 || s.greeting >= len(c.Greetings()) {
		return 0
	}
	return s.greeting
}

// cardBook attaches the card's lorebook.
func (s *Start) cardBook(c card.Card) {
	var book worldbook.Book
	var found talewright.Problems
	if c.Spec == card.V3 && len(c.CharacterBook) > 0 {
		book, found = format.ParseLorebookV3(c.CharacterBook, format.RegexByWriter)
		book.Name = cmp.Or(book.Name, c.Name)
		s.Content.Lore.Settings = worldbook.Exact()
		s.Content.Lore.Settings.Decorators = worldbook.DecoratorsCardV3
	} else {
		book, found = c.WorldBook()
	}
	s.attach(book, worldbook.SourceCharacter, found)
	if n := len(s.Content.Lore.Books); n > 0 && slices.Contains(s.Content.Prompt.CBS, c.Name) {
		s.writesCBS(s.Content.Lore.Books[n-1].Book.Name)
	}
}
