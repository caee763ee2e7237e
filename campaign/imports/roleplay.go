package imports

import (
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// addRoleplay adds a RoleplayConfig that [format.ParseRoleplay] reads.
func (s *Start) addRoleplay(data []byte) error {
	config, found := format.ParseRoleplay(s.name, data)
	if err := found.Err(); err != nil {
		return err
	}
	s.Content.Lore.Settings = config.Settings
	s.attach(config.Book, worldbook.SourceGlobal, found)
	if config.CharacterCard != "" {
		s.Content.People.Card = &card.Card{Name: config.Book.Name, Description: config.CharacterCard}
	}
	return nil
}
