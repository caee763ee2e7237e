package tavern

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// InstructText is a prompt as one text.
type InstructText struct {
	Text string `json:"text"`
	// Stop are the texts that end the reply: the stop text of the template, the prefix of the next
	// speaker, the names of the other speakers.
	Stop   []string `json:"stop,omitempty"`
	Tokens int      `json:"tokens"`
	// Result is the assembly of the text, with its report.
	Result prompt.Result `json:"result"`
}

// Render writes a scene as text. A nil template gives a plain transcript of "Name: text" lines.
//
// The blocks of the input are added to the blocks of the scene, under the slots of the default
// layout. Blocks of "main" go around the system prompt, blocks of "character" after the
// description.
//
// The order of the text is:
//
//   - the story string, or in the chat at its depth
//   - everything else before the history, as system messages
//   - examples, as turns or as text
//   - the chat start
//   - the alignment message
//   - history with texts at a depth
//   - the post-history text as a user message
//   - the control prompt as a system message
//   - the beginning of the reply, followed by the prefill
//
// If a template wraps, the newline before the beginning of the reply belongs to the reply. It
// replaces a newline at the end of the last message. A continue ends with the open last message, an
// impersonation with the user's prefix. A quiet request is not answered by a character of the
// story.
//
// Macros such as {{instructStop}} and {{chatStart}} give the texts of the template and the context
// if the environment does not have its own.
//
// The budget works as in prompt.Assemble, but on the text. The text is counted as a whole, with
// everything that the template puts around the messages. PerMessage is not used. Errors are the
// errors of prompt.Assemble.
func Render(pieces prompt.Scene, in prompt.Input, env prompt.Env, budget prompt.Budget,
	context ContextTemplate, template *InstructTemplate) (InstructText, error) {
	in.Blocks = append(pieces.Blocks(env, in.History), in.Blocks...)
	return RenderBlocks(in, env, budget, context, template)
}

// RenderBlocks is [Render] for a host that has already put the blocks of its scene into the input,
// because it changed some of them.
func RenderBlocks(in prompt.Input, env prompt.Env, budget prompt.Budget,
	context ContextTemplate, template *InstructTemplate) (InstructText, error) {
	in.Blocks = arrange(slices.Clone(in.Blocks))
	in.Tools = false
	in.ContinueByPrefill, in.PrefillApart = false, true
	if in.Generation == worldbook.Continue {
		in.Control = ""
	}
	env = macroTexts(env, context, template)
	budget.Counter = cmp.Or[prompt.TokenCounter](budget.Counter, prompt.TokenEstimator{})
	budget.PerMessage = new(0)
	return fit(&renderer{
		in: in, env: env, budget: budget, context: context, template: template,
		draws: replayedRandom{source: env.Random},
	})
}

// macroTexts passes the texts of the context and the template to their macros, unless the
// environment has its own.
func macroTexts(env prompt.Env, context ContextTemplate, template *InstructTemplate) prompt.Env {
	env.ExampleSeparator = cmp.Or(env.ExampleSeparator, context.ExampleSeparator)
	env.ChatStart = cmp.Or(env.ChatStart, context.ChatStart)
	if template != nil && env.Instruct == (macro.Instruct{}) {
		env.Instruct = macro.Instruct{
			UserPrefix: template.UserPrefix, UserSuffix: template.UserSuffix,
			AssistantPrefix: template.AssistantPrefix, AssistantSuffix: template.AssistantSuffix,
			SystemPrefix: template.SystemPrefix, SystemSuffix: template.SystemSuffix,
			FirstUserPrefix: template.FirstUserPrefix, LastUserPrefix: template.LastUserPrefix,
			FirstAssistantPrefix: template.FirstAssistantPrefix, LastAssistantPrefix: template.LastAssistantPrefix,
			SystemInstructionPrefix: template.LastSystemPrefix,
			StoryPrefix:             template.StoryPrefix, StorySuffix: template.StorySuffix,
			UserFiller: template.UserAlignment, Stop: template.Stop,
		}
	}
	return env
}

// textMessage is a message to be written into the text.
type textMessage struct {
	role          llm.Role
	name          string // speaker, empty if no name is shown
	label         string // value of {{name}} in the texts around it; empty: systemName
	text          string
	isHistoryLine bool // a line of the history
	isInChat      bool // a line, a text at a depth between lines, or the post-history text
}

