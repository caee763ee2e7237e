package imports

import (
	"fmt"
	"strconv"

	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// Card begins a story with a character card, in any form that [card.Decode] reads: a PNG picture,
// JSON or a CHARX archive. It also reads a scenario of NovelAI and a story of KoboldAI as a card:
// memory, note, lore, opening, and the turns that were played.
//
// The lorebook of the card is attached, and the campaign opens with the greeting of the card. The
// model is a game master whose story includes the character or, with Options.Chat, the character.
// The lorebook of a V3 card acts by the V3 specification, including decorators; an older lorebook
// acts as in SillyTavern. Variables of MVU are played, see [Start.AddBook]. The regex scripts of
// the card run, unless Options.Regex denies them.
//
// The error is a [*card.Error], or the error of a lorebook that cannot be read.
func Card(data []byte, o Options) (Start, error) {
	start := Begin(o)
	if err := start.addCard(data); err != nil {
		return Start{}, fmt.Errorf("imports: %w", err)
	}
	c := start.Content.People.Card
	number := o.greetingOf(c)
	start.greet(strconv.Itoa(number), c.Greetings()[number], c.CharName())
	if err := start.playMVU(); err != nil {
		return Start{}, fmt.Errorf("imports: %w", err)
	}
	start.chooseTexts()
	return start, nil
}

// addCard adds a card as the character that the model plays.
func (s *Start) addCard(data []byte) error {
	if isStory, err := s.addStory(data); isStory {
		return err
	}
	c, odd, err := card.Decode(data)
	if err != nil {
		return err
	}
	s.odd("card", odd)
	s.Content.People.Card = &c
	s.addScripts(script.Character, c.Name, "card.extensions.regex_scripts", c.Extensions["regex_scripts"])
	if err := s.cardBook(c); err != nil {
		return fmt.Errorf("character_book: %w", err)
	}
	return nil
}

// greetingOf returns the number of the greeting that the options choose, or 0 if the card does not
// have it.
func (o Options) greetingOf(c *card.Card) int {
	if o.Greeting < 0 || o.Greeting >= len(c.Greetings()) {
		return 0
	}
	return o.Greeting
}

// cardBook attaches the card's lorebook.
func (s *Start) cardBook(c card.Card) error {
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
