package imports

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// addCard adds a card as the character that the model plays.
func (s *Start) addCard(data []byte) error {
	if isStory, err := s.addStory(data); isStory {
		return err
	}
	c, odd := card.Parse(data)
	if err := odd.Err(); err != nil {
		return err
	}
	s.odd("card", odd)
	s.risuCard(c, data)
	s.Content.People.Card = &c
	s.addScripts(script.Character, c.Name, "card.extensions.regex_scripts", c.Extensions["regex_scripts"])
	s.risuScripts(c)
	if err := s.cardBook(c); err != nil {
		return fmt.Errorf("character_book: %w", err)
	}
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
func (s *Start) cardBook(c card.Card) error {
	if slices.Contains(s.Content.Prompt.CBS, c.Name) {
		defer func() {
			if n := len(s.Content.Lore.Books); n > 0 {
				s.writesCBS(s.Content.Lore.Books[n-1].Book.Name)
			}
		}()
	}
	if c.Spec != card.V3 || len(c.CharacterBook) == 0 {
		book, odd := c.WorldBook()
		s.attach(book, worldbook.SourceCharacter, odd)
		return odd.Err()
	}
	book, odd := format.ParseLorebookV3(c.CharacterBook, format.RegexByWriter)
	if book.Name == "" {
		book.Name = c.Name
	}
	s.attach(book, worldbook.SourceCharacter, odd)
	s.Content.Lore.Settings = worldbook.Exact()
	s.Content.Lore.Settings.Decorators = worldbook.DecoratorsCardV3
	return odd.Err()
}
