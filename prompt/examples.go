package prompt

import (
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/prompt/macro"
)

// ExampleTurn is one turn of an example dialogue.
type ExampleTurn struct {
	User bool   `json:"user,omitempty"` // spoken by the player, else by the character
	Text string `json:"text"`
	// Prose is true if the text is a whole part in which no line begins with a known speaker.
	Prose bool `json:"prose,omitempty"`
}

// name returns the name field of the message of a turn.
func (t ExampleTurn) name() string {
	switch {
	case t.Prose:
		return ""
	case t.User:
		return "example_user"
	}
	return "example_assistant"
}

// ParseExamples reads example dialogues. It cuts the text at <START>, in any letter case; a text
// without <START> is one part. In a part, a line that begins with the name of the user or of the
// character and a colon, ":" or "：", starts a turn. The following lines belong to that turn, also
// lines of other speakers. Lines before the first speaker are put before the text of the first
// turn. Turns are trimmed. A part without a speaker is a single turn with [ExampleTurn.Prose]; a
// blank part is skipped.
//
// For a group, pass the names of its members: each of them counts as a character, and the name of
// the speaker stays before the text.
func ParseExamples(text, user, char string, group ...string) [][]ExampleTurn {
	var parts [][]ExampleTurn
	for _, part := range macro.SplitExamples(text) {
		turns := parseExample(part, user, char, group)
		if len(turns) == 0 {
			turns = []ExampleTurn{{Text: part, Prose: true}}
		}
		parts = append(parts, turns)
	}
	return parts
}

// parseExample reads the turns of one part. A turn lasts until the next line with a speaker, so its
// text is a substring of the part. Only the first turn also contains the lines before it.
func parseExample(part, user, char string, group []string) []ExampleTurn {
	var turns []ExampleTurn
	name := ""     // speaker of the current turn
	preamble := "" // the lines before the first line with a speaker
	rest := part   // the text after the name of the current turn
	finish := func(left string) {
		if n := len(turns); n > 0 {
			text := rest[:len(rest)-len(left)]
			if n == 1 && preamble != "" {
				text = preamble + text
			}
			turns[n-1].Text = keyindex.TrimSpace(text)
			if len(group) > 0 {
				turns[n-1].Text = name + ": " + turns[n-1].Text
			}
		}
	}
	for left := part; left != ""; {
		spoken, isUser := spokenBy(left, user)
		speaker, isChar := user, false
		if !isUser {
			spoken, speaker, isChar = spokenByMember(left, char, group)
		}
		if isUser || isChar {
			finish(left)
			name = speaker
			if turns == nil {
				preamble = part[:len(part)-len(left)]
				turns = make([]ExampleTurn, 0, 1+linesOf(left, user)+linesOf(left, char))
			}
			turns, rest = append(turns, ExampleTurn{User: isUser}), spoken
		}
		_, left, _ = strings.Cut(left, "\n")
	}
	finish("")
	return turns
}

// spokenByMember is spokenBy for a character and the other members of its group.
func spokenByMember(line, char string, group []string) (rest, speaker string, ok bool) {
	if rest, ok = spokenBy(line, char); ok {
		return rest, char, true
	}
	for _, name := range group {
		if rest, ok = spokenBy(line, name); ok {
			return rest, name, true
		}
	}
	return "", "", false
}

// linesOf counts the lines after the first that begin with a name.
func linesOf(text, name string) int {
	if name == "" {
		return 0
	}
	return strings.Count(text, "\n"+name)
}

// spokenBy returns the text after the name and the colon.
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
