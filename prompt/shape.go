package prompt

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/llm"
)

// The shape files make an assembled prompt acceptable to a provider.
//
// Providers differ in these points: where system texts go, whether roles must alternate, whether
// messages carry names, and how calls and results of tools are written. [Shape] takes a neutral
// list of messages and a [ShapeRules] value. It returns system texts and messages of parts, which
// an adapter only has to write in the provider's JSON:
//
//	shaped := prompt.Shape(result.Messages, prompt.ShapeRules{
//		Profile: prompt.ShapeAnthropic, Tools: true, User: "Mara", Char: "Orin",
//		Prefill: result.Prefill, AcceptsPrefill: true,
//	})
//
// # What is repaired
//
// Providers refuse a result without its call, a call without its result, and most refuse an empty
// message. Assembled prompts have no such messages, but messages may come from elsewhere. A result
// without a call becomes a text of the user, a missing result becomes the text "[No content]", and
// both are reported. Results come directly after their calls, in the order of the calls.
//
// # What is not
//
// Texts are never cut or reordered, and only blank texts are dropped. If a provider needs a user
// message and there is no such message, a placeholder is added. The order of the chat stays.
//
// The abilities of a model are fields of [ShapeRules]; nothing is guessed from the name of a model.
// All functions are pure and safe for concurrent use.

// Shape makes messages acceptable to a provider. The steps, in order: pair calls with results;
// leave out blank messages; put names into the texts if the profile has no name field; apply the
// rules of the profile; add the prefill.
//
// It accepts every list of messages and never fails; Repairs lists the repairs. The messages are
// not changed. The result shares only strings with them.
func Shape(messages []llm.Message, rules ShapeRules) Shaped {
	rules.Words = rules.Words.complete()
	s := shaper{rules: rules}
	s.pairCalls(messages)
	s.writeNames()
	s.addPrefillInstruction()
	switch rules.Profile {
	case ShapeMerge:
		s.mergeNeighbours()
	case ShapeSemi:
		s.systemToUser()
	case ShapeStrict:
		s.systemToUser()
		s.startWithUser()
	case ShapeSingle:
		s.mergeIntoOne()
	case ShapeAnthropic, ShapeGemini:
		s.separateSystem()
		s.mergeNeighbours()
	case ShapeMistral:
		s.mistral()
	}
	s.addFirstUser()
	s.addPrefill()
	return Shaped{System: s.system, Messages: s.messages, Repairs: s.repairs}
}

// shaper is the state of a prompt while the rules are applied.
type shaper struct {
	rules     ShapeRules
	system    []string
	messages  []ShapeMessage
	repairs   []ShapeRepair
	wasResult map[int]bool // indexes of messages that were tool results: they have no speaker
}

// text returns a message with one text.
func text(role llm.Role, s string) ShapeMessage {
	return ShapeMessage{Role: role, Parts: []ShapePart{{Text: s}}}
}

// addPrefillInstruction turns a prefill that the model does not accept into an instruction.
func (s *shaper) addPrefillInstruction() {
	if prefill := s.rules.trimmedPrefill(); prefill != "" && !s.rules.AcceptsPrefill {
		s.messages = append(s.messages, text(llm.System, s.rules.Words.Prefill+prefill))
	}
}

// addPrefill adds the beginning of the reply.
func (s *shaper) addPrefill() {
	prefill := s.rules.trimmedPrefill()
	if prefill == "" || !s.rules.AcceptsPrefill {
		return
	}
	n := len(s.messages)
	if s.rules.Profile == ShapeOpenAI || s.rules.Profile == "" || s.rules.Profile == ShapeMistral ||
		n == 0 || s.messages[n-1].Role != llm.Assistant {
		s.messages = append(s.messages, text(llm.Assistant, prefill))
		return
	}
	last := &s.messages[n-1]
	last.Parts = s.joinTexts(append(last.Parts, ShapePart{Text: prefill}))
}

