package conflict

import (
	"strings"
)

// detectCard reports claims that attributes, level, skills, job, race or name changed.
func detectCard(r *Reading) []Conflict {
	var out []Conflict
	for _, claim := range cards(r.passage) {
		who := r.passage.Subject(claim.Start)
		for _, id := range who.IDs {
			c := r.View.character(id)
			if c == nil || r.View.affectedOf(FieldCard, id) ||
				claim.Value != "" && c.cardValue(claim.Field) == claim.Value {
				continue
			}
			found := r.claimed(CardRewrite, claim.Span, who.Doubtful)
			found.Field, found.EntityID = "card."+claim.Field, id
			found.Expected, found.Found = Facts{"changed": false}, Facts{"changed": true}
			if v := c.cardValue(claim.Field); v != "" {
				found.Expected["value"] = v
			}
			out = append(out, found)
		}
	}
	return out
}

// cardValue returns the value of a card field by its label in any letter case, or empty if it is
// unknown.
func (c *Character) cardValue(field string) string {
	for _, f := range c.Card {
		if strings.EqualFold(f.Label, field) || attributes[f.Label] == field {
			return f.Value
		}
	}
	return ""
}