// write renders an assembled prompt.
func (w *writer) write(result prompt.Result) string {
	parts := w.sortMessages(result)
	story := strings.TrimLeft(w.fillStory(parts.story), "\n")
	if w.context.Position == StoryInChat {
		w.insertStory(&parts, story)
		story = ""
	}
	var b strings.Builder
	if keyindex.TrimSpace(story) != "" {
		b.WriteString(w.framedStory(story))
	}
	for _, p := range parts.beforeChat {
		b.WriteString(w.renderMessage(p, messageVariant{}))
	}
	b.WriteString(w.renderExamples(parts.examples))
	if w.context.ChatStart != "" {
		b.WriteString(w.expand(w.context.ChatStart, "") + "\n")
	}
	chat := w.renderChat(parts.chat, result.HistoryStart == 0)
	return b.String() + w.writeReplyBeginning(chat, result.Prefill)
}

// sortedMessages has the messages of a prompt by purpose.
type sortedMessages struct {
	story      map[string]string
	beforeChat []textMessage
	examples   [][]textMessage // by part
	chat       []textMessage
}

// sortMessages sorts the messages of an assembly by their slots.
func (w *writer) sortMessages(result prompt.Result) sortedMessages {
	parts := sortedMessages{story: map[string]string{}}
	for _, name := range storySlots {
		parts.story[name] = ""
	}
	after := false
	for i, m := range result.Messages {
		origin := result.Origins[i]
		p := textMessage{role: m.Role, text: m.Text, isHistoryLine: origin.Kind == prompt.KindHistory}
		w.setSpeaker(&p, origin, m)
		switch m.Name {
		case "example_user":
			p.role = llm.User
		case "example_assistant":
			p.role = llm.Assistant
		}
		if _, ok := parts.story[origin.Slot]; ok {
			parts.story[origin.Slot] = joinLines(parts.story[origin.Slot], m.Text)
			continue
		}
		after = after || afterExamples[origin.Slot] || origin.Slot == "history"
		switch {
		case origin.Slot == "examples":
			parts.addExample(p, i == 0 || result.Origins[i-1].Keys[0] != origin.Keys[0])
		case after:
			parts.chat = append(parts.chat, p)
		default:
			parts.beforeChat = append(parts.beforeChat, p)
		}
	}
	return parts
}

// afterExamples are the slots that come after the history even if there is none.
var afterExamples = map[string]bool{
	"world_triggered": true, "context": true, "state": true, "hooks_turn": true,
	"post_history": true, "follow_ups": true, "control": true, "prefill": true,
}

// addExample adds a message to the last part of the examples, or begins a part.
func (s *sortedMessages) addExample(p textMessage, begin bool) {
	if begin {
		s.examples = append(s.examples, nil)
	}
	last := len(s.examples) - 1
	s.examples[last] = append(s.examples[last], p)
}

// setSpeaker sets the speaker of a message and its label. A line without a speaker gets the
// character's label. The text after the lines has no speaker and no label. A quiet request gets the
// user's label.
func (w *writer) setSpeaker(p *textMessage, origin prompt.Origin, m llm.Message) {
	p.name = w.speaker(origin, m)
	p.label = p.name
	switch origin.Slot {
	case "history":
		p.isInChat = true
		p.label = cmp.Or(p.label, w.env.Char)
	case "post_history":
		p.isInChat, p.name, p.label = true, "", ""
	case "control":
		p.isInChat = p.isHistoryLine
		if w.in.Generation == worldbook.Quiet {
			p.label = w.env.User
		}
	}
}

// speaker returns the name of the speaker of a message; system messages have no name.
func (w *writer) speaker(origin prompt.Origin, m llm.Message) string {
	switch {
	case m.Name == "example_user":
		return w.env.User
	case m.Name == "example_assistant":
		return w.env.Char
	case origin.Kind == prompt.KindHistory:
		return origin.Speaker
	case m.Role == llm.User:
		return w.env.User
	case m.Role == llm.Assistant:
		return w.env.Char
	}
	return ""
}

// insertStory puts the story into the chat, before the line at its depth.
func (w *writer) insertStory(parts *sortedMessages, story string) {
	if keyindex.TrimSpace(story) == "" {
		return
	}
	depth := 1
	if w.context.StoryDepth != nil {
		depth = *w.context.StoryDepth
	}
	at := 0
	for i := len(parts.chat) - 1; i >= 0 && depth >= 0; i-- {
		if !parts.chat[i].isHistoryLine {
			continue
		}
		if depth == 0 {
			at = i + 1
			break
		}
		if depth--; depth == 0 {
			at = i
			break
		}
	}
	// It is trimmed and has its own role, as every text at a depth.
	p := textMessage{role: w.context.StoryRole.role(), text: keyindex.TrimSpace(story), isInChat: true,
		label: w.env.Char}
	if p.role == llm.User {
		p.label = w.env.User
	}
	if p.role != llm.System {
		p.name = p.label
	}
	parts.chat = append(parts.chat[:at:at], append([]textMessage{p}, parts.chat[at:]...)...)
}
