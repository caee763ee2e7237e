package prompt

import (
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
)

// pairCalls turns messages into messages of parts. Each call is followed by its result, in the order of
// the calls. Calls without a result and results without a call are repaired. Blank messages are
// left out.
func (s *shaper) pairCalls(messages []llm.Message) {
	s.messages = make([]ShapeMessage, 0, len(messages))
	if !s.sendsCalls() {
		s.withoutCalls(messages)
		return
	}
	answers := s.matchResults(messages)
	for i, m := range messages {
		switch {
		case m.Role == llm.Tool:
			if answers.orphans[i] {
				s.repairs = append(s.repairs, ShapeRepair{repairOrphanResult, i, m.ToolCallID})
				s.addText(llm.User, "", m)
			}
		case len(m.ToolCalls) > 0:
			s.addCalls(i, m, answers)
		default:
			s.addText(m.Role, m.Name, m)
		}
	}
}

// sendsCalls reports whether calls and results may be sent.
func (s *shaper) sendsCalls() bool { return s.rules.Tools && s.rules.Profile != ShapeSingle }

// withoutCalls leaves calls out and makes results user texts.
func (s *shaper) withoutCalls(messages []llm.Message) {
	s.wasResult = map[int]bool{}
	for _, m := range messages {
		delete(s.wasResult, len(s.messages)) // a blank result before it added no message at this index
		if m.Role == llm.Tool {
			s.wasResult[len(s.messages)] = true
			s.addText(llm.User, "", m)
			continue
		}
		s.addText(m.Role, m.Name, m)
	}
}

// addText adds a message with one text and its images, unless it is blank: some providers refuse
// empty messages, and they are useless to the others.
func (s *shaper) addText(role llm.Role, name string, m llm.Message) {
	parts := contentParts(m)
	if len(parts) > 0 {
		s.messages = append(s.messages, ShapeMessage{Role: role, Name: name, Parts: parts})
	}
}

// contentParts returns the text and the images of a message as parts.
func contentParts(m llm.Message) []ShapePart {
	var parts []ShapePart
	if keyindex.TrimSpace(m.Text) != "" {
		parts = append(parts, ShapePart{Text: m.Text})
	}
	if len(m.Images) > 0 {
		images := m.Clone().Images
		for i := range images {
			parts = append(parts, ShapePart{Image: &images[i]})
		}
	}
	return parts
}

// addCalls writes an assistant message with calls, and the results after it.
func (s *shaper) addCalls(i int, m llm.Message, answers callResults) {
	out := ShapeMessage{Role: llm.Assistant, Name: m.Name}
	for _, thought := range m.Thoughts {
		out.Parts = append(out.Parts, ShapePart{Thought: &thought})
	}
	out.Parts = append(out.Parts, contentParts(m)...)
	results := make([]ShapeMessage, len(m.ToolCalls))
	for j, c := range m.ToolCalls {
		out.Parts = append(out.Parts, ShapePart{Call: &llm.ToolCall{
			ID: c.ID, Name: c.Name, Arguments: c.Arguments, Signature: c.Signature,
		}})
		content, ok := answers.result[callPosition{i, j}]
		if !ok {
			s.repairs = append(s.repairs, ShapeRepair{repairMissingResult, i, c.ID})
		}
		if keyindex.TrimSpace(content) == "" {
			content = s.rules.Words.Empty
		}
		results[j] = ShapeMessage{Role: llm.Tool, Parts: []ShapePart{{Result: &ShapeResult{c.ID, content}}}}
	}
	s.messages = append(append(s.messages, out), results...)
}

// callPosition is the position of a call: message and number.
type callPosition struct{ message, number int }

// callResults has the results by call, and the results without a call.
type callResults struct {
	result  map[callPosition]string
	orphans map[int]bool
}

// matchResults finds the result of each call. A result belongs to the newest earlier call that has its ID
// and no result yet.
func (s *shaper) matchResults(messages []llm.Message) callResults {
	found := callResults{map[callPosition]string{}, map[int]bool{}}
	open := map[string][]callPosition{}
	for i, m := range messages {
		for j, c := range m.ToolCalls {
			open[c.ID] = append(open[c.ID], callPosition{i, j})
		}
		if m.Role != llm.Tool {
			continue
		}
		waiting := open[m.ToolCallID]
		if len(waiting) == 0 {
			found.orphans[i] = true
			continue
		}
		found.result[waiting[len(waiting)-1]] = m.Text
		open[m.ToolCallID] = waiting[:len(waiting)-1]
	}
	return found
}
