package prepare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// The assembly part makes the request of a turn: it fills a scene with what the view of the turn,
// the lore and the memories say, has it laid out, and says in the trace what the prompt consists
// of. In goes what a turn has found ([Prompter]), out comes a [written] prompt, and the state and
// the trace as writing it has left them.

// generation is how the end of the prompt is laid out: "" for the answer to a line, also to
// one that has an answer.
func (p *Prompter) generation() prompt.Generation {
	switch {
	case p.Continues != nil:
		return prompt.Continue
	case p.Suggestions > 0:
		return prompt.Generation(p.In.Generation)
	}
	return ""
}

// instructions are what a player or a host tells the model beside the line. They are data.
func (p *Prompter) instructions() string {
	if p.Ask == nil {
		return ""
	}
	return utf8text.Escape(strings.TrimSpace(p.Ask.Instructions))
}

// setControl sets what the model is told behind everything else: what the preset has for the
// kind of answer, or without one what the engine has, and the instructions.
func (p *Prompter) setControl(in *prompt.Input) {
	switch texts := p.Game.Texts(); {
	case in.Generation == prompt.Continue && p.Game.Content().Preset == nil:
		in.Control = texts.Continue
	case p.Suggestions == 0:
	case in.Generation == prompt.Quiet:
		in.Control = numbered(texts.SuggestActions, p.Suggestions)
	case p.Suggestions > 1:
		in.Control = numbered(texts.SuggestLines, p.Suggestions)
	case p.Game.Content().Preset == nil:
		in.Control = texts.Impersonate
	}
	own := p.instructions()
	if own == "" {
		return
	}
	in.ContinueByPrefill = false // there would be no place for them
	if in.Control != "" {
		own = in.Control + "\n" + own
	}
	in.Control = own
}

// numbered is a text with a number in the place for it.
func numbered(text string, n int) string { return strings.ReplaceAll(text, "{n}", strconv.Itoa(n)) }

// withAside puts the instructions for a text that goes on before it, where a prompt is one text
// that ends with it.
func (p *Prompter) withAside(history []prompt.Line) []prompt.Line {
	if p.instructions() == "" || !p.Game.IsText() || p.generation() != prompt.Continue || len(history) == 0 {
		return history
	}
	return slices.Insert(slices.Clone(history), len(history)-1,
		prompt.Line{Role: llm.System, Text: p.Ask.Instructions, Required: true})
}
