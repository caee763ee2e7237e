package cast

import (
	"encoding/json"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
)

// defaultTalkativeness is the talkativeness of a member whose card has none.
const defaultTalkativeness = 0.5

// Member is a character that the model plays.
type Member struct {
	// ID identifies the member. Name is its name for players and {{char}}.
	ID, Name string
	// Talkativeness is the share of rounds, from 0 to 1, in which the member speaks without being
	// named, if the order is natural. Nil means 1/2.
	Talkativeness *float64
	// Muted members speak only if they are forced, or must answer again.
	Muted bool
	// Gone says that the card no longer exists. The member never speaks.
	Gone bool
	// Card holds the texts for the prompt. Choosing a speaker does not read them.
	Card Card
}

func (m Member) talkativeness() float64 {
	if m.Talkativeness == nil {
		return defaultTalkativeness
	}
	return *m.Talkativeness
}

// readTalkativeness reads the extension talkativeness of a card in its stored form: a number, or a
// number as text. A blank text is 0. A missing or invalid value is 1/2.
func readTalkativeness(stored json.RawMessage) float64 {
	text := string(stored)
	if strings.HasPrefix(strings.TrimSpace(text), `"`) {
		_ = json.Unmarshal(stored, &text) // a broken text stays as it is and is no number
		if keyindex.TrimSpace(text) == "" {
			return 0
		}
	}
	if n, ok := openjson.ParseNumber(text); ok {
		return n
	}
	return defaultTalkativeness
}

// Macros returns the values of {{group}}, {{charIfNotGroup}}, {{groupNotMuted}} and {{notChar}} in
// a text of the member with the ID char. The values are lists of names in list order, joined by a
// comma and a blank. {{group}} and {{charIfNotGroup}} name all members, {{groupNotMuted}} the
// members who are not muted, and {{notChar}} the unmuted members other than char. Members without a
// card are left out. The player is not a member.
//
// The map is a value for macro.Env.Macros.
func Macros(members []Member, char string) map[string]string {
	var all, unmuted, others []string
	for _, m := range members {
		if m.Gone {
			continue
		}
		all = append(all, m.Name)
		if m.Muted {
			continue
		}
		unmuted = append(unmuted, m.Name)
		if m.ID != char {
			others = append(others, m.Name)
		}
	}
	const comma = ", "
	group := strings.Join(all, comma)
	return map[string]string{
		"group": group, "charIfNotGroup": group,
		"groupNotMuted": strings.Join(unmuted, comma), "notChar": strings.Join(others, comma),
	}
}
