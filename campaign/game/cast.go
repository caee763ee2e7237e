package game

import (
	"fmt"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/prompt/card"
)

// CastMember is one of several characters that the model plays, see [Content.Cast].
type CastMember struct {
	// CharacterID tells the member apart. Where it is that of a character of the campaign, hooks
	// that hear of the member have its mood and relationship.
	CharacterID string
	// Card has the name and the texts. A member without a card is passed over.
	Card *card.Card
	// Talkativeness is the share of turns, from 0 to 1, in which the member speaks without being
	// named, where the setting cast.order is natural; nil is that of the card.
	Talkativeness *float64
	// Muted members speak only where a submission names them.
	Muted bool
}

// CastTexts are what stands around the texts of the members' cards, and in their place.
type CastTexts struct {
	// Prefix and Suffix stand around each text where the setting cast.cards joins the cards; in them
	// <FIELDNAME> is the name of the field, and {{char}} the owner of the card.
	Prefix, Suffix string
	// Scenario and Examples replace those of the cards.
	Scenario, Examples string
}

// Cast returns the characters that the model plays, in list order, none without a cast.
func (g *Game) Cast() []cast.Member { return g.cast }

// Member returns a member of the cast that has a card.
func (g *Game) Member(id string) (CastMember, bool) {
	for _, m := range g.content.Cast {
		if m.CharacterID == id && m.Card != nil {
			return m, true
		}
	}
	return CastMember{}, false
}

// compileCast checks the cast.
func (g *Game) compileCast(problems *findings) {
	list := g.content.Cast
	if len(list) > 0 && g.content.Card != nil {
		problems.fatal("card", "it is not played beside a cast: give it to a member of Content.Cast, or take it out")
	}
	if len(list) == 0 && g.content.CastTexts != (CastTexts{}) {
		problems.unplayed("castTexts", "nobody is in Content.Cast")
	}
	if len(list) > maxCast {
		problems.fatal("cast", "%d are too many: at most %d can be in a cast", len(list), maxCast)
		return
	}
	seen := map[string]bool{}
	for i, m := range list {
		place := fmt.Sprintf("cast[%d]", i)
		if m.CharacterID == "" || seen[m.CharacterID] {
			problems.fatal(place+".characterId", "%q is missing or taken: give each member an id of its own", m.CharacterID)
		}
		seen[m.CharacterID] = true
		g.cast = append(g.cast, m.compiled(place, problems))
	}
}

// maxCast bounds a cast, since choosing a speaker looks at everybody.
const maxCast = 256

// compiled is the member as package cast knows it.
func (m CastMember) compiled(place string, problems *findings) cast.Member {
	if m.Card == nil {
		problems.wrong(place+".card", "there is none: the member %q never speaks", m.CharacterID)
		return cast.Member{ID: m.CharacterID, Name: m.CharacterID, Talkativeness: m.Talkativeness, Muted: m.Muted, Gone: true}
	}
	out := cast.FromCard(m.CharacterID, *m.Card)
	out.Muted = m.Muted
	if out.Name == "" {
		problems.wrong(place+".card.name", "it is empty: players and {{char}} call the member %q", m.CharacterID)
		out.Name = m.CharacterID
	}
	if len(m.Card.CharacterBook) > 0 {
		problems.unplayed(place+".card.character_book", "it is not used: attach it to Books")
	}
	if talk := m.Talkativeness; talk != nil {
		if *talk >= 0 && *talk <= 1 { // not NaN
			out.Talkativeness = talk
		} else {
			problems.wrong(place+".talkativeness", "%v is not from 0 to 1: that of the card counts", *talk)
		}
	}
	return out
}
