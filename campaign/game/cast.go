package game

import (
	"fmt"

	"github.com/talewright/talewright/campaign/cast"
)

// compileCast checks the cast.
func (g *compiler) compileCast() {
	list := g.content.People.Cast
	if len(list) > 0 && g.content.People.Card != nil {
		g.problems.addFatal("card", "it is not played together with a cast: give it to a member of People.Cast, or remove it")
	}
	if len(list) == 0 && g.content.People.CastTexts != (CastTexts{}) {
		g.problems.addUnplayed("castTexts", "People.Cast is empty; add members to it, or remove the texts")
	}
	if len(list) > maxCast {
		g.problems.addFatal("cast", "%d are too many: at most %d can be in a cast", len(list), maxCast)
		return
	}
	seen := map[string]bool{}
	for i, m := range list {
		place := fmt.Sprintf("cast[%d]", i)
		if m.CharacterID == "" || seen[m.CharacterID] {
			g.problems.addFatal(place+".characterId", "%q is missing or taken: give each member an id of its own", m.CharacterID)
		}
		seen[m.CharacterID] = true
		g.cast = append(g.cast, m.compiled(place, &g.problems))
	}
}

// maxCast limits the size of a cast, because choosing a speaker visits every member.
const maxCast = 256

// compiled returns the member in the form that package cast uses.
func (m CastMember) compiled(place string, problems *findings) cast.Member {
	if m.Card == nil {
		problems.addError(place+".card", "there is no card: the member %q never speaks", m.CharacterID)
		return cast.Member{ID: m.CharacterID, Name: m.CharacterID, Gone: true}
	}
	out := cast.FromCard(m.CharacterID, *m.Card)
	out.Muted = m.Muted
	if out.Name == "" {
		problems.addError(place+".card.name", "it is empty: players and {{char}} call the member %q", m.CharacterID)
		out.Name = m.CharacterID
	}
	if len(m.Card.CharacterBook) > 0 {
		problems.addUnplayed(place+".card.character_book", "it is not used: attach it to Lore.Books")
	}
	if talk := m.Talkativeness; talk != nil {
		if *talk >= 0 && *talk <= 1 { // not NaN
			out.Talkativeness = talk
		} else {
			problems.addError(place+".talkativeness", "%v is not from 0 to 1: the value of the card is used", *talk)
		}
	}
	return out
}
