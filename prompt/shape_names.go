package prompt

import (
	"strings"

	"github.com/talewright/talewright/llm"
)

// names folds the names of speakers into the texts, unless the profile has a
// field for them.
func (s *shaper) names() {
	for i := range s.messages {
		m := &s.messages[i]
		if s.rules.Profile == ShapeOpenAI || s.rules.Profile == "" || s.unspoken[i] {
			continue
		}
		name := s.speaker(m)
		m.Name = ""
		if name != "" && len(m.Parts) > 0 && isText(m.Parts[0]) {
			m.Parts[0].Text = shapeWithName(name, m.Parts[0].Text)
		}
	}
}

// speaker is the name to put before a message, empty if none. Only those of
// examples count on a system message.
func (s *shaper) speaker(m *ShapeMessage) string {
	switch m.Name {
	case "example_user":
		return s.rules.User
	case "example_assistant":
		return s.rules.Char
	}
	switch {
	case m.Role == llm.System || m.Role == llm.Tool:
		return ""
	case m.Name != "" || s.rules.Profile != ShapeSingle:
		return m.Name
	case m.Role == llm.User:
		return s.rules.User
	}
	return s.rules.Char
}

// shapeWithName puts "Name: " before a text that does not begin with it, be the colon
// plain or full-width.
func shapeWithName(name, content string) string {
	if strings.HasPrefix(content, name+":") || strings.HasPrefix(content, name+"：") {
		return content
	}
	return name + ": " + content
}
