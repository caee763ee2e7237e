package cast

import (
	"encoding/json"
	"strings"

	"github.com/talewright/talewright/internal/jsnumber"
	"github.com/talewright/talewright/internal/keyindex"
)

// DefaultTalkativeness is that of a member whose card does not tell it.
const DefaultTalkativeness = 0.5

// Member is a character that the model plays.
type Member struct {
	// ID tells the member apart, Name is what players and {{char}} call it.
	ID, Name string
	// Talkativeness is the share of rounds, from 0 to 1, in which the member speaks
	// without being named, where the order is [Natural]. nil is [DefaultTalkativeness].
	Talkativeness *float64
	// Muted members speak only where they are forced, or asked to answer anew.
	Muted bool
	// Gone says that the card does not exist any more: the member is passed over.
	Gone bool
	// Card holds the texts for the prompt. Choosing a speaker does not read them.
	Card Card
}

func (m Member) talkativeness() float64 {
	if m.Talkativeness == nil {
		return DefaultTalkativeness
	}
	return *m.Talkativeness
}

// ReadTalkativeness reads the extension talkativeness of a card as it is stored: a number,
// or the text of one. A blank text is 0; what is missing or no number is
// [DefaultTalkativeness].
func ReadTalkativeness(stored json.RawMessage) float64 {
	text := string(stored)
	if strings.HasPrefix(strings.TrimSpace(text), `"`) {
		if json.Unmarshal(stored, &text) != nil {
			return DefaultTalkativeness
		}
		if keyindex.TrimSpace(text) == "" {
			return 0
		}
	}
	if n, ok := jsnumber.Parse(text); ok {
		return n
	}
	return DefaultTalkativeness
}

// Macros returns the values of {{group}}, {{charIfNotGroup}}, {{groupNotMuted}} and {{notChar}}
// in a text of the member with the id char, names joined by a comma and a blank, in list
// order: all members, those who are not muted, and those of them who are not char. Members
// whose card is gone have no name here. The player is none of them.
//
// The map is one for macro.Env.Macros.
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
