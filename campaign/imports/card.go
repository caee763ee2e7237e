package imports

import (
	"fmt"
	"strconv"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/charbook"
)

// Card begins a story with a character card, in any form that [card.Decode] reads: a PNG
// picture, JSON or a CHARX archive. The model plays the character, its lorebook is
// attached, and the campaign opens with its greeting. The lorebook of a V3 card acts as
// the V3 specification says, decorators included, an older one as in SillyTavern.
//
// The error is a [*card.Error], or the one of a lorebook that is none.
func Card(data []byte, o Options) (Start, error) {
	c, odd, err := card.Decode(data)
	if err != nil {
		return Start{}, fmt.Errorf("imports: %w", err)
	}
	start := o.begin()
	for _, p := range odd {
		start.Problems = append(start.Problems, campaign.Problem{Part: "card", Code: string(p.Code), Text: p.String()})
	}
	start.Content.Card = &c
	if err := start.cardBook(c); err != nil {
		return Start{}, fmt.Errorf("imports: character_book: %w", err)
	}
	number, greetings := o.Greeting, c.Greetings()
	if number < 0 || number >= len(greetings) {
		number = 0
	}
	start.greet(strconv.Itoa(number), greetings[number], c.CharName())
	return start, nil
}

// cardBook attaches the card's lorebook.
func (s *Start) cardBook(c card.Card) error {
	if c.Spec != card.V3 || len(c.CharacterBook) == 0 {
		book, odd := c.WorldBook()
		s.odd(odd)
		s.attach(book, worldbook.SourceCharacter)
		return odd.Err()
	}
	book, odd := charbook.ParseV3(c.CharacterBook)
	if book.Name == "" {
		book.Name = c.Name
	}
	s.odd(odd)
	s.attach(book, worldbook.SourceCharacter)
	s.Content.BookSettings = worldbook.Exact()
	s.Content.BookSettings.Decorators = worldbook.DecoratorsCardV3
	return odd.Err()
}
