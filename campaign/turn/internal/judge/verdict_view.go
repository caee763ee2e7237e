package judge

import (
	"fmt"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
)

// ViewOf returns the view of a campaign's state for the detectors, limited to what the viewer sees,
// with the actions of a character.
func ViewOf(c *state.Campaign, actor string, s state.State, viewer state.Viewer, actions []conflict.Action) conflict.View {
	v := conflict.View{
		ActorID: actor, Party: s.Selected.Party,
		Goal:         conflict.Goal{Text: c.Goal.Text, Hidden: c.Goal.Hidden},
		Actions:      actions,
		CheckAllowed: slices.Contains(c.Allowlist, "check") || slices.Contains(c.Allowlist, "pool_check"),
	}
	for _, character := range s.Characters {
		v.Characters = append(v.Characters, conflictCharacter(character))
	}
	for _, a := range s.Map.Areas {
		v.Areas = append(v.Areas, conflict.Area{
			ID: a.ID, Name: a.Name, Aliases: a.Aliases, Parent: a.Parent, Locked: a.Locked})
	}
	for _, p := range s.Map.Paths {
		v.Connections = append(v.Connections, conflict.Connection{From: p.From, To: p.To})
	}
	for _, r := range s.World.Rules {
		if !viewer.Sees(r.VisibleTo) {
			continue
		}
		v.Rules = append(v.Rules, conflict.WorldRule{ID: r.ID, Keywords: r.Keywords})
	}
	return v
}

func conflictCharacter(c state.Character) conflict.Character {
	out := conflict.Character{
		ID: c.ID, Name: c.Name, Aliases: c.Aliases, AliveState: string(c.Status.AliveState),
		HP: conflict.HP{Current: c.HP.Current, Max: c.HP.Max}, AreaID: c.AreaID,
	}
	for key, v := range c.Attributes.Members() {
		text, isText := v.AsText()
		if !isText {
			text = v.String()
		}
		out.Card = append(out.Card, conflict.CardField{Label: key, Value: text})
	}
	for _, s := range c.Skills {
		field := conflict.CardField{Label: s.Name}
		if s.Level != nil {
			field.Value = fmt.Sprint(*s.Level)
		}
		out.Card = append(out.Card, field)
	}
	return out
}
