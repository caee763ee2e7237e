package imports

import (
	"fmt"

	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// RoleplayConfig begins a story with a RoleplayConfig, bare or as a member of a request, which
// [format.ParseRoleplay] reads. The model plays the text of its character card, and its world book
// is scanned by its settings. name becomes the name of the book and of the character. If it is
// empty, the name in the request is used.
//
// The error wraps the [talewright.Problems] of the file.
func RoleplayConfig(name string, data []byte, o Options) (Start, error) {
	config, odd := format.ParseRoleplay(name, data)
	if err := odd.Err(); err != nil {
		return Start{}, fmt.Errorf("imports: %w", err)
	}
	start := Begin(o)
	start.Content.Lore.Settings = config.Settings
	start.attach(config.Book, worldbook.SourceGlobal, odd)
	if config.CharacterCard != "" {
		start.Content.People.Card = &card.Card{Name: config.Book.Name, Description: config.CharacterCard}
	}
	start.chooseTexts()
	return start, nil
}
