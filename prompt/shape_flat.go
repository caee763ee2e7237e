package prompt

import (
	"strings"

	"github.com/talewright/talewright/llm"
)

// Flat returns the prompt as messages of package llm, for an adapter that takes these. The system
// texts come first, one message each. The texts of a message are joined by an empty line, and its
// images follow. Each result is a separate message. The result still follows the profile, except
// that the results of one message may become several messages.
func (s Shaped) Flat() []llm.Message {
	out := make([]llm.Message, 0, len(s.System)+len(s.Messages))
	for _, text := range s.System {
		out = append(out, llm.Message{Role: llm.System, Text: text})
	}
	for _, m := range s.Messages {
		out = m.flat(out)
	}
	return out
}

// flat appends a message. Results come first: they answer the message before.
func (m ShapeMessage) flat(out []llm.Message) []llm.Message {
	flat := llm.Message{Role: m.Role, Name: m.Name}
	var texts []string
	for _, p := range m.Parts {
		switch {
		case p.Result != nil:
			out = append(out, llm.Message{Role: llm.Tool, ToolCallID: p.Result.ID, Text: p.Result.Content})
		case p.Call != nil:
			flat.ToolCalls = append(flat.ToolCalls, *p.Call)
		case p.Thought != nil:
			flat.Thoughts = append(flat.Thoughts, *p.Thought)
		case p.Image != nil:
			flat.Images = append(flat.Images, *p.Image)
		default:
			texts = append(texts, p.Text)
		}
	}
	flat.Text = strings.Join(texts, "\n\n")
	if flat.Text == "" && len(flat.ToolCalls) == 0 && len(flat.Images) == 0 {
		return out
	}
	return append(out, flat)
}
