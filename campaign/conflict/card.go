package conflict

import (
	"slices"
	"strings"
)

// attributes gives the Chinese names of the standard card labels.
var attributes = map[string]string{
	"力量": "strength", "敏捷": "dexterity", "智力": "intelligence", "体质": "constitution",
	"感知": "wisdom", "魅力": "charisma", "等级": "level", "生命上限": "max_hp",
	"生命值上限": "max_hp", "最大生命值": "max_hp", "max hp": "max_hp", "maximum hp": "max_hp",
	"maximum hit points": "max_hp",
}

// findLabels adds the card labels that the view registers to the words found.
func (r *Reading) findLabels() {
	labels, known := names{}, map[string]int{}
	for i := range r.View.Characters {
		for _, f := range r.View.Characters[i].Card {
			labels.add(known, f.Label, func(*name) {})
		}
	}
	if len(labels) == 0 {
		return
	}
	labels.sort()
	for pos := range r.text {
		if n := labels.at(r.text, pos); n != nil {
			r.words[cardLabel] = append(r.words[cardLabel], span{pos, pos + len(n.text)})
		}
	}
	// The lists of words are sorted, with the longest word first for each start.
	slices.SortFunc(r.words[cardLabel], func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	r.words[cardLabel] = slices.CompactFunc(r.words[cardLabel], func(a, b span) bool {
		return a.start == b.start
	})
}

// A cardClaim says that a field of somebody's card has changed.
type cardClaim struct {
	span
	field string
	value string // what it is told to be now, empty if not told
}

// detectCard reports that attributes, level, skills, job, race or name are told
// changed.
func detectCard(r *Reading) []Conflict {
	var out []Conflict
	for _, claim := range r.cardClaims() {
		if !r.asserted(claim.span) {
			continue
		}
		who := r.subject(claim.start)
		for _, id := range who.ids {
			c := r.character(id)
			if c == nil || r.affectedOf(FieldCard, id) ||
				claim.value != "" && c.cardValue(claim.field) == claim.value {
				continue
			}
			found := Conflict{
				Kind:        CardRewrite,
				Severity:    Block,
				Field:       "card." + claim.field,
				EntityID:    id,
				Expected:    Facts{"changed": false},
				Found:       Facts{"changed": true},
				Quote:       r.quote(claim.span),
				Instruction: r.instruction(CardRewrite),
			}
			if v := c.cardValue(claim.field); v != "" {
				found.Expected["value"] = v
			}
			if who.doubtful {
				found.Severity = Warn
			}
			out = append(out, found)
		}
	}
	return out
}

// cardValue returns the value of a card field by its label in any writing, empty
// if it is not known.
func (c *Character) cardValue(field string) string {
	for _, f := range c.Card {
		if strings.EqualFold(f.Label, field) || attributes[f.Label] == field {
			return f.Value
		}
	}
	return ""
}