// addFirstUser adds a placeholder before a first message of the assistant.
func (s *shaper) addFirstUser() {
	if !s.rules.FirstUser {
		return
	}
	for i, m := range s.messages {
		if m.Role == llm.System {
			continue
		}
		if m.Role == llm.Assistant {
			s.messages = slices.Insert(s.messages, i, text(llm.User, s.rules.Words.Start))
		}
		return
	}
}

// mergeNeighbours joins neighbours with the same role, except tool results.
func (s *shaper) mergeNeighbours() {
	out := make([]ShapeMessage, 0, len(s.messages))
	for _, m := range s.messages {
		n := len(out)
		if n > 0 && out[n-1].Role == m.Role && m.Role != llm.Tool {
			out[n-1].Parts = append(out[n-1].Parts, m.Parts...)
			continue
		}
		out = append(out, m)
	}
	for i := range out {
		out[i].Parts = s.joinTexts(out[i].Parts)
	}
	s.messages = out
	if len(out) == 0 {
		s.messages = []ShapeMessage{text(llm.User, s.rules.Words.Start)}
	}
}

// joinTexts joins texts next to each other by an empty line, except for [ShapeAnthropic].
func (s *shaper) joinTexts(parts []ShapePart) []ShapePart {
	if s.rules.Profile == ShapeAnthropic || len(parts) < 2 {
		return parts
	}
	var out []ShapePart
	for i := 0; i < len(parts); {
		if !isText(parts[i]) {
			out = append(out, parts[i])
			i++
			continue
		}
		var texts []string
		for ; i < len(parts) && isText(parts[i]); i++ {
			texts = append(texts, parts[i].Text)
		}
		out = append(out, ShapePart{Text: strings.Join(texts, "\n\n")})
	}
	return out
}

// isText reports whether a part has only a text.
func isText(p ShapePart) bool {
	return p.Call == nil && p.Result == nil && p.Image == nil && p.Thought == nil
}

func isImage(p ShapePart) bool { return p.Image != nil }

// systemToUser merges neighbours and changes system messages after the first message to user messages.
func (s *shaper) systemToUser() {
	s.mergeNeighbours()
	for i := 1; i < len(s.messages); i++ {
		if s.messages[i].Role == llm.System {
			s.messages[i].Role = llm.User
		}
	}
	s.mergeNeighbours()
}

// startWithUser makes the first message after the system block a user message.
func (s *shaper) startWithUser() {
	at := 0
	if s.messages[0].Role == llm.System {
		at = 1
	}
	if at == len(s.messages) || s.messages[at].Role != llm.User {
		s.messages = slices.Insert(s.messages, at, text(llm.User, s.rules.Words.Start))
	}
}

// mergeIntoOne writes everything as one user message.
func (s *shaper) mergeIntoOne() {
	texts := make([]string, 0, len(s.messages))
	var images []ShapePart
	for _, m := range s.messages {
		for _, p := range m.Parts {
			if isText(p) {
				texts = append(texts, p.Text)
			} else {
				images = append(images, p)
			}
		}
	}
	if len(texts) == 0 && len(images) == 0 {
		texts = []string{s.rules.Words.Start}
	}
	merged := ShapeMessage{Role: llm.User}
	if len(texts) > 0 {
		merged = text(llm.User, strings.Join(texts, "\n\n"))
	}
	merged.Parts = append(merged.Parts, images...)
	s.messages = []ShapeMessage{merged}
}

// separateSystem returns the leading system messages separately and changes the others to user messages.
// Results become user messages too.
func (s *shaper) separateSystem() {
	lead := 0
	for !s.rules.InlineSystem && lead < len(s.messages) && s.messages[lead].Role == llm.System &&
		!slices.ContainsFunc(s.messages[lead].Parts, isImage) { // images have no place in system texts
		lead++
	}
	if s.rules.Profile == ShapeGemini && lead > 0 && lead == len(s.messages) {
		lead-- // one message must remain
	}
	for _, m := range s.messages[:lead] {
		s.system = append(s.system, m.Parts[0].Text)
	}
	s.messages = s.messages[lead:]
	for i := range s.messages {
		if r := s.messages[i].Role; r == llm.System || r == llm.Tool {
			s.messages[i].Role = llm.User
		}
	}
}
