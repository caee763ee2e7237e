package card

import (
	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/charbook"
)

// WorldBook converts the card's lorebook into a world book, ready to compile
// and scan; [charbook.Parse] says how and what its problems are. A book without
// a name gets the character's, since names tell books apart. A card without a
// lorebook gives an empty book.
//
// This is SillyTavern's way, which ignores use_regex. For a book that is to act as
// the V3 specification says, hand CharacterBook to [charbook.ParseV3].
func (c Card) WorldBook() (worldbook.Book, talewright.Problems) {
	if len(c.CharacterBook) == 0 {
		return worldbook.Book{Name: c.Name}, nil
	}
	book, problems := charbook.Parse(c.CharacterBook)
	if book.Name == "" && problems.Err() == nil {
		book.Name = c.Name
	}
	return book, problems
}
