package authoring

import (
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/worldbook"
)

// gameMembers are the members of a game file that a setup does not have.
type gameMembers struct {
	// Card is the file of the character that the model plays. If the folder has one card, it may be
	// missing.
	Card string `json:"card,omitempty"`
	// Cast are the characters that the model plays, if it plays several.
	Cast []castMember `json:"cast,omitempty"`
	// Chat begins a talk with the character of the card instead of a game.
	Chat bool `json:"chat,omitempty"`
	// Party lists the characters that act, by their IDs.
	Party []string `json:"party,omitempty"`
	// Persona describes the player, for prompts and world books.
	Persona string `json:"persona,omitempty"`
	// User is the value of {{user}}; empty means the name of the acting character.
	User string `json:"user,omitempty"`
	// Texts is the language of the engine's own sentences; empty means the language of the content.
	Texts language `json:"texts,omitempty"`
	// Books says where books are attached, by their files. Other books are global.
	Books map[string][]worldbook.Source `json:"books,omitempty"`
	// DialogTypes add kinds of dialogs, or replace the built-in ones.
	DialogTypes []dialogType `json:"dialog_types,omitempty"`
	// Budget is the room for a prompt, in tokens.
	Budget prompt.Budget `json:"budget,omitzero"`
	// TrimSlack is the space, in tokens, that a prompt leaves free when old lines are dropped.
	TrimSlack int `json:"trim_slack,omitempty"`
	// SummarizeAfter is the number of turns without a summary after which the engine asks for one.
	SummarizeAfter int `json:"summarize_after,omitempty"`
}

// language is a language of the engine's sentences.
type language string

// The languages.
const (
	english language = "en"
	chinese language = "zh"
)

// castMember is one of several characters that the model plays.
type castMember struct {
	// Card is the file of the character.
	Card string `json:"card"`
	// CharacterID identifies the member; empty means the name of the card's file.
	CharacterID string `json:"character_id,omitempty"`
	// Talkativeness is the share of turns, from 0 to 1, in which the member speaks without being
	// named.
	Talkativeness *float64 `json:"talkativeness,omitempty"`
	// Muted members speak only if a submission names them.
	Muted bool `json:"muted,omitempty"`
}

// dialogType is a kind of dialog.
type dialogType struct {
	// ID names the type in settings.
	ID string `json:"id"`
	// Blocks are the parts of its prompts.
	Blocks []game.BlockID `json:"blocks,omitempty"`
	// LocalMap shows the acting character's area and its exits instead of all areas.
	LocalMap bool `json:"local_map,omitempty"`
	// NamesOnly shows the names of the party instead of its cards.
	NamesOnly bool `json:"names_only,omitempty"`
	// HistoryTurns limits the number of verbatim turns; 0 means the limit of the context mode.
	HistoryTurns int `json:"history_turns,omitempty"`
	// Omniscient says that the prompts are for the game master.
	Omniscient bool `json:"omniscient,omitempty"`
	// Instructions is the text of the block "dialog".
	Instructions string `json:"instructions,omitempty"`
	// Persona is the text of the block "gm_persona".
	Persona string `json:"persona,omitempty"`
}

// apply sets the members of the content, without the card and the cast.
func (m *gameMembers) apply(c *game.Content) {
	blocks := slices.Collect(game.BlockOrder())
	c.People.Persona, c.People.UserName = m.Persona, m.User
	c.Prompt.Budget, c.Prompt.TrimSlack, c.Prompt.SummarizeAfter = m.Budget, m.TrimSlack, m.SummarizeAfter
	for _, d := range m.DialogTypes {
		// The loader has reported unknown blocks.
		known := slices.DeleteFunc(slices.Clone(d.Blocks), func(b game.BlockID) bool { return !slices.Contains(blocks, b) })
		if len(known) == 0 && len(d.Blocks) > 0 {
			continue
		}
		d.Blocks = known
		c.Extensions.DialogTypes = append(c.Extensions.DialogTypes, game.DialogType(d))
	}
}
