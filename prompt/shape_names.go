package prompt

import "github.com/talewright/talewright/llm"

// writeNames puts the names of speakers into the texts, unless the profile has a name field.
func (s *shaper) writeNames() {
	for i := range s.messages {
		m := &s.messages[i]
		if s.rules.Profile == ShapeOpenAI || s.rules.Profile == "" || s.wasResult[i] {
			continue // the profile has a name field, or nobody speaks: the message was a result
		}
		name := s.speaker(m)
		m.Name = ""
		if len(m.Parts) > 0 && isText(m.Parts[0]) {
			m.Parts[0].Text = withName(name, m.Parts[0].Text)
		}
	}
}

// speaker returns the name to put before a message, or "" for no name. On a system message only the
// names of examples are used.
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
