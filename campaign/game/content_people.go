package game

import (
	"fmt"
	"iter"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
)

// People describes the characters that the model plays, and the player. The characters of the
// world, with hit points and places, belong to each campaign: see [state.Setup.Characters].
type People struct {
	// Card is the character that the model plays, nil for a plain game master.
	Card *card.Card
	// GreetingVariables are the initial variables of a campaign for each greeting of Card, by the
	// number of the greeting. If [turn.Choose] changes the greeting, the variables change too,
	// except for variables that the host has changed since the beginning. Empty: they do not depend
	// on the greeting.
	GreetingVariables []tree.Document
	// Openings are texts that can begin the story in addition to the greetings of cards, such as the
	// greetings of a world of Yumina. They are templates of authors. See [Game.Openings].
	Openings []Opening
	// Cast are the characters that the model plays, if it plays several. Card must be nil then. One
	// submission leads to no, one or more replies. The setting cast.order decides who speaks. The
	// setting cast.cards decides whose texts are in the prompt.
	Cast []CastMember
	// CastTexts are added to the texts of the cards of Cast, or replace them.
	CastTexts CastTexts
	// Persona describes the player, for {{persona}}, prompts and the world book. If it is empty, the
	// Background of the acting character does, so each campaign and each player has a persona of
	// its own. Prompts that show the sheets of the party do not repeat the Background.
	Persona string
	// UserName is the value of {{user}}; empty means the acting character's name.
	UserName string
	// LifeStates add to the built-in states of life, or replace them.
	LifeStates []state.LifeRule
}

// cards yields the cards of the model, each with its path in problems.
func (p *People) cards() iter.Seq2[string, *card.Card] {
	return func(yield func(string, *card.Card) bool) {
		if p.Card != nil && !yield("card", p.Card) {
			return
		}
		for i, m := range p.Cast {
			if m.Card != nil && !yield(fmt.Sprintf("cast[%d].card", i), m.Card) {
				return
			}
		}
	}
}

// CastMember is one of several characters that the model plays, see [People.Cast].
type CastMember struct {
	// CharacterID identifies the member. If it is the ID of a character of the campaign, hooks for
	// the member use the mood and relationship of that character.
	CharacterID string
	// Card has the name and the texts. A member without a card is skipped.
	Card *card.Card
	// Talkativeness is the share of turns, from 0 to 1, in which the member speaks without being
	// named, if the setting cast.order is natural. Nil means the value in the card.
	Talkativeness *float64
	// Muted members speak only if a submission names them.
	Muted bool
}

// CastTexts are texts that are put around the members' card texts, or replace them.
type CastTexts struct {
	// Prefix and Suffix are put around each text if the setting cast.cards joins the cards. In them
	// <FIELDNAME> is the name of the field, and {{char}} is the owner of the card.
	Prefix, Suffix string
	// Scenario and Examples replace the same fields of the cards.
	Scenario, Examples string
}
