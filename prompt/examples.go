package prompt

import (
	"strings"

	"github.com/talewright/talewright/prompt/macro"
)

// ExampleTurn is one turn of an example dialogue.
type ExampleTurn struct {
	User bool   `json:"user,omitempty"` // spoken by the player, else by the character
	Text string `json:"text"`
}

// name is the name field of the message of a turn.
func (t ExampleTurn) name() string {
	if t.User {
		return "example_user"
	}
	return "example_assistant"
}

// ParseExamples reads example dialogues. The text is cut at <START> in any
// letter case; a text without it is one part. In a part, a line that begins with
// the user's or the character's name and a colon, ":" or "：", starts a turn, to
// which the lines behind belong, other speakers included. Lines before the first
// speaker go in front of the first turn. Turns are trimmed; parts without a turn
// are left out.
func ParseExamples(text, user, char string) [][]ExampleTurn {
	var parts [][]ExampleTurn
	for _, part := range macro.SplitExamples(text) {
		if turns := parseExample(part, user, char); len(turns) > 0 {
			parts = append(parts, turns)
		}
	}
	return parts
}

// parseExample reads the turns of one part.
func parseExample(part, user, char string) []ExampleTurn {
	var turns []ExampleTurn
	var text strings.Builder // of the present turn, or before the first
	finish := func() {
		if n := len(turns); n > 0 {
			turns[n-1].Text = strings.TrimSpace(text.String())
			text.Reset()
		}
	}
	for line := range strings.Lines(part) {
		if rest, ok := spokenBy(line, user); ok {
			finish()
			turns = append(turns, ExampleTurn{User: true})
			line = rest
		} else if rest, ok := spokenBy(line, char); ok {
			finish()
			turns = append(turns, ExampleTurn{})
			line = rest
		}
		text.WriteString(line)
	}
	finish()
	return turns
}

// spokenBy returns the line without the name and the colon in front of it.
func spokenBy(line, name string) (rest string, ok bool) {
	if name == "" {
		return "", false
	}
	rest, ok = strings.CutPrefix(line, name)
	if !ok {
		return "", false
	}
	if after, ok := strings.CutPrefix(rest, ":"); ok {
		return after, true
	}
	return strings.CutPrefix(rest, "：")
}
