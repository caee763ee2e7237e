package prompt

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/llm"
)

// The shape part makes an assembled prompt acceptable to a provider.
//
// Providers differ in where they take system texts, whether roles must
// alternate, whether messages carry names, and how calls and results of tools
// are written. [Shape] takes a neutral list of messages and a [ShapeRules] value and
// returns system texts and messages of parts, which an adapter only has to write
// in the provider's JSON:
//
//	shaped := prompt.Shape(result.Messages, prompt.ShapeRules{
//		Profile: prompt.ShapeAnthropic, Tools: true, User: "Mara", Char: "Orin",
//		Prefill: result.Prefill, AcceptsPrefill: true,
//	})
//
// # What is repaired
//
// Providers refuse a result without its call, a call without its result, and
// most of them an empty message. Assembled prompts have none of these, but
// messages come from elsewhere too: an orphan becomes a text of the user, a
// missing result the text "[No content]", and both are reported. Results stand
// directly behind their calls, in the order of the calls.
//
// # What is not
//
// Texts are never cut, moved in front of one another, or dropped, except blank
// ones. Where a provider wants the user to speak and nobody does, a placeholder
// speaks; the order of the chat stays.
//
// What a model can do is a field of [ShapeRules]; nothing is guessed from the name of
// a model. Everything here is pure, and safe for concurrent use.

// Shape makes messages acceptable to a provider. In order: calls and results
// are paired, blank messages left out, names folded where the profile has no
// field for them, the rules of the profile applied, the prefill added.
//
// It accepts every list of messages and fails on none; what had to be repaired
// is in the problems. The messages are not changed, the result shares only
// strings with them.
func Shape(messages []llm.Message, rules ShapeRules) Shaped {
	rules.Words = rules.Words.complete()
	s := shaper{rules: rules}
	s.pair(messages)
	s.names()
	s.instruct()
	switch rules.Profile {
	case ShapeMerge:
		s.merge()
	case ShapeSemi:
		s.semi()
	case ShapeStrict:
		s.semi()
		s.strict()
	case ShapeSingle:
		s.single()
	case ShapeAnthropic, ShapeGemini:
		s.separate()
		s.merge()
	case ShapeMistral:
		s.mistral()
	}
	s.firstUser()
	s.prefill()
	return Shaped{System: s.system, Messages: s.messages, Repairs: s.repairs}
}

// shaper holds a prompt while the rules are applied.
type shaper struct {
	rules    ShapeRules
	system   []string
	messages []ShapeMessage
	repairs  []ShapeRepair
	unspoken map[int]bool // messages that were results: nobody has said them
}

func text(role llm.Role, s string) ShapeMessage {
	return ShapeMessage{Role: role, Parts: []ShapePart{{Text: s}}}
}

// instruct makes a prefill that the model does not take an instruction.
func (s *shaper) instruct() {
	if prefill := s.rules.begin(); prefill != "" && !s.rules.AcceptsPrefill {
		s.messages = append(s.messages, text(llm.System, s.rules.Words.Prefill+prefill))
	}
}

// prefill adds the beginning of the reply.
func (s *shaper) prefill() {
	prefill := s.rules.begin()
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

// firstUser puts a placeholder before a first message of the assistant.
func (s *shaper) firstUser() {
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

// merge joins neighbours of one role, except tool results.
func (s *shaper) merge() {
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

// isText reports whether a part is nothing but a text.
func isText(p ShapePart) bool {
	return p.Call == nil && p.Result == nil && p.Image == nil && p.Thought == nil
}

func isImage(p ShapePart) bool { return p.Image != nil }

// semi gives system messages behind the first block to the user.
func (s *shaper) semi() {
	s.merge()
	for i := 1; i < len(s.messages); i++ {
		if s.messages[i].Role == llm.System {
			s.messages[i].Role = llm.User
		}
	}
	s.merge()
}

// strict makes the first message behind the system block the user's.
func (s *shaper) strict() {
	at := 0
	if s.messages[0].Role == llm.System {
		at = 1
	}
	if at == len(s.messages) || s.messages[at].Role != llm.User {
		s.messages = slices.Insert(s.messages, at, text(llm.User, s.rules.Words.Start))
	}
}

// single writes everything as one user message.
func (s *shaper) single() {
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
	one := ShapeMessage{Role: llm.User}
	if len(texts) > 0 {
		one = text(llm.User, strings.Join(texts, "\n\n"))
	}
	one.Parts = append(one.Parts, images...)
	s.messages = []ShapeMessage{one}
}

// separate takes the leading system messages apart and gives the others to the
// user. Results are the user's too.
func (s *shaper) separate() {
	lead := 0
	for !s.rules.InlineSystem && lead < len(s.messages) && s.messages[lead].Role == llm.System &&
		!slices.ContainsFunc(s.messages[lead].Parts, isImage) { // which have no place there
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
